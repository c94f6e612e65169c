"""Leaves decided by facts of the text: diagnoses, drugs, allergies and habits.

Names are compared by graph node where both sides have one, and by the vocabulary's written forms
else. A narrower fact answers for a broader question (metoprolol for beta blockers), a broader
denial for a narrower one (no heart disease for no heart failure); the other directions stay open.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from retrievers.evaluation_types import Case, Finding
from retrievers.evaluation_voices import Voice, days, kind_of, node_of, settle, source, timely
from retrievers.expression_names import EXCLUSIVE, diagnosis_name
from retrievers.expression_types import (
    HasDiagnosis,
    HasHabit,
    Postpartum,
)
from retrievers.normalise import normalise
from retrievers.vocabulary import (
    CHRONIC_DENIAL,
    canonical,
    entries,
    implied,
    ruled_out,
)
from signatures.schema import Node, PatientFact

FAMILY_DENIAL = re.compile(r"family history of (?P<name>.+)")
"""Name of a fact that denies a family history."""
CHILDBIRTH = "childbirth"
"""Name of the fact that the patient gave birth."""
PUERPERIUM = (42.0, 84.0)
"""Days: six weeks (WHO), twelve weeks (ACOG 2018, fourth trimester); between them it is open."""
DRUG_HABITS = {"heavy alcohol use": "alcohol use disorder"}
"""A diagnosis that answers for a habit."""
_GIVEN_UP = re.compile(r"quit|stopp|gave up|former|ex-|past|used to|previous|smoked", re.IGNORECASE)
"""A habit that is over; "a smoking history" does not say so."""
WIDER_HABIT = {"heavy alcohol use": "alcohol use"}


class _Named(NamedTuple):
    """A fact's name, read once."""

    form: str
    qualifiers: frozenset[str]


def diagnosis(leaf: HasDiagnosis, case: Case) -> Finding:
    """Say whether the patient, or the family, has or had the diagnosis."""
    wanted = " ".join((*leaf.qualifiers, leaf.name))
    if leaf.timing == "family":
        return settle(f"family history of {wanted}", _family(leaf, case))
    node = node_of(leaf.name, "diagnosis", case)
    voices = [
        voice
        for fact in case.patient.facts
        if fact.kind == "diagnosis" and fact.name != CHRONIC_DENIAL
        for voice in (_say_diagnosis(leaf, fact, node, case),)
        if voice is not None
    ]
    if not any(voice.match == "MET" for voice in voices):
        voices += _nothing_chronic(leaf, case)
    shown = f"history of {wanted}" if leaf.timing == "ever" else wanted
    return settle(shown + days(leaf.within_days), voices)


def habit(leaf: HasHabit, case: Case) -> Finding:
    """Say whether a habit is stated or denied; a former habit is not a present one."""
    voices = []
    for fact in case.patient.facts:
        if fact.kind == "habit":
            voices += _say_habit(leaf, fact)
        elif _is_diagnosed_habit(leaf, fact):
            voices.append(Voice("MET", source(fact)))
    return settle(("ever " if leaf.timing == "ever" else "") + leaf.name, voices)


def postpartum(leaf: Postpartum, case: Case) -> Finding:
    """Say whether the patient gave birth lately; a man or a pregnant woman is not postpartum."""
    patient, voices = case.patient, []
    if patient.sex == "male":
        voices.append(Voice("NOT_MET", "sex male"))
    elif patient.pregnancy is not None and patient.pregnancy.pregnant:
        voices.append(Voice("NOT_MET", f"from '{patient.pregnancy.span.text}'"))
    voices += [_since_birth(leaf, fact) for fact in patient.facts if fact.name == CHILDBIRTH]
    return settle("postpartum" + days(leaf.within_days), voices)


def _since_birth(leaf: Postpartum, fact: PatientFact) -> Voice:
    if leaf.within_days is not None:
        return timely(leaf.within_days, fact)
    if fact.days_ago is None or fact.days_ago <= PUERPERIUM[0]:
        return Voice("MET", source(fact))
    late = fact.days_ago > PUERPERIUM[1]
    return Voice("NOT_MET" if late else "INDETERMINATE", f"{fact.days_ago:g} days, {source(fact)}")


def _say_diagnosis(
    leaf: HasDiagnosis, fact: PatientFact, node: Node | None, case: Case
) -> Voice | None:
    if fact.assertion in ("family", "allergy") or FAMILY_DENIAL.fullmatch(fact.name):
        return None
    named, wanted = _named(fact.name), canonical(leaf.name, "diagnosis")
    if fact.assertion == "absent":
        return _denied(leaf, fact, named, node, case)
    if wanted in implied(named.form, "diagnosis") or kind_of(fact.node, node, case):
        return _stated(leaf, fact, named)
    if fact.assertion == "present" and implied(leaf.name, "diagnosis") & ruled_out(
        named.form, "diagnosis"
    ):
        return Voice("NOT_MET", f"{fact.name} rules it out, {source(fact)}")
    if named.form in implied(leaf.name, "diagnosis") or kind_of(node, fact.node, case):
        return Voice("INDETERMINATE", f"{fact.name} is stated, {leaf.name} is not")
    return None


def _stated(leaf: HasDiagnosis, fact: PatientFact, named: _Named) -> Voice:
    missing = [q for q in leaf.qualifiers if q not in named.qualifiers]
    for qualifier in missing:
        if any(qualifier in group and named.qualifiers & group for group in EXCLUSIVE):
            return Voice("NOT_MET", f"{fact.name} is not {qualifier}, {source(fact)}")
    if missing:
        return Voice("INDETERMINATE", f"{fact.name} is stated, {' and '.join(missing)} is not")
    if leaf.within_days is not None:
        return timely(leaf.within_days, fact)
    if leaf.timing == "now" and fact.assertion in ("past", "stopped"):
        return Voice("INDETERMINATE", f"stated as past, {source(fact)}")
    return Voice("MET", source(fact))


def _denied(
    leaf: HasDiagnosis, fact: PatientFact, named: _Named, node: Node | None, case: Case
) -> Voice | None:
    covers = named.form in implied(leaf.name, "diagnosis") or kind_of(node, fact.node, case)
    if covers and named.qualifiers <= set(leaf.qualifiers):
        return Voice("NOT_MET", f"denied, {source(fact)}")
    return None


def _nothing_chronic(leaf: HasDiagnosis, case: Case) -> list[Voice]:
    entry = entries("diagnosis").get(canonical(leaf.name, "diagnosis"))
    if entry is None or not entry.chronic:
        return []
    return [
        Voice("NOT_MET", source(fact))
        for fact in case.patient.facts
        if fact.name == CHRONIC_DENIAL and fact.assertion == "absent"
    ]


def _family(leaf: HasDiagnosis, case: Case) -> list[Voice]:
    node, wanted = node_of(leaf.name, "diagnosis", case), canonical(leaf.name, "diagnosis")
    voices = []
    for fact in case.patient.facts:
        denial = FAMILY_DENIAL.fullmatch(fact.name)
        if fact.assertion == "family" and (
            wanted in implied(_named(fact.name).form, "diagnosis") or kind_of(fact.node, node, case)
        ):
            voices.append(Voice("MET", source(fact)))
        elif (
            fact.assertion == "absent"
            and denial is not None
            and canonical(denial["name"], "diagnosis") in implied(leaf.name, "diagnosis")
        ):
            voices.append(Voice("NOT_MET", source(fact)))
    return voices


def _say_habit(leaf: HasHabit, fact: PatientFact) -> list[Voice]:
    same = fact.name == leaf.name
    wider = WIDER_HABIT.get(leaf.name) == fact.name
    narrower = WIDER_HABIT.get(fact.name) == leaf.name
    if fact.assertion == "present" and (same or narrower):
        return [Voice("MET", source(fact))]
    if fact.assertion == "absent" and (same or wider):
        return [Voice("NOT_MET", source(fact))]
    if fact.assertion in ("past", "stopped") and (same or narrower or wider):
        if leaf.timing == "ever":
            return [Voice("INDETERMINATE" if wider else "MET", source(fact))]
        if narrower or not _GIVEN_UP.search(fact.span.text):
            return []
        return [Voice("NOT_MET", f"former, {source(fact)}")]
    return []


def _is_diagnosed_habit(leaf: HasHabit, fact: PatientFact) -> bool:
    diagnosis_of_habit = DRUG_HABITS.get(leaf.name)
    stated = fact.kind == "diagnosis" and fact.assertion == "present"
    return stated and diagnosis_of_habit in implied(fact.name, "diagnosis")


@lru_cache(maxsize=65_536)
def _named(name: str) -> _Named:
    read = diagnosis_name(name.lower(), sure=True)
    if read is None:
        return _Named(canonical(name, "diagnosis"), frozenset())
    inside = frozenset(
        word for group in EXCLUSIVE for word in group if word in normalise(read.name).split()
    )
    return _Named(canonical(read.name, "diagnosis"), frozenset(read.qualifiers) | inside)
