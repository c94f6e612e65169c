"""How a text asserts a mention: present, absent, past, family, allergy or stopped.

A cue reaches forward, or back, inside its clause (`assertion_scope`), so "no evidence of embolism;
she takes metformin" and "without diabetes presents with fever" negate what they should and no more.

"History of hypertension" is present: a diagnosis that was made once holds unless the text says that
it is over ("resolved", "two years ago", "in remission").
"""

from __future__ import annotations

import re

from retrievers.assertion_after import doubted, negated_right_after
from retrievers.assertion_cues import (
    ABSENT_AFTER,
    ABSENT_BEFORE,
    ALLERGY,
    ALLERGY_AFTER,
    BACK_TO_PATIENT,
    FAMILY,
    FAMILY_AFTER,
    FAMILY_DENIED,
    NO_FAMILY,
    NOT_A_NEGATION,
    NOT_STOPPED,
    ONSET,
    PAST,
    PAST_AFTER,
    STOPPED,
    STOPPED_AFTER,
)
from retrievers.assertion_pieces import has_it_still, negates_other, own_piece, weak_tail
from retrievers.assertion_scope import clause_before, sentence_before
from signatures.schema import Assertion

AFTER = 90
"""Characters after a mention that are searched for a cue."""

GAP = 25
"""Characters that may lie between a mention and "was ruled out"."""

_NO_ALLERGY = re.compile(
    r"\b(?:no|not|without|denies|denied|denying|never)\s+(?:(?:an?|any|known|have|has|had|been|drug|"
    r"history|of)\s+)*$",
    re.IGNORECASE,
)
_UNLIKELY = re.compile(r"^\s+(?:(?:is|was|were)\s+)?unlikely\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except|other than|apart from|besides|but|save)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;!?](?:\s|$)|\n")
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
    clause, after, rest = _around(text, start, end)
    if _of_allergy(clause, after):
        return "absent" if _allergy_denied(clause, after, rest) else "allergy"
    if FAMILY_DENIED.search(sentence):
        sentence = own_piece(sentence, text[start:end], after)
    if _in_family(sentence) or FAMILY_AFTER.search(after):
        return "family"
    if _stopped(clause) or STOPPED_AFTER.search(after):
        return "stopped"
    if _negated(clause, after) or _negated_after(after) or negated_right_after(rest):
        return "absent"
    if PAST.search(clause) or _ended(sentence, after):
        return "past"
    return "present"


def is_allergy_denied(text: str, start: int, end: int) -> bool:
    """Say whether an allergy to what stands at `start` to `end` is denied.

    >>> text = "aspirin allergy ruled out; takes warfarin"
    >>> is_allergy_denied(text, 0, 7), is_allergy_denied(text, 33, 41)
    (True, False)
    """
    clause, after, rest = _around(text, start, end)
    return _of_allergy(clause, after) and _allergy_denied(clause, after, rest)


def is_doubtful(text: str, start: int, end: int) -> bool:
    """Say whether what stands at `start` to `end` is left open, neither stated nor denied.

    >>> text = "cannot rule out asthma; no gout attacks; no recent gout attacks"
    >>> is_doubtful(text, 16, 22), is_doubtful(text, 27, 31), is_doubtful(text, 51, 55)
    (True, True, False)
    """
    clause, after, rest = _around(text, start, end)
    whole = _SENTENCE.split(text[max(0, start - AFTER) : start])[-1]
    if negated_right_after(rest):
        return _UNLIKELY.match(rest) is not None
    if doubted(whole, rest) or doubted(clause, rest):
        return True
    if not _denied(clause):
        return False
    return weak_tail(clause, after) or (negates_other(clause, after) and not has_it_still(clause))


def _around(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Return the mention's clause before it, its sentence after it, and what follows that too."""
    rest = text[end : end + AFTER]
    after = _SENTENCE.split(rest, maxsplit=1)[0]
    return own_piece(clause_before(text, start, end), text[start:end], after), after, rest


def _of_allergy(clause: str, after: str) -> bool:
    return ALLERGY.search(clause) is not None or ALLERGY_AFTER.search(after) is not None


def _allergy_denied(clause: str, after: str, rest: str) -> bool:
    cue = ALLERGY.search(clause)
    if negated_right_after(rest):
        return True
    return _NO_ALLERGY.search(clause if cue is None else clause[: cue.start()]) is not None and (
        cue is None or _EXCEPT.search(cue.group()) is None
    )


def _negated(clause: str, after: str) -> bool:
    return _denied(clause) and not negates_other(clause, after)


def _denied(clause: str) -> bool:
    return ABSENT_BEFORE.search(NOT_A_NEGATION.sub(" ", clause)) is not None


def _negated_after(after: str) -> bool:
    """Say whether "was ruled out" follows; in "asthma, and flu was ruled out" it is the flu's."""
    cue = ABSENT_AFTER.search(after)
    if cue is None or cue.start() > GAP or re.search(r"[.;,!?]", after[: cue.start()]):
        return False
    return not (_AND.search(after[: cue.start()]) and _ONE.match(cue.group()))


def _stopped(clause: str) -> bool:
    """Say whether the clause stops what it names; in "switched from A to B" it is A."""
    clause = NOT_STOPPED.sub(" ", clause)
    cue = STOPPED.search(clause)
    switched = cue is not None and cue.group().casefold().endswith("from")
    return cue is not None and not (switched and re.search(r"\bto\b", clause[cue.end() :]))


def _in_family(sentence: str) -> bool:
    sentence = NO_FAMILY.sub(" ", sentence)
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
