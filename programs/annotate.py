"""ConstraintItems of a triplet by a model, grounded in a label or not (QKG §3.1.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.wording import one_line
from signatures.annotation import AnnotateFromLabel, AnnotateRelation, StatedGroup
from signatures.schema import ConstraintItem, Triplet

RELATIONS = ("indication", "contraindication", "off-label use", "drug_effect")
"""The relations whose validity varies with the patient (QKG §3.1.2)."""
LONGEST_LABEL = 6_000
"""Characters of a label that a prompt holds, about 1,500 tokens; the passage begins the text."""
MIN_QUOTE = 12
"""Characters below which a quote proves nothing: `Anuria.` stands in every label of diuretics."""
_DENYING = ("Decreased Likelihood", "Definitely NOT Applicable")
_LIFTS = re.compile(
    r"\b(?:not|no (?:absolute |known )?)\s?contraindicat|\b(?:may|can) (?:still )?be (?:safely )?"
    r"(?:used|given|administered|taken)|\b(?:unless|except|safe(?:ly)?)\b",
    re.IGNORECASE,
)
"""Words by which a label says of a group that a contraindication does not hold for it."""


class Annotation(NamedTuple):
    """The items of one triplet and what was dropped."""

    items: tuple[ConstraintItem, ...]
    unquoted: int
    """Items whose evidence does not stand in the label."""
    inverted: int
    """Items by which a contraindication does not hold, quoting words that do not lift it."""
    repeated: int
    """Items of a group that had one already."""
    cut: bool
    """The label was longer than the prompt holds."""


class Annotate(dspy.Module):
    """State for which patients a relation holds."""

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.from_knowledge = dspy.Predict(AnnotateRelation, max_tokens=2 * caps.reasoning)
        self.from_label = dspy.Predict(AnnotateFromLabel, max_tokens=2 * caps.reasoning)

    def forward(self, triplet: Triplet, label: str = "") -> Annotation:
        """Return the triplet's items; with a label only those whose evidence quotes it."""
        fact, shown = one_line(triplet.text), label[:LONGEST_LABEL]
        with step("annotate", role="annotator"):
            said = (
                self.from_label(fact=fact, label=shown) if label else self.from_knowledge(fact=fact)
            )
        return keep_groups(
            said.groups, label=shown, relation=triplet.relation, cut=len(label) > LONGEST_LABEL
        )


def keep_groups(
    groups: Iterable[StatedGroup], *, label: str, relation: str = "indication", cut: bool = False
) -> Annotation:
    """Turn stated groups into items: quotes checked, a group once, the level as it was given.

    >>> said = StatedGroup(patient_characteristics="anuria", evidence="Contraindicated in anuria.",
    ...                    applicability="Definitely Applicable")
    >>> len(keep_groups([said, said], label="Contraindicated in anuria. Use with care.").items)
    1
    >>> keep_groups([said], label="Indicated for oedema.").unquoted
    1
    """
    items: dict[str, ConstraintItem] = {}
    unquoted = inverted = repeated = 0
    for group in groups:
        name = one_line(group.patient_characteristics)
        if label and not quotes(label, group.evidence):
            unquoted += 1
        elif label and relation == "contraindication" and inverts(group):
            inverted += 1
        elif not name or name.casefold() in items:
            repeated += 1
        else:
            items[name.casefold()] = ConstraintItem(
                patient_characteristics=name,
                applicability=group.applicability,
                evidence=one_line(group.evidence),
            )
    return Annotation(tuple(items.values()), unquoted, inverted, repeated, cut)


def inverts(group: StatedGroup) -> bool:
    """Say whether a contraindication is denied by words that state it.

    Small models give the level of the drug, which is not for these patients, in place of the level
    of the contraindication, which is.

    >>> said = StatedGroup(patient_characteristics="anuria", evidence="Contraindicated in anuria.",
    ...                    applicability="Definitely NOT Applicable")
    >>> inverts(said), inverts(said.model_copy(update={"evidence": "May be used in anuria."}))
    (True, False)
    """
    return group.applicability in _DENYING and _LIFTS.search(group.evidence) is None


def quotes(label: str, evidence: str) -> bool:
    """Say whether the evidence stands in the label word for word, in any spacing.

    >>> quotes("Avoid in  severe renal impairment.", "severe renal impairment")
    True
    >>> quotes("Avoid in severe renal impairment.", "avoid it"), quotes("Anuria.", "Anuria.")
    (False, True)
    """
    said, text = one_line(evidence).strip("\"'“” "), one_line(label)
    return bool(said) and said in text and (len(said) >= MIN_QUOTE or said == text)
