"""Leaves decided by facts of the text: diagnoses, drugs, allergies and habits.

Names are compared by graph node where both sides have one, and by the vocabulary's written forms
else. A narrower fact answers for a broader question (metoprolol for beta blockers), a broader
denial for a narrower one (no heart disease for no heart failure); the other directions stay open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from retrievers.evaluation_types import Case, Finding
from retrievers.expression_names import EXCLUSIVE, diagnosis_name
from retrievers.expression_types import (
    AllergyTo,
    HasDiagnosis,
    HasHabit,
    Postpartum,
    TakesDrug,
)
from retrievers.normalise import normalise
from retrievers.numbers import Interval, show, within
from retrievers.vocabulary import (
    ALLERGY_DENIAL,
    CHRONIC_DENIAL,
    DRUG_DENIAL,
    OTHER_DRUGS_DENIAL,
    Kind,
    canonical,
    entries,
    implied,
    ruled_out,
)
from signatures.schema import Match, Node, PatientFact

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


class _Voice(NamedTuple):
    """What one fact says of a leaf."""

    match: Match
    why: str


def diagnosis(leaf: HasDiagnosis, case: Case) -> Finding:
    """Say whether the patient, or the family, has or had the diagnosis."""
    wanted = " ".join((*leaf.qualifiers, leaf.name))
    if leaf.timing == "family":
        return _settle(f"family history of {wanted}", _family(leaf, case))
    node = _node(leaf.name, "diagnosis", case)
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
    return _settle(shown + _days(leaf.within_days), voices)


def drug(leaf: TakesDrug, case: Case) -> Finding:
    """Say whether the drug, or a member of the class, is taken or was taken in the given time."""
    if not leaf.name:
        if case.subject is None:
            return _settle("takes the drug" + _length(leaf.for_days), ())
        leaf = leaf.model_copy(update={"name": case.subject})
    node = _node(leaf.name, "medication", case)
    voices = [
        voice
        for fact in case.patient.facts
        if fact.kind == "medication" and fact.assertion not in ("allergy", "family")
        for voice in (_say_drug(leaf, fact, node, case),)
        if voice is not None
    ]
    if not any(voice.match == "MET" for voice in voices):
        voices += _nothing_else(case)
    return _settle(f"takes {leaf.name}{_days(leaf.within_days)}{_length(leaf.for_days)}", voices)


def allergy(leaf: AllergyTo, case: Case) -> Finding:
    """Say whether an allergy is stated; allergy to a class covers its members and the reverse."""
    wanted = canonical(leaf.name, "medication")
    node = _node(leaf.name, "medication", case)
    voices = []
    for fact in case.patient.facts:
        if fact.kind != "medication":
            continue
        if fact.assertion == "absent" and fact.name == ALLERGY_DENIAL:
            voices.append(_Voice("NOT_MET", _from(fact)))
        elif fact.assertion == "allergy" and (
            wanted in implied(fact.name, "medication")
            or canonical(fact.name, "medication") in implied(leaf.name, "medication")
            or _kind_of(fact.node, node, case)
            or _kind_of(node, fact.node, case)
        ):
            voices.append(_Voice("MET", _from(fact)))
    stated = [voice for voice in voices if voice.match == "MET"]
    return _settle(f"allergy to {leaf.name}", stated or voices)


def habit(leaf: HasHabit, case: Case) -> Finding:
    """Say whether a habit is stated or denied; a former habit is not a present one."""
    voices = []
    for fact in case.patient.facts:
        if fact.kind == "habit":
            voices += _say_habit(leaf, fact)
        elif _is_diagnosed_habit(leaf, fact):
            voices.append(_Voice("MET", _from(fact)))
    return _settle(("ever " if leaf.timing == "ever" else "") + leaf.name, voices)


def postpartum(leaf: Postpartum, case: Case) -> Finding:
    """Say whether the patient gave birth lately; a man or a pregnant woman is not postpartum."""
    patient, voices = case.patient, []
    if patient.sex == "male":
        voices.append(_Voice("NOT_MET", "sex male"))
    elif patient.pregnancy is not None and patient.pregnancy.pregnant:
        voices.append(_Voice("NOT_MET", f"from '{patient.pregnancy.span.text}'"))
    for fact in patient.facts:
        if fact.name == CHILDBIRTH:
            voices.append(_since_birth(leaf, fact))
    return _settle("postpartum" + _days(leaf.within_days), voices)


def _since_birth(leaf: Postpartum, fact: PatientFact) -> _Voice:
    if leaf.within_days is not None:
        return _timely(leaf.within_days, fact)
    if fact.days_ago is None or fact.days_ago <= PUERPERIUM[0]:
        return _Voice("MET", _from(fact))
    late = fact.days_ago > PUERPERIUM[1]
    return _Voice("NOT_MET" if late else "INDETERMINATE", f"{fact.days_ago:g} days, {_from(fact)}")


def _say_diagnosis(
    leaf: HasDiagnosis, fact: PatientFact, node: Node | None, case: Case
) -> _Voice | None:
    if fact.assertion in ("family", "allergy") or FAMILY_DENIAL.fullmatch(fact.name):
        return None
    named, wanted = _named(fact.name), canonical(leaf.name, "diagnosis")
    if fact.assertion == "absent":
        return _denied(leaf, fact, named, node, case)
    if wanted in implied(named.form, "diagnosis") or _kind_of(fact.node, node, case):
        return _stated(leaf, fact, named)
    if fact.assertion == "present" and implied(leaf.name, "diagnosis") & ruled_out(
        named.form, "diagnosis"
    ):
        return _Voice("NOT_MET", f"{fact.name} rules it out, {_from(fact)}")
    if named.form in implied(leaf.name, "diagnosis") or _kind_of(node, fact.node, case):
        return _Voice("INDETERMINATE", f"{fact.name} is stated, {leaf.name} is not")
    return None


def _stated(leaf: HasDiagnosis, fact: PatientFact, named: _Named) -> _Voice:
    missing = [q for q in leaf.qualifiers if q not in named.qualifiers]
    for qualifier in missing:
        if any(qualifier in group and named.qualifiers & group for group in EXCLUSIVE):
            return _Voice("NOT_MET", f"{fact.name} is not {qualifier}, {_from(fact)}")
    if missing:
        return _Voice("INDETERMINATE", f"{fact.name} is stated, {' and '.join(missing)} is not")
    if leaf.within_days is not None:
        return _timely(leaf.within_days, fact)
    if leaf.timing == "now" and fact.assertion in ("past", "stopped"):
        return _Voice("INDETERMINATE", f"stated as past, {_from(fact)}")
    return _Voice("MET", _from(fact))


def _timely(wanted: Interval, fact: PatientFact) -> _Voice:
    if fact.days_ago is None:
        return _Voice("INDETERMINATE", f"no time is stated, {_from(fact)}")
    match = within(Interval(fact.days_ago, fact.days_ago), wanted)
    return _Voice(match, f"{fact.days_ago:g} days ago, {_from(fact)}")


def _denied(
    leaf: HasDiagnosis, fact: PatientFact, named: _Named, node: Node | None, case: Case
) -> _Voice | None:
    covers = named.form in implied(leaf.name, "diagnosis") or _kind_of(node, fact.node, case)
    if covers and named.qualifiers <= set(leaf.qualifiers):
        return _Voice("NOT_MET", f"denied, {_from(fact)}")
    return None


def _nothing_chronic(leaf: HasDiagnosis, case: Case) -> list[_Voice]:
    entry = entries("diagnosis").get(canonical(leaf.name, "diagnosis"))
    if entry is None or not entry.chronic:
        return []
    return [
        _Voice("NOT_MET", _from(fact))
        for fact in case.patient.facts
        if fact.name == CHRONIC_DENIAL and fact.assertion == "absent"
    ]


def _family(leaf: HasDiagnosis, case: Case) -> list[_Voice]:
    node, wanted = _node(leaf.name, "diagnosis", case), canonical(leaf.name, "diagnosis")
    voices = []
    for fact in case.patient.facts:
        denial = FAMILY_DENIAL.fullmatch(fact.name)
        if fact.assertion == "family" and (
            wanted in implied(_named(fact.name).form, "diagnosis")
            or _kind_of(fact.node, node, case)
        ):
            voices.append(_Voice("MET", _from(fact)))
        elif (
            fact.assertion == "absent"
            and denial is not None
            and canonical(denial["name"], "diagnosis") in implied(leaf.name, "diagnosis")
        ):
            voices.append(_Voice("NOT_MET", _from(fact)))
    return voices


def _say_drug(leaf: TakesDrug, fact: PatientFact, node: Node | None, case: Case) -> _Voice | None:
    wanted, have = canonical(leaf.name, "medication"), canonical(fact.name, "medication")
    if fact.assertion == "absent":
        covers = have in implied(leaf.name, "medication") or _kind_of(node, fact.node, case)
        if covers and leaf.timing == "now" and leaf.within_days is None:
            return _Voice("NOT_MET", f"denied, {_from(fact)}")
        return _Voice("NOT_MET", f"denied, {_from(fact)}") if covers else None
    if wanted in implied(fact.name, "medication") or _kind_of(fact.node, node, case):
        return _taken(leaf, fact)
    if have in implied(leaf.name, "medication") or _kind_of(node, fact.node, case):
        return _Voice("INDETERMINATE", f"{fact.name} is stated, {leaf.name} is not")
    return None


def _taken(leaf: TakesDrug, fact: PatientFact) -> _Voice:
    if leaf.for_days is not None and fact.assertion != "stopped":
        if fact.for_days is None:
            return _Voice("INDETERMINATE", f"how long is not stated, {_from(fact)}")
        match = within(Interval(fact.for_days, fact.for_days), leaf.for_days)
        return _Voice(match, f"for {fact.for_days:g} days, {_from(fact)}")
    if fact.assertion == "present" or leaf.timing == "ever":
        return _Voice("MET", _from(fact))
    if leaf.within_days is not None:
        return _timely(leaf.within_days, fact)
    if fact.assertion == "stopped":
        return _Voice("NOT_MET", f"stopped, {_from(fact)}")
    return _Voice("INDETERMINATE", f"stated as past, {_from(fact)}")


def _nothing_else(case: Case) -> list[_Voice]:
    return [
        _Voice("NOT_MET", _from(fact))
        for fact in case.patient.facts
        if fact.kind == "medication"
        and fact.assertion == "absent"
        and fact.name in (DRUG_DENIAL, OTHER_DRUGS_DENIAL)
    ]


def _say_habit(leaf: HasHabit, fact: PatientFact) -> list[_Voice]:
    same = fact.name == leaf.name
    wider = WIDER_HABIT.get(leaf.name) == fact.name
    narrower = WIDER_HABIT.get(fact.name) == leaf.name
    if fact.assertion == "present" and (same or narrower):
        return [_Voice("MET", _from(fact))]
    if fact.assertion == "absent" and (same or wider):
        return [_Voice("NOT_MET", _from(fact))]
    if fact.assertion in ("past", "stopped") and (same or narrower or wider):
        if leaf.timing == "ever":
            return [_Voice("INDETERMINATE" if wider else "MET", _from(fact))]
        if narrower or not _GIVEN_UP.search(fact.span.text):
            return []
        return [_Voice("NOT_MET", f"former, {_from(fact)}")]
    return []


def _is_diagnosed_habit(leaf: HasHabit, fact: PatientFact) -> bool:
    diagnosis_of_habit = DRUG_HABITS.get(leaf.name)
    stated = fact.kind == "diagnosis" and fact.assertion == "present"
    return stated and diagnosis_of_habit in implied(fact.name, "diagnosis")


def _settle(wanted: str, voices: Iterable[_Voice]) -> Finding:
    found = list(voices)
    for match in ("MET", "NOT_MET"):
        first = next((voice for voice in found if voice.match == match), None)
        other = "NOT_MET" if match == "MET" else "MET"
        if first is not None and any(voice.match == other for voice in found):
            return Finding("INDETERMINATE", (f"{wanted} → INDETERMINATE; the text says both",))
        if first is not None:
            return Finding(first.match, (f"{wanted} → {first.match}; {first.why}",))
    why = found[0].why if found else "not mentioned"
    return Finding("INDETERMINATE", (f"{wanted} → INDETERMINATE; {why}",))


@lru_cache(maxsize=65_536)
def _named(name: str) -> _Named:
    read = diagnosis_name(name.lower(), sure=True)
    if read is None:
        return _Named(canonical(name, "diagnosis"), frozenset())
    inside = frozenset(
        word for group in EXCLUSIVE for word in group if word in normalise(name).split()
    )
    return _Named(canonical(read.name, "diagnosis"), frozenset(read.qualifiers) | inside)


def _node(name: str, kind: Kind, case: Case) -> Node | None:
    if case.find_node is None or not any(fact.node for fact in case.patient.facts):
        return None
    return case.find_node(name, kind)


def _kind_of(child: Node | None, parent: Node | None, case: Case) -> bool:
    if child is None or parent is None:
        return False
    return child.index == parent.index or (case.is_a is not None and case.is_a(child, parent))


def _from(fact: PatientFact) -> str:
    return f"from '{fact.span.text}'"


def _length(wanted: Interval | None) -> str:
    return "" if wanted is None else f" for {show(wanted)} days"


def _days(wanted: Interval | None) -> str:
    return "" if wanted is None else f" {wanted.low:g} to {wanted.high:g} days ago"
