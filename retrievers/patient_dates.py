"""Which time a text gives to which fact: "hypertension, a stroke 3 years ago" dates the stroke."""

from __future__ import annotations

import re

from retrievers.patient_text import AGO, Sentence, days_ago

_COMMA = re.compile(r",\s")
_BRACKETS = re.compile(r"\([^()]*\)")
_LEADING = (
    r"(?:(?:about|some|approximately|over|nearly|almost|more than|around|now|since|which|that|has|"
    r"had|have|was|were|occurred|began|started|stopped|diagnosed|treated|resolved|completely|fully|"
    r"last|taken|on|it)\s+){0,4}"
)
_LATER = re.compile(rf",\s+{_LEADING}(?:{AGO.pattern})", re.IGNORECASE)
"""`a stroke, about 3 years ago`: the time belongs to the piece before the comma."""
_FIRST = re.compile(
    rf"\s*(?:(?:and|about|some|approximately)\s+)*(?:{AGO.pattern})\s*,\s*$", re.IGNORECASE
)
"""`Three years ago, he had a stroke`."""
_LISTED = re.compile(
    rf"^(?:,\s+(?:and\s+)?[\w-]+){{1,4}}(?:,?\s+and\s+[\w-]+)?\s+(?:{AGO.pattern})", re.IGNORECASE
)
"""`took amoxicillin, ciprofloxacin and metronidazole 5 days ago`."""
UNTIL = re.compile(
    r"^[^.;,]{0,30}\b(?:until|till|up to)\s+(?:about\s+)?(?:(?:19|20)\d\d\b|"
    rf"(?!.{{0,20}}\b(?:before|prior)\b)(?:{AGO.pattern}))",
    re.IGNORECASE,
)
"""`on sacubitril until yesterday`."""


def piece_at(text: str, sentence: Sentence, start: int, end: int) -> Sentence:
    """Return the part of a sentence between the commas around a mention, with its own time.

    >>> text = "He has gout, a stroke, about 3 years ago, and asthma."
    >>> a, b, _ = piece_at(text, Sentence(0, len(text), len(text)), 15, 21)
    >>> text[a:b]
    'a stroke, about 3 years ago'
    """
    flat = _BRACKETS.sub(lambda found: "x" * len(found.group()), text)
    commas = list(_COMMA.finditer(flat, sentence.start, sentence.end))
    first = sentence.start
    for comma in commas:
        if comma.end() <= start and not _FIRST.match(flat, first, comma.end()):
            first = comma.end()
    last = sentence.end
    for comma in reversed(commas):
        if comma.start() >= end and not _LATER.match(flat, comma.start(), sentence.end):
            last = comma.start()
    return Sentence(first, last, sentence.asks)


def dated(text: str, sentence: Sentence, start: int, end: int) -> float | None:
    """Return how many days ago a mention's own piece says it was.

    >>> text = "Hypertension, a stroke 2 days ago."
    >>> whole = Sentence(0, len(text), len(text))
    >>> dated(text, whole, 0, 12), dated(text, whole, 16, 22)
    (None, 2.0)
    """
    return days_ago(text, piece_at(text, sentence, start, end), start, end)


def dated_dose(text: str, sentence: Sentence, start: int, end: int) -> float | None:
    """Return how many days ago a drug was taken; a time may also stand at either end of a list.

    >>> text = "Took amoxicillin, rifampin and insulin 5 days ago."
    >>> dated_dose(text, Sentence(0, len(text), len(text)), 5, 16)
    5.0
    """
    own = dated(text, sentence, start, end)
    if own is not None:
        return own
    if _LISTED.match(text[end : sentence.end]):
        return days_ago(text, sentence, start, end)
    return days_ago(text, sentence._replace(end=end), start, end)
