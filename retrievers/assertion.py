"""How a text asserts a mention: present, absent, past, family, allergy or stopped.

A cue reaches forward, or back, inside its clause (`assertion_scope`), so "no evidence of embolism;
she takes metformin" and "without diabetes presents with fever" negate what they should and no more.

"History of hypertension" is present: a diagnosis that was made once holds unless the text says that
it is over ("resolved", "two years ago", "in remission").
"""

from __future__ import annotations

import re

from retrievers.assertion_cues import (
    ABSENT_AFTER,
    ABSENT_BEFORE,
    ALLERGY,
    ALLERGY_AFTER,
    BACK_TO_PATIENT,
    FAMILY,
    FAMILY_AFTER,
    NOT_A_NEGATION,
    ONSET,
    PAST,
    PAST_AFTER,
    STOPPED,
    STOPPED_AFTER,
)
from retrievers.assertion_scope import clause_before, sentence_before
from signatures.schema import Assertion

AFTER = 90
"""Characters after a mention that are searched for a cue."""

GAP = 25
"""Characters that may lie between a mention and "was ruled out"."""

_AND = re.compile(r"\b(?:and|or|but|so|with)\b", re.IGNORECASE)
_ONE = re.compile(r"(?:was|is|has)\b", re.IGNORECASE)


def assertion_of(text: str, start: int, end: int) -> Assertion:
    """Say how `text` asserts what stands at `start` to `end`.

    >>> def of(text, word):
    ...     return assertion_of(text, text.index(word), text.index(word) + len(word))
    >>> of("She denies chest pain and has asthma.", "chest pain")
    'absent'
    >>> of("She denies chest pain and has asthma.", "asthma")
    'present'
    >>> of("He has neither gout nor asthma, so aspirin is given.", "aspirin")
    'present'
    >>> of("His father had schizophrenia.", "schizophrenia")
    'family'
    >>> of("She is allergic to penicillin.", "penicillin")
    'allergy'
    >>> of("Warfarin was stopped last month.", "Warfarin")
    'stopped'
    >>> of("He had a stroke three years ago.", "stroke")
    'past'
    """
    sentence = sentence_before(text, start, end)
    clause = clause_before(text, start, end)
    after = text[end : end + AFTER]
    if ALLERGY.search(clause) or ALLERGY_AFTER.search(after):
        return "allergy"
    if _in_family(sentence) or FAMILY_AFTER.search(after):
        return "family"
    if _stopped(clause) or STOPPED_AFTER.search(after):
        return "stopped"
    if _negated(clause) or _negated_after(after):
        return "absent"
    if PAST.search(clause) or _ended(sentence, after):
        return "past"
    return "present"


def _negated(clause: str) -> bool:
    return ABSENT_BEFORE.search(NOT_A_NEGATION.sub(" ", clause)) is not None


def _negated_after(after: str) -> bool:
    """Say whether "was ruled out" follows; in "asthma, and flu was ruled out" it is the flu's."""
    cue = ABSENT_AFTER.search(after)
    if cue is None or cue.start() > GAP or re.search(r"[.;,!?]", after[: cue.start()]):
        return False
    return not (_AND.search(after[: cue.start()]) and _ONE.match(cue.group()))


def _stopped(clause: str) -> bool:
    """Say whether the clause stops what it names; in "switched from A to B" it is A."""
    cue = STOPPED.search(clause)
    switched = cue is not None and cue.group().casefold().endswith("from")
    return cue is not None and not (switched and re.search(r"\bto\b", clause[cue.end() :]))


def _in_family(sentence: str) -> bool:
    cues = list(FAMILY.finditer(sentence))
    return bool(cues) and BACK_TO_PATIENT.search(sentence, cues[-1].end()) is None


def _ended(sentence: str, after: str) -> bool:
    remission = re.search(r"remission|cured", after[:40], re.IGNORECASE) is not None
    ends = PAST_AFTER.search(after)
    if ends is not None and "(" in ends.group() and ")" not in ends.group():
        opening = ends.group().index("(")
        if re.search(r"\d[^()]*\d|\bwas\b", ends.group()[opening:]):
            return False
    return ends is not None and (remission or ONSET.search(sentence + after) is None)
