"""Whether a text says that the patient takes a drug, takes it no more, or takes it again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrievers.patient_text import sentence_at, sentences
from retrievers.vocabulary import canonical
from signatures.schema import Assertion, PatientFact

TAKES = re.compile(
    r"\b(?:tak(?:es?|ing|en)|took|on|us(?:es?|ing|ed)|receiv\w+|medications?|medicines?|"
    r"meds|treated|"
    r"treatment|treats|therapy|managed with|controlled (?:with|by|on)|prescribed|"
    r"start(?:ed|s)?|begun|began|"
    r"given|administered|course of|maintained|placed on|regimen|includes?|injects?|stopp(?:ed|ing)|"
    r"discontinu\w+|quit|complet\w+|finish\w+|doses? of|infusion|continu\w+|need(?:s|ed)?|had|"
    r"added|re-?started|resumed|resumes|(?:switched|changed) (?:over )?(?:from|to)|"
    r"held(?=\s*:)|on hold|off(?=\s+$)|d/c'?d(?=\s+$)|"
    r"held(?=\s+(?:(?:his|her|their|the|home)\s+)?$)|"
    r"DHx|DH(?=\s*[:-])|drug (?:history|hx)(?=\s*[:-])|"
    r"drinks|applied|bought|swallow\w*|overdose|ingest\w*|receives)\b", re.IGNORECASE
)  # fmt: skip
_TAKEN_AFTER = re.compile(
    r"^[\s,]*(?:\([^)]*\)\s*)?(?:\d+(?:[.,]\d+)?\s*(?:mg|g|mcg|µg|units?)\b|therapy|"
    r"treatment|use|alone|"
    r"daily|twice|once|every|at night|(?:was|were|is|has been|had been)\s+(?:then\s+|"
    r"also\s+)?(?:start|given|re-?start|resum|held|"
    r"prescrib|initiat|stopp|discontinu|administ|added|begun|continued|taken|withdrawn)|"
    r"treats (?:his|her)|"
    r"to prevent|for (?:his|her|the|a|an|\w+))", re.IGNORECASE
)  # fmt: skip
_LATER = r"(?:start|begin|switch|chang|convert|resum|restart|re-start|stop|discontinu|hold|held)\w*"
_NOT_TAKEN = re.compile(
    r"\b(?:consider\w*|plan(?:s|ned|ning)?|would like|wants?|asks? (?:about|for)|"
    r"request\w*|recommend\w*|"
    r"should|could|might|before (?:starting|beginning)|prior to (?:starting|beginning)|"
    r"candidate for|"
    r"eligible for|instead of|passes? over|passed over|ruled out|rather than|propos\w*|"
    r"suggest\w*|offer\w*|"
    r"(?:refus\w*|declin\w*)(?:\s+to(?:\s+be)?)?|"
    r"(?:reluctant|unwilling|hesitant|afraid|not willing|not keen)\s+to(?:\s+be)?|"
    rf"(?:should|could|might|must|will|would|may|to)\s+(?:be\s+)?{_LATER}|"
    r"effect of|must not|cannot take|may be|is to)\b",
    re.IGNORECASE,
)
_PASSED_AFTER = re.compile(
    r"^[^.;]{0,20}\b(?:is|was|are|were)\s+(?:passed over|avoided|not an option|"
    r"considered|contraindicated|"
    r"ruled out|excluded|rejected|declined|refused|withheld)\b", re.IGNORECASE
)  # fmt: skip
ENDS = (
    r"(?=\s*(?:[.,;:)\]!?/\n]|-|$)|\s+(?:\(|(?:on|in|at|by|for|due|because|after|before|since|pre|"
    r"peri|post|prior|last|yesterday|today|this|until|pending|when|and|but|then|one|two|three|four|"
    r"five|six|several|an?|years?|months?|weeks?|secondary|given|during|following|temporarily|"
    r"permanently|early|recently|now|as|with|\d+)\b))"
)
"""What may follow a verb of stopping that has no object: "warfarin stopped for surgery"."""
_DOSE = (
    r"(?:\s+(?:\d[\w./]*|mg|g|mcg|µg|units?|od|bd|bid|tds|tid|qds|daily|nocte|weekly|prn)\b){0,4}"
)
STOPPED_RIGHT_AFTER = re.compile(
    rf"^{_DOSE}(?:\s*[(\[:-]+>?\s*|\s*→\s*|\s+|,\s+(?=stopped|discontinued))"
    r"(?:(?:now|recently|since|later|currently|temporarily)\s+)?"
    rf"(?:stopped|held|on hold|d/c'?d|dc'd|discontinued){ENDS}",
    re.IGNORECASE,
)
"""`warfarin (held)`, `metformin 500 mg - stopped`."""
_OWN_TAIL = (
    r"^(?:(?!\b(?:tak(?:es?|ing)|took|us(?:es?|ed|ing)|has|had|was|is|now|on|start\w*|tried|smok\w*|"
    r"drinks?)\b)[^.;]){0,40}?\b(?:but|and|though|although)\s+"
    r"(?:(?:he|she|they|it|has|have|is|was|now|since|then|later)\s+){0,3}"
)
_GIVEN_UP = re.compile(
    rf"{_OWN_TAIL}(?:no longer(?:\s+(?:does|do|did|takes?|uses?|taking|using|needs?))?"
    rf"|stopped(?:\s+(?:taking|using))?|quit|gave up)(?:\s+(?:it|them|this))?{ENDS}",
    re.IGNORECASE,
)
"""`used nitroglycerin years ago but no longer does`."""
_NEVER_TAKEN = re.compile(
    rf"{_OWN_TAIL}never\s+(?:took|taken|taking|takes|start(?:ed|s)?|us(?:ed|es)|filled|began|begun|"
    rf"picked|got|received)(?:\s+(?:it|them|this|any|up))*{ENDS}",
    re.IGNORECASE,
)
"""`prescribed metformin but never took it`."""
_AGAIN = re.compile(
    r"^[^.;]{0,80}?(?:[,.;]|\b(?:and|but|then)\b)\s*"
    r"(?:(?:it|this|was|were|has|had|been|then|later|subsequently|since|soon|now|is|and|but|he|"
    r"she|they|again|recently|safely|successfully)\s+){0,5}"
    r"(?:(?:re-?start|resum|re-?initiat|re-?introduc|re-?commenc|reinstat)ed|back on (?:it|this))"
    r"(?=\s*(?:[.,;)]|$)|\s+(?:it|them|this|after|on|in|at|last|once|when|post\w*|later|today|"
    r"yesterday|by|following|since|with|for|because|one|two|three|several|an?|the (?:next|same|"
    r"following)|\d+)\b)",
    re.IGNORECASE,
)
"""`was held before surgery and resumed after it`."""
_BEGUN = re.compile(
    r"\b(?:(?:switched|changed)\s+(?:over\s+)?(?:from\b[^.;]{1,60}?\s)?to|re-?started|resumed)\s+"
    r"(?:(?:on|her|his|their|oral|daily)\s+){0,2}$",
    re.IGNORECASE,
)
"""`switched from warfarin to apixaban 2 months ago`: the time is that of a beginning."""
_FINISHED = re.compile(
    r"\b(?:complet\w+|finish\w+|took|had been taking|was taking|used to take)\b", re.IGNORECASE
)
_FORMERLY = re.compile(
    r"\b(?:(?:previously|formerly|used to|in the past)\s+(?:tak(?:e|en)|took|used?|received?|"
    r"been on|treated with)|(?:was|were|used to be)\s+(?:\w+ly\s+)?on)\b"
    r"(?:(?!\b(?:now|current(?:ly)?|takes|taking|is|but|then|on|start\w*|switch\w*|chang\w*|"
    r"replac\w*|add(?:s|ed)|given|prescribed|treated|receiv\w*|resum\w*|re-?start\w*)\b)[^.;])*$",
    re.IGNORECASE,
)
_ANOTHER_TIME = re.compile(
    r"\b(?:(?:19|20)\d\d|previous\w*|earlier|once|history|ago|past|infusion|drip|IV|intravenous|"
    r"bolus|topical|cream|drops)\b",
    re.IGNORECASE,
)


def taken(before: str, after: str) -> bool:
    """Say whether a drug between two texts is, or was, taken rather than spoken of.

    >>> taken("He takes ", ""), taken("", " (held)"), taken("He is reluctant to take ", "")
    (True, True, False)
    """
    if _PASSED_AFTER.match(after) or _NEVER_TAKEN.match(after):
        return False
    cues = [m.end() for m in TAKES.finditer(before)]
    last = cues[-1] if cues else 0
    if any(m.end() > last - 12 for m in _NOT_TAKEN.finditer(before)):
        return False
    return bool(cues or _TAKEN_AFTER.match(after) or STOPPED_RIGHT_AFTER.match(after))


def course(assertion: Assertion, before: str, after: str, rest: str) -> Assertion:
    """Return how a drug is asserted when what stands beside it ends it, or begins it again.

    Args:
        assertion: as its clause asserts it.
        before: its sentence up to it.
        after: its sentence behind it.
        rest: the text behind it, over the end of the sentence.

    >>> after = ", later resumed."
    >>> course("present", "", " (held).", " (held)."), course("stopped", "", after, after)
    ('stopped', 'present')
    """
    if assertion == "past" and _BEGUN.search(before):
        assertion = "present"
    if STOPPED_RIGHT_AFTER.match(after) and assertion in ("present", "past"):
        assertion = "stopped"
    if assertion == "present" and _GIVEN_UP.match(after):
        assertion = "stopped"
    return "present" if assertion == "stopped" and _AGAIN.match(rest) else assertion


def formerly(before: str, *, dated: bool) -> bool:
    """Say whether what stands before a drug tells of a time that is over.

    >>> formerly("Was on ", dated=False), formerly("Was on aspirin, is now on ", dated=False)
    (True, False)
    """
    return bool((dated and _FINISHED.search(before)) or _FORMERLY.search(before))


def last_word(text: str, facts: Iterable[PatientFact]) -> list[PatientFact]:
    """Leave out that a drug is taken where the text says later that it was stopped.

    A stop that is told of another time, or of another form of the drug, takes nothing away.
    """
    facts, parts = list(facts), sentences(text)
    stops: dict[str, int] = {}
    for fact in facts:
        if fact.kind == "medication" and fact.assertion == "stopped" and fact.days_ago is None:
            sentence = sentence_at(parts, fact.span.start)
            if not _ANOTHER_TIME.search(text[sentence.start : sentence.end]):
                stops[canonical(fact.name, "medication")] = fact.span.start
    return [
        fact
        for fact in facts
        if not (
            fact.kind == "medication"
            and fact.assertion == "present"
            and fact.span.start < stops.get(canonical(fact.name, "medication"), -1)
        )
    ]
