"""Read the patient out of a question: rules first, each fact with its source span.

The rules are exact on numbers, units, ages and negation. What they do not find stays unknown; a
model may add to it elsewhere.
"""

from __future__ import annotations

from typing import Protocol

from retrievers.evaluation_facts import PUERPERIUM
from retrievers.patient_facts import read_facts
from retrievers.patient_habits import read_habits
from retrievers.patient_labs import read_quantities, with_bmi
from retrievers.patient_others import of_patient
from retrievers.patient_parents import of_parents
from retrievers.patient_people import read_age, read_sex
from retrievers.patient_pregnancy import read_lactation, read_pregnancy
from retrievers.patient_text import plain
from retrievers.patient_time import read_birth, read_onset
from retrievers.patient_unread import passage, unread_passages
from signatures.schema import Link, PatientContext, PatientFact, Pregnancy


class TextLinker(Protocol):
    """Finds the nodes that a running text speaks of."""

    def link(self, text: str) -> tuple[Link, ...]:
        """Link every mention."""
        ...


def read_patient(text: str, *, linker: TextLinker | None = None) -> PatientContext:
    """Read what a question says of its patient.

    Args:
        text: the question, without its options.
        linker: finds mentions of the graph's names; without one, the packaged tables serve.

    Returns:
        The patient; every field that the text does not state is `None` or absent.

    >>> patient = read_patient("A 62-year-old woman with type 2 diabetes has an eGFR of 24.")
    >>> patient.age.low, patient.sex, patient.quantities[0].analyte, patient.facts[0].name
    (62.0, 'female', 'egfr', 'type 2 diabetes')
    >>> read_patient("Which gene causes Huntington disease?")
    PatientContext(age=None, sex=None, pregnancy=None, lactating=None, quantities=(), facts=(), \
unread=())
    """
    same = of_parents(plain(text))
    own = of_patient(same)
    pregnancy = read_pregnancy(own)
    births = read_birth(own)
    if births and _is_recent(births[0]) and (pregnancy is None or births[0].days_ago is not None):
        pregnancy = Pregnancy(pregnant=False, span=births[0].span)
    sex = read_sex(own)
    if pregnancy is not None and pregnancy.pregnant:
        sex, pregnancy = (sex or "female"), (None if sex == "male" else pregnancy)
    age = read_age(own)
    patient = PatientContext(
        age=age,
        sex=sex,
        pregnancy=pregnancy,
        lactating=read_lactation(own),
        quantities=read_quantities(own, age=age),
        facts=(
            *read_facts(same, link=None if linker is None else linker.link),
            *read_habits(own),
            *read_onset(own),
            *births,
        ),
    )
    whole = with_bmi(patient)
    missed = (passage(text[at.start : at.end]) for at in unread_passages(own, whole))
    whole = whole.model_copy(update={"unread": tuple(dict.fromkeys(missed))})
    return whole if own == text else _as_written(whole, text)


def _is_recent(birth: PatientFact) -> bool:
    """A woman who gave birth in the last weeks is not pregnant; a year later she may be."""
    return birth.days_ago is None or birth.days_ago <= PUERPERIUM[0]


def _as_written(patient: PatientContext, text: str) -> PatientContext:
    """Give every span the characters of the original text; offsets are the same."""
    fields = patient.model_dump()

    def restore(value: object) -> object:
        if isinstance(value, dict):
            if value.keys() == {"start", "end", "text"}:
                return {**value, "text": text[value["start"] : value["end"]]}
            return {key: restore(inner) for key, inner in value.items()}
        return [restore(inner) for inner in value] if isinstance(value, (list, tuple)) else value

    return PatientContext.model_validate(restore(fields))
