"""Numbers beside an analyte that no rule reads: said rather than passed over in silence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrievers.numbers import NUMBER
from retrievers.patient_lab_words import DOSE, STRANGE, TARGET, names_pattern
from retrievers.patient_text import Sentence, sentence_at, sentences
from retrievers.unit_spellings import UNIT
from signatures.schema import PatientContext, Span

REACH = 40
"""Characters between an analyte and a number that may be its value."""
LONGEST = 60
"""Characters of a passage."""
_NUMBER = re.compile(rf"(?<![\w.,/])-?{NUMBER}")
_TIME = re.compile(
    r"\s*-?\s*(?:years?|yrs?|months?|weeks?|days?|hours?|minutes?|times|tablets?|doses?|"
    r"pack|st|nd|rd|th|x)\b|-[A-Za-z]|\s*mg\b(?!\s*/)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:types?|grade|stage|class|phase|factor|day|week|visit|since|in|after|for|every|"
    r"target|goal)\s+(?:of\s+)?$",
    re.IGNORECASE,
)
"""Before a number that is part of a name, a time or a target."""
_BEFORE = re.compile(rf"(?<![\w.,/-])(?P<number>{NUMBER})\s*(?:{UNIT})?\s+(?:of\s+|for\s+)?$")


def unread_passages(text: str, patient: PatientContext) -> tuple[Span, ...]:
    """Return the passages where an analyte stands beside a number that was not read.

    Args:
        text: what is told of the patient.
        patient: what was read from it.

    >>> [span.text for span in unread_passages("His eGFR [24] is low.", PatientContext())]
    ['eGFR [24]']
    >>> unread_passages("Potassium is checked every 3 months.", PatientContext())
    ()
    """
    found: dict[tuple[int, int], Span] = {}
    taken = [quantity.span for quantity in patient.quantities]
    taken += [fact.span for fact in patient.facts if fact.kind == "medication"]
    read = [*taken, *(fact.span for fact in patient.facts)]
    read += [] if patient.age is None else [patient.age.span]
    parts = sentences(text)
    names = list(names_pattern().finditer(text))
    for place, name in enumerate(names):
        if _covered(name.start(), taken):
            continue
        after = names[place + 1].start() if place + 1 < len(names) else len(text)
        ends = _beside(text, name, sentence_at(parts, name.start()), after, read)
        if ends is not None and not TARGET.search(text[max(0, ends[0] - 40) : ends[0]]):
            found.setdefault(ends, Span(start=ends[0], end=ends[1], text=text[ends[0] : ends[1]]))
    return tuple(found.values())


def passage(text: str) -> str:
    r"""Return a passage on one line, its middle left out where it is long.

    >>> passage("eGFR\n24"), len(passage("a" * 80))
    ('eGFR 24', 59)
    """
    line = " ".join(text.split())
    half = LONGEST // 2 - 2
    return line if len(line) <= LONGEST else f"{line[:half]} … {line[-half:]}"


def _beside(
    text: str, name: re.Match[str], sentence: Sentence, stop: int, read: Iterable[Span]
) -> tuple[int, int] | None:
    """Return where a name with the nearest number behind it, or just before it, stands."""
    end = min(sentence.end, stop, len(text))
    numbers = [
        number
        for number in _NUMBER.finditer(text, name.end(), end)
        if number.start() - name.end() <= REACH
    ]
    for number in numbers:
        if _covered(number.start(), read):
            return None
        if _a_value(text, number):
            return name.start(), _end(text, number.end())
    if numbers:
        return None
    start = max(sentence.start, name.start() - REACH)
    before = _BEFORE.search(text[start : name.start()])
    if before is None or _covered(start + before.start("number"), read):
        return None
    lead = text[max(0, start + before.start("number") - REACH) : start + before.start("number")]
    if _NAMED.search(lead):
        return None
    return start + before.start("number"), name.end()


def _a_value(text: str, number: re.Match[str]) -> bool:
    lead = text[max(0, number.start() - 12) : number.start()]
    if re.fullmatch(r"(?:19|20)\d\d", number.group()):
        return False
    if _TIME.match(text, number.end()) or DOSE.match(text, number.end()):
        return False
    return _NAMED.search(lead) is None


def _end(text: str, end: int) -> int:
    """Return where a number with what is written on or behind it as its unit ends."""
    for pattern in (rf"\s*(?:{UNIT})", STRANGE.pattern, r"\w+|[\])]"):
        found = re.compile(pattern).match(text, end)
        if found is not None:
            more = re.compile(r"[A-Za-z]*").match(text, found.end())
            return found.end() if more is None else more.end()
    return end


def _covered(place: int, spans: Iterable[Span]) -> bool:
    return any(span.start <= place < span.end for span in spans)
