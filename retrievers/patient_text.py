"""The text side of reading a patient: offsets kept, sentences, questions, time words."""

from __future__ import annotations

import re
from typing import NamedTuple

from retrievers.numbers import NUMBER, SPELLED, to_number
from signatures.schema import Span

_SAME_LENGTH = str.maketrans({
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2011": "-", "\u2010": "-", "\u2019": "'",
    "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2009": " ", "\u202f": " ",
    "\uff1c": "<", "\uff1e": ">", "\u2a7e": "≥", "\u2a7d": "≤", "\u2267": "≥", "\u2266": "≤",
    "\n": "\n", "\t": " ",
})  # fmt: skip
"""One character for one: offsets in the plain text are offsets in the original."""

_END = re.compile(
    r"(?<![A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bvs)(?<!\bapprox)[.!?](?=\s|$)|"
    r"\n\s*\n|\n(?=[A-Z])"
)
_QUESTION = re.compile(r"\b(?:which|what|how|who|why|where|when)\b", re.IGNORECASE)
_PERSON = re.compile(
    r"\b(?:patients?|(?:wo)?m[ae]n|boys?|girls?|child|infant|neonate|adult|person|individual|"
    r"year-old|month-old|week-old|day-old|male|female|someone|she|he|his|her|him)\b", re.IGNORECASE
)  # fmt: skip

DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
"""Days per unit; months and years at their Gregorian mean."""
_COUNT = rf"(?:{NUMBER}|{SPELLED}|an?|a few|several)"
AGO = re.compile(
    rf"\b(?P<count>{_COUNT})\s+(?:and a half\s+)?(?P<unit>minute|hour|day|week|month|year)s?"
    r"\s+(?:ago|earlier|before|previously|prior)\b"
    r"|\b(?P<word>yesterday|today|this morning|last night|last week|last month|last year)\b",
    re.IGNORECASE,
)
FOR = re.compile(
    rf"^(?P<between>[^.;]{{0,40}}?)\bfor\s+(?:the\s+(?:past|last|previous)\s+)?(?:about\s+|approximately\s+)?"
    rf"(?P<count>{NUMBER}|{SPELLED}|an?)\s+(?P<unit>day|week|month|year)s?\b",
    re.IGNORECASE,
)
"""`for the past 6 months`, after what has lasted so long."""
_IN_BRACKETS = re.compile(
    r"[\s,]*(?:(?:diagnosed|treated|resolved|onset|started|began|stopped|last|about|some|ended|"
    r"approximately|in|over|occurred|surgery|repaired|removed)\s+){0,3}",
    re.IGNORECASE,
)
"""What may stand between a bracket and a time that is told of the name before it."""
_OTHER_SUBJECT = re.compile(r"\b(?:and|but|who|has|had|have|with|which|then)\b", re.IGNORECASE)
WORD_DAYS = {
    "today": 0.0,
    "this morning": 0.0,
    "last night": 1.0,
    "yesterday": 1.0,
    "last week": 7.0,
    "last month": 30.44,
    "last year": 365.25,
}


class Sentence(NamedTuple):
    """A sentence by its place, and where in it the patient's facts may stand."""

    start: int
    end: int
    asks: int
    """Where its question begins; `end` when it asks nothing."""


def plain(text: str) -> str:
    """Return the text in one spelling of dashes, quotes and spaces, offsets unchanged.

    >>> plain("5\u20136 mg\u00a0now"), len(plain("a\u2019b")) == 3
    ('5-6 mg now', True)
    """
    return text.translate(_SAME_LENGTH)


def span_of(text: str, start: int, end: int) -> Span:
    """Return the span with its text.

    >>> span_of("eGFR of 24", 0, 4).text
    'eGFR'
    """
    return Span(start=start, end=end, text=text[start:end])


def sentences(text: str) -> tuple[Sentence, ...]:
    """Split a text into sentences and mark what is only asked.

    >>> [text[a:b] for text in ["He has gout. Which drug?"] for a, b, _ in sentences(text)]
    ['He has gout.', ' Which drug?']
    """
    ends = [*(m.end() for m in _END.finditer(text)), len(text)]
    found, start = [], 0
    for end in ends:
        if end > start:
            found.append(Sentence(start, end, _asks(text, start, end)))
        start = max(start, end)
    return tuple(found)


def sentence_at(found: tuple[Sentence, ...], place: int) -> Sentence:
    """Return the sentence that holds a place of the text."""
    return next((s for s in found if s.start <= place < s.end), found[-1])


def stated(text: str, sentence: Sentence, place: int) -> bool:
    """Say whether a place is told of the patient rather than asked.

    >>> text = "Which drug suits a man with gout?"
    >>> stated(text, sentences(text)[0], text.index("gout"))
    True
    >>> text = "Which drug treats gout?"
    >>> stated(text, sentences(text)[0], text.index("gout"))
    False
    """
    if place < sentence.asks:
        return True
    before = text[sentence.asks : place]
    return (
        _PERSON.search(before) is not None
        and re.search(
            r"\b(?:with|who|has|have|having|on|taking|takes|his|her|their|is|and|but|whose)\b",
            before,
        )
        is not None
    )


def days_ago(text: str, sentence: Sentence, start: int, end: int) -> float | None:
    """Return how long ago the thing at `start` to `end` happened, by the nearest time word.

    >>> text = "He took ciprofloxacin 5 days ago."
    >>> days_ago(text, sentences(text)[0], 8, 21)
    5.0
    """
    times = list(AGO.finditer(text, sentence.start, sentence.end))
    near = [(_gap(m, start, end), m) for m in times if not _far(text, m, start, end)]
    if not near:
        return None
    return days_of(min(near, key=lambda pair: pair[0])[1])


def days_for(after: str) -> float | None:
    """Return how long something has lasted, from the text behind it.

    >>> days_for(" for 2 weeks."), days_for(" and has had a cough for 2 weeks")
    (14.0, None)
    """
    found = FOR.match(after)
    if found is None or _OTHER_SUBJECT.search(found["between"]):
        return None
    count = found["count"].lower()
    number = 1.0 if count in ("a", "an") else to_number(count)
    return number * DAYS[found["unit"].lower()]


def days_of(found: re.Match[str]) -> float | None:
    """Return the days of a matched `AGO`; "several" has none."""
    if found.group("word"):
        return WORD_DAYS[found.group("word").lower()]
    count = found.group("count").lower()
    if count in ("several", "a few"):
        return None
    number = 1.0 if count in ("a", "an") else to_number(count)
    return number * DAYS[found.group("unit").lower()]


def bracketed(text: str, time: int, end: int) -> bool:
    """Say whether a time stands in brackets that tell of something else than what ends at `end`.

    >>> text = "HTN, stroke (3 years ago), CKD (eGFR 45 two years ago)"
    >>> bracketed(text, 13, 3), bracketed(text, 13, 11), bracketed(text, 40, 30)
    (True, False, True)
    """
    opens = text.rfind("(", 0, time)
    if opens < 0 or ")" in text[opens:time] or end > opens and ")" not in text[opens:end]:
        return False
    if end > opens or re.search(r"[,;.)]", text[end:opens]) or len(text[end:opens].split()) > 3:
        return True
    return _IN_BRACKETS.fullmatch(text, opens + 1, time) is None


def _asks(text: str, start: int, end: int) -> int:
    if not text[start:end].rstrip().endswith("?"):
        return end
    found = _QUESTION.search(text, start, end)
    return start if found is None else found.start()


def _gap(found: re.Match[str], start: int, end: int) -> int:
    return found.start() - end if found.start() >= end else start - found.end()


def _far(text: str, found: re.Match[str], start: int, end: int) -> bool:
    between = text[end : found.start()] if found.start() >= end else text[found.end() : start]
    return (
        len(between) > 70
        or bracketed(text, found.start(), end)
        or re.search(r"[;.]\s|\b(?:and|but|now)\b.*\b(?:is|was|has|had)\b", between) is not None
    )
