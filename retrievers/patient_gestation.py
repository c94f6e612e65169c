"""How far a pregnancy has come: weeks and days, British `32/40`, months, ranges of weeks."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from retrievers.expression_people import TRIMESTER_WEEKS
from retrievers.numbers import NUMBER, SPELLED, to_number

Trimester = Literal[1, 2, 3]
_BEGINS = r"(?<![\w.,+/])(?<!\+\s)(?<!\d\s)(?<!\d[-/])"
"""Not inside `34+3` or `36 2/7`, whose last number is no number of weeks."""
_NUM = (
    rf"{_BEGINS}(?:(?P<from>\d{{1,2}})\s?(?:-|to)\s?)?(?P<number>{NUMBER}|{SPELLED})"
    r"(?:\s*\+\s*(?P<plus>[0-6])(?!\d)|(?:\s+and)?[\s-]+(?P<sevenths>[1-6])\s?/\s?7(?!\d))?"
)
_WEEKS = r"\s*-?\s*(?:weeks?|wks?|w)"
_DAYS = r"(?:\s*(?:and\s*)?(?P<days>[0-6])\s*(?:days?|d\b)|\s*\+\s*(?P<more>[0-6])(?!\d))"
_PATTERNS = (
    re.compile(
        rf"{_NUM}{_WEEKS}(?:{_DAYS}|(?=[^a-z]*\s))?'?\s*(?:of\s+|into (?:her|the|an?) )?"
        r"(?:pregnan\w*|gestation\w*|EGA\b|IUP\b)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?P<number>\d{1,2})(?:st|nd|rd|th)\s+week\s+of\s+(?:her\s+|the\s+)?"
        r"(?:pregnancy|gestation)", re.IGNORECASE
    ),
    re.compile(rf"\bgestation(?:al age)?\s*(?:of|is|:|was)?\s*{_NUM}{_WEEKS}{_DAYS}?",
               re.IGNORECASE),
    re.compile(r"\bat\s+(?P<number>[4-9]|[123]\d|4[0-3])\s?\+\s?(?P<plus>[0-6])\s*(?:weeks?|wks?)\b",
               re.IGNORECASE),
    re.compile(r"\b(?:pregnant|pregnancy|G\d\s*P\d+)\b[^.;]{0,30}?\b(?:at|of|in|,)\s*"
               rf"{_NUM}\s*-?\s*(?:weeks?|wks?|w\b|w(?=\d))"
               r"(?:\s*(?:and\s*)?(?P<days>[0-6])\s*(?:days?|d\b)?)?", re.IGNORECASE),
    re.compile(rf"{_NUM}\s*months?\s*(?P<months>pregnant|into (?:her|the) pregnancy)",
               re.IGNORECASE),
)  # fmt: skip
_OF_FORTY = re.compile(
    rf"{_BEGINS}(?P<number>[4-9]|[123]\d|4[0-3])(?:\s*\+\s*(?P<plus>[0-6]))?\s?/\s?40(?![\d/.])"
)
_OF_A_PREGNANCY = re.compile(
    r"\b(?:pregnan\w+|gestation\w*|trimester|antenatal|prenatal|obstetric\w*|f(?:o?e)?etus|"
    r"(?:primi|multi)\w*gravid\w*|primip|multip|gravida?|pre-?eclampsia|G\d\s*P\d)",
    re.IGNORECASE,
)
_SCORE = re.compile(
    r"\b(?:score\w*|scale|of|mmHg|BP|pressure|MADRS|FIM)\s*[:=]?\s*$", re.IGNORECASE
)
_OVER = re.compile(
    r"\b(?:born|deliver(?:ed|s)|premature|preterm|infant|birth|pregnancy loss|demise)\b"
    r"|\b(?:miscarr\w+|still-?birth|stillborn|(?<!threatened )abort(?:ion|ed)|terminat\w+|"
    r"(?:caesarean|cesarean|C-?section|LSCS)(?: section| delivery| birth)?)"
    r"(?:,? (?:\w+ ){1,3}ago,?)? (?:at|in)(?: \w+)? $",
    re.IGNORECASE,
)
"""Before weeks that are those of a birth, or of a pregnancy that is over."""


class Gestation(NamedTuple):
    """The age of a pregnancy as far as it is told, and where."""

    weeks: float | None
    trimester: Trimester | None
    start: int
    end: int


def read_gestation(text: str) -> Gestation | None:
    """Return the first age of a pregnancy that is not that of a birth.

    >>> read_gestation("at 34+3 weeks' gestation").trimester
    3
    >>> round(read_gestation("36 2/7 weeks pregnant").weeks, 2)
    36.29
    >>> read_gestation("G2P1 at 32/40").weeks
    32.0
    >>> read_gestation("26-28 weeks pregnant")[:2], read_gestation("born at 28 weeks' gestation")
    ((None, None), None)
    """
    patterns = (*_PATTERNS, _OF_FORTY) if _OF_A_PREGNANCY.search(text) else _PATTERNS
    for pattern in patterns:
        for found in pattern.finditer(text):
            before = text[max(0, found.start() - 40) : found.start()]
            scored = pattern is _OF_FORTY and _SCORE.search(before)
            if not scored and not _OVER.search(before):
                return _gestation(found)
    return None


def _gestation(found: re.Match[str]) -> Gestation:
    groups = found.groupdict()
    weeks = to_number(found["number"])
    if groups.get("months"):
        weeks *= 365.25 / 12 / 7
    days = next((groups[g] for g in ("days", "plus", "sevenths", "more") if groups.get(g)), "0")
    weeks += float(days or 0) / 7
    first, trimester = groups.get("from"), _trimester(weeks)
    if first is None:
        return Gestation(weeks, trimester, found.start(), found.end())
    same = trimester if _trimester(float(first)) == trimester else None
    return Gestation(None, same, found.start(), found.end())


def _trimester(weeks: float) -> Trimester | None:
    return next((t for t, w in TRIMESTER_WEEKS.items() if w.low <= weeks < w.high), None)
