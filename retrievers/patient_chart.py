"""Age and sex as the head of a chart gives them: `F/67`, `Male, 67 years`, `Mrs Jones, 68`."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Sex = Literal["female", "male"]
_NUMBER = r"(?P<number>\d{1,3})"
_WORD = r"(?P<sex>(?i:female|male|woman|man)|[FM])"
_BEGINS = r"(?:^|(?<=[.;:\n])|(?<=[.;:]\s))"
_ENDS = r"(?=\s*(?:[,;)\n]|\.(?!\d)|$|(?:with|who|is|has|had|presents|presenting|comes)\b))"
_YEARS = r"(?:\s*-?(?i:years?|yrs?|yo|y/o|y)\b\.?)"
_FORMS = (
    re.compile(rf"{_BEGINS}{_WORD}\b(?:,\s*|\s+|\s*/\s*)(?:aged?\s+)?{_NUMBER}{_YEARS}?{_ENDS}"),
    re.compile(
        rf"(?<![\w.,/]){_NUMBER}\s*-?(?i:years?|yrs?|yr|y)\.?(?:,\s*|\s*-\s*|\s+|(?=[FM])){_WORD}\b"
    ),
    re.compile(rf"(?<![\w/-])(?P<sex>[FM])\s?/\s?{_NUMBER}(?![\w/%]|\.\d|\s*(?:kg|cm|mm)\b)"),
    re.compile(rf"(?<![\w.,/-]){_NUMBER}\s?/\s?(?P<sex>[FM])(?![\w/])"),
    re.compile(
        rf"{_BEGINS}(?P<sex>Mrs|Ms|Miss|Mr)\b\.?\s+(?:[A-Z][\w'-]*\s+)?[A-Z][\w'-]*"
        rf"(?:,\s*|\s*\(\s*|\s+is\s+)(?:aged?\s+)?{_NUMBER}{_YEARS}?{_ENDS}"
    ),
    re.compile(rf"\b(?i:sex|gender)\b\s*[:=]\s*{_WORD}\b(?!\s*/)(?P<number>(?!))?"),
)
_MALE = ("mr", "m", "male", "man")


class Charted(NamedTuple):
    """What one head of a chart says, and where."""

    years: float | None
    sex: Sex
    start: int
    end: int


def charted(text: str) -> tuple[Charted, ...]:
    """Return the heads of a chart in the order of the text.

    >>> [(c.years, c.sex) for c in charted("Mrs Jones, 68, has gout. 67yF. Sex: M")]
    [(68.0, 'female'), (67.0, 'female'), (None, 'male')]
    >>> charted("Mrs Jones, 68 kg; T 101 F; male, 3 years ago")
    ()
    """
    found = []
    for match in (match for form in _FORMS for match in form.finditer(text)):
        sex: Sex = "male" if match["sex"].lower() in _MALE else "female"
        years = None if match["number"] is None else float(match["number"])
        found.append(Charted(years, sex, match.start(), match.end()))
    return tuple(sorted(found, key=lambda head: head.start))
