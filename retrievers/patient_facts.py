"""Diagnoses, medications and habits of the patient, by rules, with how each is asserted.

A diagnosis that is told of the patient is a fact. A drug is one only where the text says that the
patient takes, took, stopped or cannot tolerate it: a drug that is asked about is not.
"""

from __future__ import annotations

import re

from retrievers.assertion import assertion_of, is_allergy_denied, is_doubtful
from retrievers.expression_names import QUALIFIERS
from retrievers.patient_dates import UNTIL, dated, dated_dose, piece_at
from retrievers.patient_denials import is_family_denied, read_denials
from retrievers.patient_habits import given_up
from retrievers.patient_mentions import unsure, widened
from retrievers.patient_others import other_people
from retrievers.patient_procedures import procedure_state
from retrievers.patient_taken import TAKES, course, formerly, last_word, taken
from retrievers.patient_text import (
    Sentence,
    days_for,
    sentence_at,
    sentences,
    span_of,
    stated,
)
from retrievers.patient_told import Linker, Told, mentions_told
from retrievers.vocabulary import canonical, entries
from signatures.schema import Assertion, PatientFact

REST = 160
"""Characters behind a drug that may say it is taken again."""
_DENIES_USE = re.compile(
    r"\b(?:denies|denied|den(?:ies|ied) (?:any )?use of|never (?:had|been))\b", re.IGNORECASE
)
_NO_CHOICE = re.compile(
    r"\b(?:there (?:is|are) no|no (?:other|better|alternative))\s+(?:\w+\s+)?$", re.IGNORECASE
)
"""`there is no other antibiotic for him` does not say that he takes none."""
_REFUSED = re.compile(r"\b(?:refus\w+|declin\w+)\s+(?:an?|the|any)?\s*$", re.IGNORECASE)
_STATE_AFTER = re.compile(
    r"^\s*(?:is|are|was|were|has been|have been|remains?)\s+(?:so far|still|now|"
    r"currently|very)?\s*"
    rf"(?P<state>{'|'.join(sorted(map(re.escape, QUALIFIERS), key=len, reverse=True))})\b",
    re.IGNORECASE,
)
"""`the adrenal insufficiency is so far uncorrected`."""
_MODIFIER = re.compile(r"(?P<word>[A-Za-z][\w-]+)\s+$")
_NO_MODIFIER = re.compile(
    r"no|not|any|and|or|nor|neither|of|has|have|had|having|a|an|the|other|known|current|"
    r"currently|prior|"
    r"previous|previously|past|without|with|for|denies|denied|denying|history|evidence|"
    r"signs?|symptoms?|"
    r"is|are|was|were|been|never|negative|absence|from|his|her|their|new|more|further|"
    r"associated|ever|"
    r"concurrent|significant|obvious|apparent|overt|personal|developed|experienced|"
    r"reports?|reported|"
    r"there|but|in|to|does|lack|free|recent|excluded|out|exclude|such|as|either|him|"
    r"exclude[sd]|shows?|lacks?|lacked|carry|carries",
    re.IGNORECASE,
)
"""Words before a denied name that do not narrow it. "No fungal infection" denies only that."""
_OVER = re.compile(
    (
        r"\b(?:resol\w+|childhood|used to|outgr\w+|no longer|remission|cured|treated for|"
        r"recover\w+|as a child|"
        r"resection|removed)\b"
    ),
    re.IGNORECASE,
)
_STOPPED_HAVING = re.compile(r"\bstopped (?:having|getting)\s+(?:[\w-]+\s+)?$", re.IGNORECASE)
_NEVER = re.compile(
    r"\b(?:never|neither|nor|no|not|denies|denied|negative|neg|nil|without|has not|hasn't|nobody|"
    r"none)\b|(?<!\w)-ve\b",
    re.IGNORECASE,
)


def read_facts(text: str, *, link: Linker | None = None) -> tuple[PatientFact, ...]:
    """Return diagnoses and medications, with assertion and time, in the order of the text.

    >>> [(f.name, f.assertion) for f in read_facts("She denies chest pain. She takes warfarin.")]
    [('chest pain', 'absent'), ('warfarin', 'present')]
    """
    parts = sentences(text)
    told = mentions_told(text, link)
    facts = [fact for mention in told for fact in _fact(text, parts, mention)]
    denials = read_denials(text)
    facts = [fact for fact in facts if not is_family_denied(fact, denials)] + list(denials)
    facts = [kept for fact in facts if (kept := _patients(text, fact)) is not None]
    facts = last_word(text, _unique(facts))
    return tuple(sorted(facts, key=lambda fact: (fact.span.start, fact.name)))


def _patients(text: str, fact: PatientFact) -> PatientFact | None:
    """Return a fact as it concerns the patient; `None` when it is only another person's."""
    who = next((p for p in other_people(text) if p.start <= fact.span.start < p.end), None)
    if who is None or fact.assertion == "family":
        return fact if who is None or who.kin else None
    if not who.kin or fact.kind != "diagnosis" or fact.assertion not in ("present", "past"):
        return None
    return fact.model_copy(update={"assertion": "family", "days_ago": None})


def _fact(text: str, parts: tuple[Sentence, ...], told: Told) -> list[PatientFact]:
    sentence = sentence_at(parts, told.start)
    if not stated(text, sentence, told.start):
        return []
    if told.kind == "medication":
        return _medication(text, sentence, told)
    return _diagnosis(text, sentence, told)


def _diagnosis(text: str, sentence: Sentence, told: Told) -> list[PatientFact]:
    start = widened(text, told.start)
    assertion = _asserted(text, sentence, start, told)
    if assertion == "absent":
        start = _narrowed(text, sentence.start, start)
    if unsure(text, start, told.end, sentence.start) and assertion != "absent":
        return []
    if assertion in (None, "allergy") or is_doubtful(text, start, told.end):
        return []
    name, end = text[start : told.end], told.end
    state = _STATE_AFTER.match(text[told.end : told.end + 60])
    if state is not None and assertion == "present":
        name, end = f"{state['state']} {name}", told.end + state.end()
    if assertion == "family" and _NEVER.search(text[max(sentence.start, start - 60) : start]):
        return []
    ago = dated(text, sentence, start, told.end) if assertion in ("present", "past") else None
    span = span_of(text, start, end)
    return [
        PatientFact(
            name=name,
            kind="diagnosis",
            assertion=assertion,
            node=told.node,
            days_ago=ago,
            span=span,
        )
    ]


def _asserted(text: str, sentence: Sentence, start: int, told: Told) -> Assertion | None:
    """Return how a diagnosis is asserted, `None` for a procedure that is only planned."""
    assertion = assertion_of(text, start, told.end)
    name, before = text[told.start : told.end], text[sentence.start : start]
    procedure = procedure_state(name, before, text[told.end : sentence.end])
    if _REFUSED.search(before):
        return "absent"
    if procedure is not None and assertion in ("present", "past", "stopped"):
        return "past" if procedure == "past" else None
    if assertion == "stopped":
        assertion = "past" if _STOPPED_HAVING.search(before) else "present"
    own = piece_at(text, sentence, start, told.end)
    clause = text[own.start : own.end] + text[own.end : own.end + 12]
    if assertion == "past" and _chronic(name) and not _OVER.search(clause):
        assertion = "present"
    gone = assertion == "present" and given_up(name, text[told.end : told.end + 60])
    return "past" if gone else assertion


def _narrowed(text: str, first: int, start: int) -> int:
    """Return where a denied name begins, with a modifier that the tables do not know."""
    found = _MODIFIER.search(text, first, start)
    if found is None or _NO_MODIFIER.fullmatch(found["word"]):
        return start
    return found.start("word")


def _medication(text: str, sentence: Sentence, told: Told) -> list[PatientFact]:
    before, after = text[sentence.start : told.start], text[told.end : sentence.end]
    assertion = assertion_of(text, told.start, told.end)
    if assertion == "absent" and is_allergy_denied(text, told.start, told.end):
        return []
    if assertion == "absent" and not (TAKES.search(before) or _DENIES_USE.search(before)):
        return []
    if assertion == "absent" and _NO_CHOICE.search(before):
        return []
    if assertion not in ("allergy", "absent") and not taken(before, after):
        return []
    if assertion == "family":
        return []
    clause, assertion = (
        assertion,
        course(assertion, before, after, text[told.end : told.end + REST]),
    )
    ago = dated_dose(text, sentence, told.start, told.end)
    ended = formerly(before, dated=ago is not None) or UNTIL.match(after)
    if assertion == "present" and ended:
        assertion = "past"
    if assertion in ("present", "allergy", "absent"):
        ago = None
    lasts = assertion not in ("absent", "allergy") and clause in (assertion, "present")
    span = span_of(text, told.start, told.end)
    return [
        PatientFact(
            name=span.text,
            kind="medication",
            assertion=assertion,
            node=told.node,
            days_ago=ago,
            for_days=days_for(after) if lasts else None,
            span=span,
        )
    ]


def _chronic(name: str) -> bool:
    entry = entries("diagnosis").get(canonical(name, "diagnosis"))
    return entry is not None and entry.chronic


def _unique(facts: list[PatientFact]) -> list[PatientFact]:
    return list(dict.fromkeys(facts))
