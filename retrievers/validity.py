"""From verdicts on ConstraintItems to F_τ(C), the validity of a triplet for a patient (QKG §1).

The paper's paradigms: *conventional* (every stored triplet holds), *mu* (the mean level of its
items, whoever the patient is), *explicit* (the table of DESIGN.md §3 over verdicts of rules) and
*llm* (the same table over verdicts that a model gave on every item).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from retrievers.expressions import is_unconditional
from signatures.schema import Applicability, ConstraintVerdict, Label

Paradigm = Literal["conventional", "mu", "explicit", "llm"]
Unmet = Literal["exclude", "downweight"]

LEVELS: Mapping[Applicability, float] = MappingProxyType(
    {
        "Definitely Applicable": 1.0,
        "Increased Likelihood": 0.75,
        "Not Determinable": 0.5,
        "Decreased Likelihood": 0.25,
        "Definitely NOT Applicable": 0.0,
    }
)
"""DESIGN.md §3; the paper names the two ends of the scale, the steps between are ours."""

VALID_FROM, INVALID_TO = 0.75, 0.25
"""At or above the first a triplet is evidence, at or below the second it is excluded."""
UNCERTAIN = 0.5
DOWNWEIGHTED = 0.25
"""F of a relation stated only for other groups, where `unmet="downweight"`."""

BENEFIT = frozenset({"indication", "off-label use"})
"""Relations of which the lower validity is the safer."""
HARM = frozenset({"contraindication", "drug_effect"})
"""Relations of which the higher validity is the safer."""


class Validity(NamedTuple):
    """F_τ(C) and what decided it."""

    value: float
    label: Label | None = None
    ruled_out: bool = False
    """A MET item made the triplet invalid."""
    conflict: bool = False
    """MET items pull in opposite directions."""


class ValidityFunction(Protocol):
    """Turns the verdicts on a triplet's items into its validity."""

    def __call__(self, verdicts: Sequence[ConstraintVerdict], relation: str) -> Validity:
        """Return F_τ(C)."""
        ...


def validity(
    verdicts: Sequence[ConstraintVerdict],
    relation: str,
    *,
    paradigm: Paradigm = "explicit",
    unmet: Unmet = "exclude",
) -> Validity:
    """Return the validity of a triplet for a patient.

    Args:
        verdicts: one per ConstraintItem of the triplet.
        relation: PrimeKG relation; decides which side is the safer on a tie.
        paradigm: how validity is understood.
        unmet: what becomes of a relation that is stated for other groups only.

    >>> validity((), "indication")
    Validity(value=1.0, label=None, ruled_out=False, conflict=False)
    """
    if paradigm == "conventional" or not verdicts:
        return Validity(1.0)
    if paradigm == "mu":
        levels = [LEVELS[verdict.item.applicability] for verdict in verdicts]
        return Validity(sum(levels) / len(levels))
    return explicit(verdicts, relation, unmet=unmet)


def explicit(
    verdicts: Sequence[ConstraintVerdict], relation: str, *, unmet: Unmet = "exclude"
) -> Validity:
    """Return F by the table: the strongest MET item decides, a NOT_MET item is silent."""
    if not verdicts:
        return Validity(1.0)
    met = _counting([verdict for verdict in verdicts if verdict.match == "MET"])
    if met:
        return _of_met([LEVELS[verdict.item.applicability] for verdict in met], relation)
    if any(verdict.match in ("INDETERMINATE", "UNJUDGED") for verdict in verdicts):
        return Validity(UNCERTAIN, "CAUTION")
    return Validity(silent_value([LEVELS[v.item.applicability] for v in verdicts], unmet=unmet))


def deciding(verdicts: Sequence[ConstraintVerdict], relation: str) -> tuple[ConstraintVerdict, ...]:
    """Return the MET verdicts whose level the triplet takes; none when no item is MET."""
    met = _counting([verdict for verdict in verdicts if verdict.match == "MET"])
    if not met:
        return ()
    level = strongest([LEVELS[verdict.item.applicability] for verdict in met], relation)
    return tuple(verdict for verdict in met if LEVELS[verdict.item.applicability] == level)


def strongest(levels: Sequence[float], relation: str) -> float:
    """Return the level furthest from 0.5; on a tie the safer one.

    >>> strongest([0.75, 0.0], "indication"), strongest([1.0, 0.0], "indication")
    (0.0, 0.0)
    >>> strongest([1.0, 0.0], "contraindication")
    1.0
    """
    far = max(abs(level - 0.5) for level in levels)
    furthest = [level for level in levels if abs(level - 0.5) == far]
    return max(furthest) if relation in HARM else min(furthest)


def silent_value(levels: Sequence[float], *, unmet: Unmet = "exclude") -> float:
    """Return F where no item's group holds.

    >>> silent_value([1.0, 0.75]), silent_value([0.0, 0.25]), silent_value([1.0, 0.0])
    (0.0, 1.0, 0.5)
    >>> silent_value([1.0], unmet="downweight")
    0.25
    """
    if all(level >= VALID_FROM for level in levels):
        return DOWNWEIGHTED if unmet == "downweight" else 0.0
    if all(level <= INVALID_TO for level in levels):
        return 1.0
    return UNCERTAIN


def label_of(value: float, relation: str) -> Label | None:
    """Return what a decided item means for the patient.

    >>> label_of(1.0, "indication"), label_of(0.0, "indication"), label_of(1.0, "contraindication")
    ('RECOMMENDED', 'AVOID', 'AVOID')
    >>> label_of(0.5, "indication"), label_of(0.0, "contraindication") is None
    ('CAUTION', True)
    """
    if INVALID_TO < value < VALID_FROM:
        return "CAUTION"
    if relation in BENEFIT:
        return "RECOMMENDED" if value >= VALID_FROM else "AVOID"
    if relation == "contraindication" and value >= VALID_FROM:
        return "AVOID"
    return None


def _counting(met: list[ConstraintVerdict]) -> list[ConstraintVerdict]:
    """An unconditional item counts only when no specific one is MET."""
    specific = [v for v in met if not is_unconditional(v.item.patient_characteristics)]
    return specific or met


def _of_met(levels: Sequence[float], relation: str) -> Validity:
    value = strongest(levels, relation)
    conflict = any(level > 0.5 for level in levels) and any(level < 0.5 for level in levels)
    return Validity(value, label_of(value, relation), value <= INVALID_TO, conflict)
