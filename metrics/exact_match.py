"""Accuracy: the share of questions answered right, with its bounds and its interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, get_args

from pydantic import PlainSerializer

from metrics.intervals import LEVEL, Interval, wilson
from metrics.measures import Measure
from signatures.schema import Outcome, OutcomeKind, Record

MEASURE = Measure(
    name="accuracy",
    low=0.0,
    high=1.0,
    direction="higher",
    unit="proportion",
    source="QKG §4 and ReGraM §4: exact match of the option's letter; DESIGN, Answers",
)

RIGHT: frozenset[OutcomeKind] = frozenset({"correct", "correct_abstention"})
"""Outcomes that count as right."""


class Accuracy(Record):
    """Counts of outcomes and what follows from them.

    Everything but `not_run` is counted: an answer that cannot be read is not right.
    """

    counts: dict[OutcomeKind, int]
    """How many questions had each outcome; every kind is a key."""
    right: int
    counted: int
    """Questions that were run."""
    not_run: int
    value: float | None
    """`right / counted`, from 0 to 1; `None` when nothing was run. The lower bound: what could
    not be read counts as wrong."""
    interval: Annotated[Interval, PlainSerializer(Interval._asdict)]
    """Wilson's interval of `value`, over questions."""
    parsed_only: float | None
    """The same without the unparsed; `None` when nothing was parsed. The upper bound."""

    @property
    def incomplete(self) -> bool:
        """True when some questions were not run: the value is then of a part only."""
        return self.not_run > 0


def accuracy(outcomes: Iterable[Outcome], *, level: float = LEVEL) -> Accuracy:
    """Count outcomes and work out accuracy, its bounds and its interval.

    >>> found = accuracy(
    ...     Outcome(kind=kind, letter=None, gold="A")
    ...     for kind in ["correct", "correct", "wrong", "unparsed", "not_run"]
    ... )
    >>> found.value, round(found.parsed_only, 3), found.counted, found.incomplete
    (0.5, 0.667, 4, True)
    """
    seen = Counter(outcome.kind for outcome in outcomes)
    counts: dict[OutcomeKind, int] = {kind: seen[kind] for kind in get_args(OutcomeKind)}
    right = sum(counts[kind] for kind in RIGHT)
    counted = sum(counts.values()) - counts["not_run"]
    return Accuracy(
        counts=counts,
        right=right,
        counted=counted,
        not_run=counts["not_run"],
        value=_share(right, counted),
        interval=wilson(right, counted, level=level),
        parsed_only=_share(right, counted - counts["unparsed"]),
    )


def accuracy_by(pairs: Iterable[tuple[str, Outcome]]) -> Mapping[str, Accuracy]:
    """Work out accuracy per group: per source, per domain, per mode.

    Args:
        pairs: Name of the group and outcome, one pair per question.

    >>> right, wrong = (Outcome(kind=k, letter=None, gold="A") for k in ("correct", "wrong"))
    >>> {k: a.value for k, a in accuracy_by([("x", right), ("y", wrong), ("x", wrong)]).items()}
    {'x': 0.5, 'y': 0.0}
    """
    groups: dict[str, list[Outcome]] = {}
    for name, outcome in pairs:
        groups.setdefault(name, []).append(outcome)
    return {name: accuracy(groups[name]) for name in sorted(groups)}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
