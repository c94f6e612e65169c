"""Whether "no other past medical history" closes a list that was read to its end.

"CCF and a PPM in situ, no other past medical history" denies what was not said before it: where a
"CCF and a PPM in situ, no other past medical history" denies what was not said before it: where a
"""

from __future__ import annotations

import re

from retrievers.patient_lab_words import names_pattern
from retrievers.patient_mentions import find_mentions

REACH = 120
"""Characters behind a denial that may except something from it."""
_SAVE = re.compile(r"\b(?:other|otherwise)\b", re.IGNORECASE)
_EXCEPT = re.compile(
    r"^[^.;\n]{0,20}?\b(?:except|apart from|aside from|other than|besides|but for|save)\b"
    r"(?P<what>[^.;\n]*)",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"\b(?=[A-Za-z\d]*[A-Z][A-Za-z\d]*[A-Z])[A-Za-z\d]{2,}\b")
_CHART = frozenset(
    ("PMH", "PMHX", "HX", "FH", "FHX", "SH", "SHX", "HPI", "ED", "GP", "MR", "BP", "HR", "RR")
)
_HAS = re.compile(
    r"\b(?:with|has|had|have|history of|hx of|h/o|PMHx?:?)\s+(?P<what>[^,.;:\n]{2,80})",
    re.IGNORECASE,
)
_PARTS = re.compile(r",|\band\b")


def closes(text: str, start: int, end: int) -> bool:
    """Say whether a general denial at `start` to `end` can be believed.

    >>> text = "A man with a PPM, no other medical problems"
    >>> closes(text, text.index("no other"), len(text))
    False
    >>> text = "A man with asthma, no other medical problems"
    >>> closes(text, text.index("no other"), len(text))
    True
    """
    besides = _EXCEPT.match(text[end : end + REACH])
    if besides is not None and not _all_read(f"with {besides['what'].strip()}"):
        return False
    return _SAVE.search(text, start, end) is None or _all_read(text[:start])


def _all_read(before: str) -> bool:
    """Say whether every abbreviation and every thing that the patient has is known."""
    known = [(mention.start, mention.end) for mention in find_mentions(before)]
    known += [name.span() for name in names_pattern().finditer(before)]
    for word in _ABBREVIATION.finditer(before):
        if word.group().upper() not in _CHART and not _inside(known, *word.span()):
            return False
    for told in _HAS.finditer(before):
        place = told.start("what")
        for part in _PARTS.split(told["what"]):
            if part.strip() and not _inside(known, place, place + len(part)):
                return False
            place += len(part) + (3 if before[place + len(part) :].startswith("and") else 1)
    return True


def _inside(known: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(first < end and start < last for first, last in known)
