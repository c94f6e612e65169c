"""Ages in several parts and in few words: `8 years 1 month old`, `a man of 65`, `a girl, 7,`."""

from __future__ import annotations

import re
from typing import NamedTuple

from retrievers.numbers import NUMBER, SPELLED, to_number

YEARS = {"y": 1.0, "m": 1 / 12, "w": 7 / 365.25, "d": 1 / 365.25, "h": 1 / 8766}
"""Years per unit, by its first letter; 365.25 days a year."""
_UNIT = r"(?:years?|yrs?|y|months?|mos?|mths?|m|weeks?|wks?|w|days?|d)"
_PART = rf"(?:{NUMBER}|{SPELLED})[- ]*{_UNIT}\b"
_PARTS = rf"{_PART}(?:[-, ]*(?:\b(?:and|&)\b[- ]*)?{_PART}){{1,3}}"
_ONE_PART = re.compile(
    rf"(?P<number>{NUMBER}|{SPELLED})[- ]*(?P<unit>{_UNIT})(?![A-Za-z])", re.IGNORECASE
)
_SEVERAL = re.compile(
    rf"\b(?P<old>{_PARTS}[- ]*(?:old|o\b|of age))"
    rf"|(?<!gestational )\baged?\s*(?::|of|is)?\s*(?P<aged>{_PARTS})",
    re.IGNORECASE,
)
_PERSON = r"(?:(?:wo)?man|girl|boy|lady|gentleman|patient|infant|child|male|female)"
_GROUP = r"(?!\s+(?:or|and)\s+(?:older|over|above|more|younger|under))"
_AGE_UNIT = r"(?:\s*-?\s*(?P<unit>years?|yrs?|yo|y/o|y|months?|mos?)(?![A-Za-z]))"
_FEW = (
    re.compile(
        rf"\b{_PERSON}\s+of\s+(?P<number>{NUMBER}|{SPELLED})(?:{_AGE_UNIT}(?!\s+(?:of\s+)?(?!age)"
        rf"(?:standing|duration|history|experience|education|gestation)){_GROUP}|(?=\s*(?:[,;)]|[.?](?!\d)|$|"
        r"who\b|with\b|has\b|had\b|is\b|presents\b|and\b(?!\s+(?:older|over|above|younger)))))",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_PERSON}\s*\(\s*(?:aged?\s+)?(?P<number>\d{{1,3}}){_AGE_UNIT}?\s*\)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:an?|the|this)\s+(?:[\w-]+\s+){{0,2}}{_PERSON},\s*(?P<number>\d{{1,3}}){_AGE_UNIT}?,",
        re.IGNORECASE,
    ),
)
"""The nouns are those of one person: `adults of 65` are a group."""


class Years(NamedTuple):
    """An age in years and where it stands."""

    years: float
    start: int
    end: int


def several_parts(text: str) -> tuple[Years, ...]:
    """Return the ages that are sums of years, months, weeks and days.

    >>> [round(age.years, 2) for age in several_parts("A 67 year 3 month old man, 8 years old")]
    [67.25]
    >>> several_parts("67 years and 6 months of age")[0].years
    67.5
    >>> several_parts("a 3-year, 2 month history")
    ()
    """
    found = []
    for match in _SEVERAL.finditer(text):
        parts = list(_ONE_PART.finditer(match["old"] or match["aged"]))
        units = [YEARS[part["unit"][0].lower()] for part in parts]
        if len(units) > 1 and all(one > two for one, two in zip(units, units[1:], strict=False)):
            pairs = zip(parts, units, strict=True)
            years = sum(to_number(part["number"]) * unit for part, unit in pairs)
            found.append(Years(years, match.start(), match.end()))
    return tuple(found)


def few_words(text: str, *, besides: tuple[Years, ...] = ()) -> tuple[Years, ...]:
    """Return the ages that stand beside a person without `old` or `aged`, save in other ages.

    >>> few_words("A man of 65 years")[0].years, few_words("A girl, 7, has asthma")[0].years
    (65.0, 7.0)
    >>> few_words("a man of 80 kg"), few_words("a woman of 34 weeks' gestation")
    ((), ())
    """
    found = []
    for pattern in _FEW:
        for match in pattern.finditer(text):
            if any(match.start() < one.end and one.start < match.end() for one in besides):
                continue
            unit = YEARS[(match["unit"] or "y")[0].lower()]
            found.append(Years(to_number(match["number"]) * unit, match.start(), match.end()))
    return tuple(found)
