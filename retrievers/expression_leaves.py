"""One phrase of a patient group: an age, a measurement, a habit, a disease, a drug (QKG §3.1.2)."""

from __future__ import annotations

import re
from collections.abc import Callable

from retrievers.expression_grades import grade_leaf
from retrievers.expression_habits import NO_COMPLIANCE, NO_CONSENT, habit_leaf
from retrievers.expression_limits import limit_leaf
from retrievers.expression_names import FILLER, allergy_leaf, concept_rows, diagnosis_name
from retrievers.expression_numbers import measure_leaf
from retrievers.expression_people import age_leaf, postpartum_leaf, pregnancy_leaf, sex_leaf
from retrievers.expression_times import duration_leaf, event_leaf
from retrievers.expression_types import Concept, Expression, HasDiagnosis, HasHabit, Negated
from retrievers.normalise import normalise

Frame = Callable[[str], Expression | None]
"""Reads what stands after "allergic to", "taking", "history of" …, or what stands alone."""


def leaf(text: str, frame: Frame, *, parse: Frame) -> Expression | None:
    """Read one phrase, or return `None` when it is none that is known.

    Args:
        text: the phrase.
        frame: reads what no other reader knows, such as the name of a disease.
        parse: reads the groups by which the table of concepts explains its own.
    """
    lower = text.lower()
    bare = FILLER.sub("", lower)
    if NO_CONSENT.fullmatch(lower):
        return Negated(part=HasHabit(name="informed consent"))
    if NO_COMPLIANCE.fullmatch(lower):
        return Negated(part=HasHabit(name="compliance"))
    for read in (grade_leaf, pregnancy_leaf, postpartum_leaf, age_leaf, sex_leaf, habit_leaf):
        found: Expression | None = read(lower) or read(bare)
        if found is not None:
            return found
    return (
        measure_leaf(text)
        or measure_leaf(re.sub(r"^(?:patients? |an? |with |whose |have |has |having )+", "", text))
        or limit_leaf(text)
        or _concept(bare, parse)
        or duration_leaf(lower)
        or event_leaf(lower)
        or allergy_leaf(lower)
        or frame(lower)
    )


def _concept(text: str, parse: Frame) -> Expression | None:
    row = concept_rows().get(normalise(text))
    if row is None:
        return None
    name, met_if, not_if = row
    stated = diagnosis_name(name, sure=True) or HasDiagnosis(name=name)
    return Concept(
        stated=stated,
        met_if=parse(met_if) if met_if else None,
        not_if=parse(not_if) if not_if else None,
    )
