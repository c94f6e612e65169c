"""Leaves decided by drugs of the text: what is taken, for how long, and what is not tolerated."""

from __future__ import annotations

from retrievers.evaluation_types import Case, Finding
from retrievers.evaluation_voices import (
    Voice,
    days,
    kind_of,
    length,
    node_of,
    settle,
    source,
    timely,
)
from retrievers.expression_types import AllergyTo, TakesDrug
from retrievers.numbers import Interval, within
from retrievers.vocabulary import (
    ALLERGY_DENIAL,
    DRUG_DENIAL,
    OTHER_DRUGS_DENIAL,
    canonical,
    implied,
)
from signatures.schema import Node, PatientFact


def drug(leaf: TakesDrug, case: Case) -> Finding:
    """Say whether the drug, or a member of the class, is taken or was taken in the given time."""
    if not leaf.name:
        if case.subject is None:
            return settle("takes the drug" + length(leaf.for_days), ())
        leaf = leaf.model_copy(update={"name": case.subject})
    node = node_of(leaf.name, "medication", case)
    voices = [
        voice
        for fact in case.patient.facts
        if fact.kind == "medication" and fact.assertion not in ("allergy", "family")
        for voice in (_say_drug(leaf, fact, node, case),)
        if voice is not None
    ]
    if not any(voice.match == "MET" for voice in voices):
        voices += _nothing_else(case)
    return settle(f"takes {leaf.name}{days(leaf.within_days)}{length(leaf.for_days)}", voices)


def allergy(leaf: AllergyTo, case: Case) -> Finding:
    """Say whether an allergy is stated; allergy to a class covers its members and the reverse."""
    wanted = canonical(leaf.name, "medication")
    node = node_of(leaf.name, "medication", case)
    voices = []
    for fact in case.patient.facts:
        if fact.kind != "medication":
            continue
        if fact.assertion == "absent" and fact.name == ALLERGY_DENIAL:
            voices.append(Voice("NOT_MET", source(fact)))
        elif fact.assertion == "allergy" and (
            wanted in implied(fact.name, "medication")
            or canonical(fact.name, "medication") in implied(leaf.name, "medication")
            or kind_of(fact.node, node, case)
            or kind_of(node, fact.node, case)
        ):
            voices.append(Voice("MET", source(fact)))
    stated = [voice for voice in voices if voice.match == "MET"]
    return settle(f"allergy to {leaf.name}", stated or voices)


def _say_drug(leaf: TakesDrug, fact: PatientFact, node: Node | None, case: Case) -> Voice | None:
    wanted, have = canonical(leaf.name, "medication"), canonical(fact.name, "medication")
    if fact.assertion == "absent":
        covers = have in implied(leaf.name, "medication") or kind_of(node, fact.node, case)
        if covers and leaf.timing == "now" and leaf.within_days is None:
            return Voice("NOT_MET", f"denied, {source(fact)}")
        return Voice("NOT_MET", f"denied, {source(fact)}") if covers else None
    if wanted in implied(fact.name, "medication") or kind_of(fact.node, node, case):
        return _taken(leaf, fact)
    if have in implied(leaf.name, "medication") or kind_of(node, fact.node, case):
        return Voice("INDETERMINATE", f"{fact.name} is stated, {leaf.name} is not")
    return None


def _taken(leaf: TakesDrug, fact: PatientFact) -> Voice:
    if leaf.for_days is not None and fact.assertion != "stopped":
        if fact.for_days is None:
            return Voice("INDETERMINATE", f"how long is not stated, {source(fact)}")
        match = within(Interval(fact.for_days, fact.for_days), leaf.for_days)
        return Voice(match, f"for {fact.for_days:g} days, {source(fact)}")
    if fact.assertion == "present" or leaf.timing == "ever":
        return Voice("MET", source(fact))
    if leaf.within_days is not None:
        return timely(leaf.within_days, fact)
    if fact.assertion == "stopped":
        return Voice("NOT_MET", f"stopped, {source(fact)}")
    return Voice("INDETERMINATE", f"stated as past, {source(fact)}")


def _nothing_else(case: Case) -> list[Voice]:
    return [
        Voice("NOT_MET", source(fact))
        for fact in case.patient.facts
        if fact.kind == "medication"
        and fact.assertion == "absent"
        and fact.name in (DRUG_DENIAL, OTHER_DRUGS_DENIAL)
    ]
