"""Values of an adult that a text gives in words: tachycardic, afebrile, "hemoglobin is normal".

Each is a range, on purpose wide: what every laboratory and every textbook would still call so.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from retrievers.analytes import analyte_by_alias, analyte_table
from retrievers.assertion import assertion_of
from retrievers.numbers import OPEN_SHIFT
from retrievers.patient_newer import is_earlier
from retrievers.patient_text import span_of
from signatures.schema import Quantity

_ABOVE, _BELOW = 1 + OPEN_SHIFT, 1 - OPEN_SHIFT
_SIGNS: tuple[tuple[str, str, float, float], ...] = (
    (r"tachycardic", "heart_rate", 100.0 * _ABOVE, math.inf),
    (r"bradycardic", "heart_rate", 0.0, 60.0 * _BELOW),
    (r"tachypn(?:o?eic|eoic)", "respiratory_rate", 20.0 * _ABOVE, math.inf),
    (r"febrile", "temperature", 37.5, math.inf),
    (r"afebrile", "temperature", 0.0, 38.3),
)
"""Word, analyte and range in its default unit: AHA/ACC for the heart rate, SIRS (Bone 1992) for the
respiratory rate; fever between the lowest and the highest limit in use (IDSA 2008: 38.3 °C)."""
NORMAL: dict[str, tuple[float, float]] = {
    "hemoglobin": (11.5, 18.0), "hematocrit": (34.0, 54.0), "platelets": (140_000.0, 450_000.0),
    "wbc": (3_500.0, 11_500.0), "sodium": (133.0, 147.0), "potassium": (3.3, 5.5),
    "creatinine": (0.4, 1.4), "bilirubin": (0.3, 1.3), "alt": (1.0, 60.0), "ast": (1.0, 50.0),
    "alp": (25.0, 150.0), "tsh": (0.3, 5.0), "calcium": (8.2, 10.6), "albumin": (3.3, 5.6),
    "inr": (0.7, 1.2), "glucose": (60.0, 140.0), "temperature": (35.8, 37.7),
}  # fmt: skip
"""Range of "normal" in adults, in the default unit: NEJM 2004 (Kratz) widened to the widest limits
of `data/analytes.csv`, both sexes together."""
PANELS: dict[str, tuple[str, ...]] = {
    "complete blood count": ("hemoglobin", "hematocrit", "platelets", "wbc"),
    "cbc": ("hemoglobin", "hematocrit", "platelets", "wbc"),
    "full blood count": ("hemoglobin", "hematocrit", "platelets", "wbc"),
    "blood count": ("hemoglobin", "hematocrit", "platelets", "wbc"),
    "electrolytes": ("sodium", "potassium"),
    "basic metabolic panel": ("sodium", "potassium", "creatinine", "glucose"),
    "liver function tests": ("alt", "ast", "bilirubin"),
    "liver enzymes": ("alt", "ast"),
    "transaminases": ("alt", "ast"),
}
"""What a panel that is called normal holds."""
_SIGN = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<s{i}>{row[0]})" for i, row in enumerate(_SIGNS)) + r")\b",
    re.IGNORECASE,
)
_VERB = (
    r"(?:is|are|was|were|has|had|have|shows?|showed|but|with|without|low|high|elevated|abnormal|"
    r"except|no|not|if|when|which|that|than|for|to|the patient|he|she)"
)
_WORD = rf"(?!(?:{_VERB}|and|or)\b)[\w'-]+(?:\s\([\w -]+\))?"
_ITEM = rf"{_WORD}(?:\s{_WORD}){{0,5}}"
_ARE_NORMAL = re.compile(
    r"\b(?:is|are|was|were|comes? back|came back|returned)\s+"
    r"(?:all\s+|both\s+|also\s+)?(?:(?:with)?in\s+(?:the\s+)?)?normal\b(?:\s+(?:limits|range))?"
    r"(?!\s+(?:for|until|before|except|apart)|[^.;]{0,25}\bago\b)",
    re.IGNORECASE,
)
_NORMAL_NAMES = re.compile(
    rf"(?<!ab)(?<!\bnot )(?<!\bof )\bnormal\s+(?P<names>{_ITEM})", re.IGNORECASE
)
_STOP = re.compile(rf"[.;:!?]|\b{_VERB}\b", re.IGNORECASE)
_LISTED = re.compile(r",\s*(?:and\s+)?|\band\s+")
BEFORE = 160
"""Characters before "are normal" that may hold the names."""
_LEADING = re.compile(
    r"(?:(?:and|the|a|an|his|her|their|serum|plasma|other|including|laboratory|tests?|level|of)\s+)+",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"\s+(?:levels?|values?|results?|counts?)$", re.IGNORECASE)


class Worded(NamedTuple):
    """A range that words stand for."""

    quantity: Quantity
    earlier: bool


def read_worded(text: str) -> tuple[Worded, ...]:
    """Return the ranges that words of an adult's text stand for.

    >>> [(w.quantity.analyte, round(w.quantity.low)) for w in read_worded("She is tachycardic.")]
    [('heart_rate', 100)]
    >>> [w.quantity.analyte for w in read_worded("Potassium and the CBC are normal.")][:2]
    ['potassium', 'hemoglobin']
    >>> read_worded("He is not tachycardic."), read_worded("Hemoglobin is not normal.")
    ((), ())
    """
    return (*_signs(text), *_normals(text))


def _signs(text: str) -> list[Worded]:
    found = []
    for match in _SIGN.finditer(text):
        if assertion_of(text, match.start(), match.end()) != "present":
            continue
        row = next(row for i, row in enumerate(_SIGNS) if match[f"s{i}"])
        found.append(_worded(text, row[1], (row[2], row[3]), match.start(), match.end()))
    return found


def _normals(text: str) -> list[Worded]:
    found = []
    for verb in _ARE_NORMAL.finditer(text):
        start = max(0, verb.start() - BEFORE)
        stops = list(_STOP.finditer(text, start, verb.start()))
        start = stops[-1].end() if stops else start
        start += len(text[start:]) - len(text[start:].lstrip())
        for name in _LISTED.split(text[start : verb.start()]):
            found += [
                _worded(text, analyte, NORMAL[analyte], start, verb.end())
                for analyte in _analytes(name, whole=True)
            ]
    for match in _NORMAL_NAMES.finditer(text):
        found += [
            _worded(text, analyte, NORMAL[analyte], match.start(), match.end())
            for analyte in _analytes(match["names"], whole=False)
        ]
    return found


def _analytes(name: str, *, whole: bool) -> tuple[str, ...]:
    """Return the analytes of a name; of a name before other words, unless it must be whole."""
    words = re.sub(r"\s*\([^)]*\)", "", _LEADING.sub("", name.strip(" ,"))).split()
    for count in range(len(words), 0, -1):
        plain = " ".join(words[:count])
        plain = plain if plain.lower() in PANELS else _TRAILING.sub("", plain)
        analyte = analyte_by_alias().get(plain) or analyte_by_alias().get(plain.lower())
        if analyte in NORMAL:
            return (analyte,)
        if plain.lower() in PANELS:
            return PANELS[plain.lower()]
        if whole:
            return ()
    return ()


def _worded(text: str, analyte: str, ends: tuple[float, float], start: int, end: int) -> Worded:
    low, high = ends
    quantity = Quantity(
        analyte=analyte,
        low=low,
        high=high,
        unit=analyte_table()[analyte].unit,
        span=span_of(text, start, end),
    )
    return Worded(quantity, is_earlier(text, start, end))
