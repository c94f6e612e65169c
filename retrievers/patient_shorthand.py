"""Vital signs behind one or two letters, which stand for much else: `T 38.9, P 112`, `Wt 82 kg`.

They are no names of the table of analytes: each counts only with a number that it can have, and
the shortest only with a unit, a decimal or another vital sign beside them.
"""

from __future__ import annotations

import re

from retrievers.numbers import NUMBER, to_number
from retrievers.patient_text import span_of
from retrievers.unit_spellings import read_unit
from signatures.schema import Quantity

_START = r"(?<![\w/+.-])"
_IS = r"\s*[:=]?\s*"
_ALONE = r"(?![.,]?\d|\s*(?:-|to)\s*\d)"
_VITAL = r"(?:BP|HR|RR|R|Pulse|T|Temp|SpO2|SaO2|O2|[Ss]ats?)"
_BESIDE = rf"(?=\s*[,;/]?\s*(?:P|{_VITAL}){_IS}\d\d)"
_AFTER_VITAL = re.compile(
    rf"\b{_VITAL}{_IS}\d+(?:[./]\d+)?\s*(?:%|°?[CF]|mmHg)?\s*[,;/]?\s*$|\b(?:VS|[Vv]itals?)\s*:?\s*$"
)
_BEFORE_VITAL = re.compile(rf"\s*[,;/]?\s*{_VITAL}{_IS}\d\d")
_OF_ANOTHER = re.compile(
    r"\b(?:birth|f(?:o?e)tal|f(?:o?e)tus|baby|usual|ideal|target|goal|adjusted|"
    r"pre-?pregnancy)\W*$",
    re.IGNORECASE,
)
_FORMS: tuple[tuple[str, str], ...] = (
    ("temperature", rf"T{_IS}(?P<low>(?:3[3-9]|4[0-3]|9[2-9]|10\d)[.,]\d{{1,2}}){_ALONE}"
     r"(?:\s*(?P<unit>[°º]?\s?[CF])\b)?"),
    ("temperature", rf"T{_IS}(?P<low>3[3-9]|4[0-3]|9[2-9]|10\d){_ALONE}"
     r"\s*(?P<unit>[°º]?\s?[CF])\b"),
    ("temperature", rf"T{_IS}(?P<low>3[3-9]|4[0-3]|9[2-9]|10\d){_ALONE}{_BESIDE}"),
    ("heart_rate", rf"P{_IS}(?P<low>[3-9]\d|1\d\d|2[0-2]\d){_ALONE}(?!\s*(?:/|%|mg|g\b))"),
    ("glucose", rf"BMs?{_IS}(?P<low>\d{{1,2}}[.,]\d){_ALONE}(?!\s*(?:x|times|days?|hours?|/d|%))"),
    ("glucose", rf"BMs?{_IS}(?P<low>\d{{1,2}}(?:[.,]\d)?)\s*(?P<unit>mmol\s?/\s?[lL])\b"),
    ("weight", rf"(?:[Ww]t|WT)\.?{_IS}(?P<low>{NUMBER})\s*(?P<unit>kg|kilos?|lbs?|pounds?)\b"
     r"(?!\s*(?:loss|gain|down|up|less|more|lost))"),
    ("height", rf"(?:[Hh]t|HT)\.?{_IS}(?P<low>{NUMBER})\s*(?P<unit>cm|m)\b"),
)  # fmt: skip
_PATTERNS = tuple((name, re.compile(_START + form)) for name, form in _FORMS)


def read_shorthand(text: str) -> tuple[Quantity, ...]:
    """Return the vital signs that are written with a letter or two.

    >>> [(q.analyte, q.low) for q in read_shorthand("T 38.9, P 112, BP 90/60, Wt 82 kg")]
    [('temperature', 38.9), ('heart_rate', 112.0), ('weight', 82.0)]
    >>> read_shorthand("P 0.03, P 50, T 2 days, BM 3 today")
    ()
    """
    found = []
    for name, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - 30) : match.start()]
            if _OF_ANOTHER.search(before) or (
                name == "heart_rate" and not _among_vitals(text, before, match.end())
            ):
                continue
            low, unit = to_number(match["low"]), _unit(name, match)
            span = span_of(text, match.start(), match.end())
            found.append(Quantity(analyte=name, low=low, high=low, unit=unit, span=span))
    return tuple(found)


def _among_vitals(text: str, before: str, end: int) -> bool:
    return _AFTER_VITAL.search(before) is not None or _BEFORE_VITAL.match(text, end) is not None


def _unit(name: str, match: re.Match[str]) -> str | None:
    if name == "glucose":
        return "mmol/L"
    written = match.groupdict().get("unit")
    return read_unit(written) if written else None
