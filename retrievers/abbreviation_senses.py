"""Abbreviations that mean no disease or drug in some places: `97 % on RA` is room air.

One table for all readers of a running text: the abbreviation, what stands before it and what
stands behind it where it means something else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

REACH = 40
"""Characters to each side that are looked at."""
_ORGANS = (
    r"(?:gen(?:eral)?|vitals?|vs|heent|neck|lungs?|chest|resp|cv|cvs|heart|cor|abd\w*|ext\w*|"
    r"neuro|skin|nad|wnl|rrr|ctab?|awake|alert|well[- ]appearing|afebrile)\b"
)
_SHOWS = (
    r"\s+(?:(?:is|was)\s+)?(?:shows?|showed|reveals?|revealed|demonstrates?|demonstrated|notable|"
    r"remarkable|unremarkable|benign|normal|non-?focal|intact|significant for|findings?|exam\w*)\b"
)
_SATURATION = r"(?:\b(?:O2\s*)?sat(?:s|uration)?|SpO2|SaO2|\bO2|oximetry|ox)"
_OF = r"[\s:=]*(?:(?:is|was|are|of|at)\s+)?"


class _Elsewhere(NamedTuple):
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None


def _row(before: str, after: str) -> _Elsewhere:
    return _Elsewhere(
        re.compile(rf"(?:{before})$", re.IGNORECASE) if before else None,
        re.compile(after, re.IGNORECASE) if after else None,
    )


OTHER_SENSES: Mapping[str, _Elsewhere] = MappingProxyType({
    # milligram, magnesium
    "MG": _row(
        r"\d[\s-]*|milligrams?\s*\(",
        rf"\s*/\s*(?:d?l|kg|g|day|d|h|hr|min|m2|m²|24)|\s*%|{_OF}\d"
        r"|\s+(?:po|iv|im|sc|sq|tab\w*|cap\w*|daily|bid|tid|qid|q\w+|per|level|repleted)\b",
    ),
    # room air, right atrium
    "RA": _row(
        rf"%[\s(,-]*(?:(?:on|in|at)\s*)?|{_SATURATION}{_OF}\d+(?:\.\d+)?"
        r"[\s(,-]*(?:(?:on|in|at)\s*)?"
        r"|\b(?:on|breathing)\s+|\b(?:room air|right atri\w+)\s*\(|\b(?:LA|RV)\s*(?:,|/|&|and)\s*"
        r"|\b(?:dilated|enlarged)\s+",
        r"\s*[:=]?\s*\d{2,3}\s*%|\s*(?:/|and|&)\s*(?:LA|RV)\b|\s+(?:mean\s+)?(?:pressures?|sats?|"
        r"saturation|spo2|o2|dilat\w+|enlarge\w+|size|volume|area|thrombus|appendage|lead)\b",
    ),
    # physical examination
    "PE": _row(
        r"\bon\s+|\bphysical exam\w*\s*\(",
        rf"\s*[:=]|\s*(?:\n|-|\s)\s*{_ORGANS}|{_SHOWS}|\s+tubes?\b",
    ),
    # mental status, morphine or magnesium sulfate, milliseconds, a degree
    "MS": _row(
        r"\d\s*|\bon\s+|\b(?:altered|changes? in|decreased|depressed|baseline|clear|rheumatic)\s+"
        r"|\bmental status\s*\(|\bmitral stenosis\s*\(|\b(?:MR|AS|AR|TR)\s*(?:,|/|&|and)\s*",
        r"\s*[:=]|\s*[-\s]\s*(?:awake|alert|a&o|aox?\d|oriented)|\s+(?:contin|ir|changes?)\b"
        rf"|\s+\d+(?:\.\d+)?\s*(?:mg|g)\b|{_SHOWS}",
    ),
    # costovertebral angle
    "CVA": _row(
        r"\bcostovertebral angle\s*\(",
        r"\s*(?:tender\w*|non-?tender\w*|ttp|pain|percussion)\b",
    ),
    # tidal volume
    "VT": _row(r"\btidal volume\s*\(", rf"{_OF}\d+(?:\.\d+)?\s*(?:mL|cc|L)\b"),
    # grade of the American Society of Anesthesiologists
    "ASA": _row(
        "",
        r"\s*(?:physical status|ps|class|grade|score|status)\b"
        r"|\s+(?:[1-5]|I{1,3}|IV|V)\b(?!\s*(?:mg|g|tab))",
    ),
    # left ventricular function
    "LVF": _row(
        r"\b(?:good|normal|preserved|reduced|impaired|poor|moderate)\s+",
        rf"{_OF}\d|{_SHOWS}|\s+(?:preserved|good)\b",
    ),
    # on arrival
    "OA": _row(r"\bon arrival\s*\(", r"\s*[:=]"),
    # afebrile
    "AF": _row(r"\b(?:vs|vss|vitals?)\s*[:,-]?\s*", r"\s*,?\s*VSS\b"),
    # dextromethorphan
    "DM": _row(r"\b(?:robitussin|guaifenesin|mucinex|promethazine)[\s-]+", ""),
})  # fmt: skip


def means_another(text: str, start: int, end: int) -> bool:
    """Say whether an abbreviation stands where it means something else than its disease.

    >>> text = "RA on methotrexate; SpO2 97% on RA"
    >>> means_another(text, 0, 2), means_another(text, 32, 34)
    (False, True)
    """
    other = OTHER_SENSES.get(text[start:end].upper())
    if other is None:
        return False
    before, after = text[max(0, start - REACH) : start], text[end : end + REACH]
    return (other.before is not None and other.before.search(before) is not None) or (
        other.after is not None and other.after.match(after) is not None
    )
