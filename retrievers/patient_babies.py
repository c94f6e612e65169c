"""What a mother's history tells of her newborn or fetus: `delivers a 3.5 kg boy`.

Only where a woman is the patient: she stands before the child and does not come because of it.
"""

from __future__ import annotations

import re

_BABY = r"(?:newborn|neonate|infant|baby|f(?:o?e)?etus)"
_NOUN = rf"(?:{_BABY}|boy|girl|son|daughter|child)"
_WOMAN = re.compile(
    r"\b(?:wom[ae]n|lady|female|primi(?:gravida|para)|multi(?:gravida|para)|G\d\s?P\d\w*)\b|"
    r"\b\d{2}\s?F\b", re.IGNORECASE
)  # fmt: skip
_CHILD = re.compile(rf"\b(?:{_NOUN}|toddler|(?:month|week|day)s?[- ]old)\b", re.IGNORECASE)
_COMES_FOR_IT = re.compile(
    rf"\b(?:brings?|brought|carries|accompan\w+)\b[^.;]{{0,40}}\b{_NOUN}\b"
    rf"|\b{_NOUN}\s+(?:is|was)\s+(?:brought|seen)\b",
    re.IGNORECASE,
)
_BORN = re.compile(
    r"\b(?:delivers?|delivered|gives birth to|gave birth to|given birth to|bore|breast-?feeding|"
    r"breast-?feeds|nursing)\s+(?:an?|her|the)\s+"
    rf"(?P<before>(?:[\w.,-]+\s+){{0,6}}?)(?P<noun>{_NOUN})\b"
    r"(?P<after>\s+(?:weighing|with|who|whose)\b[^;]{0,60}?(?=[,;]|\.(?!\d)|\bshe\b|\n|$))?",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"(?:^|(?<=[.;:,(]\s)|(?<=\band\s)|(?<=\bbut\s)|(?<=\bwhile\s)|(?<=\n))"
    r"(?:(?:the|her|a)\s+)?(?:(?:male|female|first|second|healthy)\s+)?"
    rf"(?:(?P<subject>{_BABY})(?=(?:'s)?\s)|f(?:o?e)?etal\b|FHR\b|birth\s?weight\b)(?!\s+(?:formula|loss|demise))",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[.;]\s+(?:he|it|the\s+(?:boy|girl|child)|his)\b", re.IGNORECASE)
_STOPS = re.compile(
    r"[.!?](?=\s|$)|[;\n]|\b(?:she|mother|maternal|the\s+(?:patient|woman)|"
    r"her(?=\s+(?:blood pressure|own|pulse|heart rate|BP|temperature|weight)))\b",
    re.IGNORECASE,
)


def babies(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the history of a woman tells of her newborn or fetus.

    >>> text = "A woman delivers a 3.5 kg boy. The fetus had a rate of 150/min, her BP is 90/50."
    >>> [text[start:end] for start, end in babies(text)]
    ['3.5 kg ', 'The fetus had a rate of 150/min, ']
    >>> babies("A woman brings her infant. The baby weighs 3 kg.")
    ()
    """
    woman, child = _WOMAN.search(text), _CHILD.search(text)
    if woman is None or (child is not None and child.start() < woman.start()):
        return ()
    if _COMES_FOR_IT.search(text):
        return ()
    found = []
    for born in _BORN.finditer(text):
        found += [born.span("before"), born.span("after")]
        follows = _GOES_ON.match(text, _stop(text, born.end()))
        if follows is not None:
            found.append((follows.start() + 1, _stop(text, follows.end())))
    for told in _TOLD.finditer(text):
        end = _stop(text, told.end())
        comma = -1 if told["subject"] else text.find(", ", told.end(), end)
        found.append((told.start(), end if comma < 0 else comma))
    apart: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if 0 <= start < end and (not apart or apart[-1][1] <= start):
            apart.append((start, end))
    return tuple(apart)


def _stop(text: str, start: int) -> int:
    found = _STOPS.search(text, start)
    return len(text) if found is None else found.start()
