"""Grades that the text gives instead of numbers: CKD stage, Child-Pugh class, NYHA class."""

from __future__ import annotations

import re
from typing import NamedTuple

from retrievers.expression_grades import CHILD_PUGH, CKD_STAGES, ROMAN
from retrievers.numbers import OPEN_SHIFT
from retrievers.patient_newer import is_earlier, later_forms
from retrievers.patient_text import span_of
from signatures.schema import Quantity

_STAGE = r"(?:3a|3b|IIIa|IIIb|III|II|IV|I|V|[1-5])"
_TO = r"\s*(?:-|/|to|or)\s*G?"
_ALBUMIN = r"(?:\s*/?\s*A[1-3])?(?!\w)"
"""The category of albuminuria behind that of the filtration rate: `G3bA3`."""
_CKD = re.compile(
    rf"\b(?:stages?\s*G?|G)\s*(?P<grade>{_STAGE})(?:{_TO}(?P<other>{_STAGE}))?"
    r"\s*(?:,?\s*)?(?:chronic kidney disease|CKD|chronic renal)"
    r"|\b(?:CKD|chronic kidney disease),?\s*\(?(?:stages?\s*G?|G)\s*"
    rf"(?P<grade2>{_STAGE})(?:{_TO}(?P<other2>{_STAGE}))?(?![\w])"
    rf"|\bCKD(?:-?|\s+)(?:G(?=[1-5])|(?=3[ab]))(?P<grade3>[1-5][ab]?){_ALBUMIN}"
    r"|\bCKD-?(?P<grade4>[1-5])(?:\s*[-/]\s*(?P<other4>[1-5]))?(?![\w.,]*\d|\w)"
    r"|\bCKD\s+(?P<grade5>[1-5])(?=\s*(?:[,;)\n]|\.(?!\d)|$|(?:and|with|on|due|from)\b))"
    rf"|\bG(?P<grade6>3[ab])(?:\s*/?\s*A[1-3])(?!\w)"
    rf"|\b(?:e?GFR\s+(?:category|stage|class)\s+G?|KDIGO\s+(?:(?:category|stage)\s+)?G)"
    rf"(?P<grade7>[1-5][ab]?){_ALBUMIN}", re.IGNORECASE
)  # fmt: skip
_CHILD = re.compile(
    r"\bChild[- ](?:Turcotte[- ])?Pugh\s*(?:class|grade|score|"
    r"category)?\s*(?P<grade>[ABC])\b(?:\s*(?:or|to|-)\s*(?P<other>[ABC])\b)?"
)
_NYHA = re.compile(
    r"\b(?:NYHA|New York Heart Association)(?: \(NYHA\))?\s*(?:functional )?(?:class)?\s*"
    r"(?P<grade>IV|III|II|I|[1-4])\b(?:\s*(?:-|to|or)\s*(?P<other>IV|III|II|I|[1-4])\b)?",
    re.IGNORECASE,
)


_NAMED = (
    r"(?:(?:(?:in|NYHA|CKD|Child[- ]Pugh)\s+)*(?:functional\s+)?(?:class|stage|grade|score)\s*G?|"
    r"(?:NYHA|CKD|Child[- ]Pugh)\s+)"
)
_ANY_GRADE = rf"(?:{_STAGE}|[ABC])"
_LATER = later_forms(
    rf"(?:{_NAMED}\s*(?P<grade>{_ANY_GRADE})(?![\w/-])|(?P<bare>{_ANY_GRADE})(?=\s*(?:[.,;)]|$)))"
)


class Grade(NamedTuple):
    """A grade as an interval."""

    quantity: Quantity
    earlier: bool
    """Whether it is told of an earlier time."""


def read_grades(text: str) -> tuple[Grade, ...]:
    """Return the grades of the text as intervals of the numbers that define them.

    Where a newer grade follows an old one, the newer is read.

    >>> found = [grade.quantity for grade in read_grades("stage 4 CKD, NYHA class II")]
    >>> [(q.analyte, q.low, round(q.high, 1)) for q in found]
    [('egfr', 15.0, 30.0), ('nyha', 2.0, 2.0)]
    >>> [grade.quantity.low for grade in read_grades("NYHA class III last year, now class I")]
    [1.0]
    """
    kinds = (
        ("egfr", _CKD, _of_kidney),
        ("child_pugh", _CHILD, _of_liver),
        ("nyha", _NYHA, _of_heart),
    )
    found = []
    for name, pattern, ends in kinds:
        unit = "mL/min/1.73m2" if name == "egfr" else "1"
        for match in pattern.finditer(text):
            written, end = _written(text, match)
            low, high = ends([grade for grade in written if grade])
            span = span_of(text, match.start(), end)
            quantity = Quantity(analyte=name, low=low, high=high, unit=unit, span=span)
            found.append(Grade(quantity, end == match.end() and _earlier(text, match)))
    return tuple(found)


def _written(text: str, match: re.Match[str]) -> tuple[list[str | None], int]:
    """Return the letters or numbers of a grade, or of the newer one behind it, and its end."""
    for pattern in _LATER:
        newer = pattern.match(text, match.end())
        grade = None if newer is None else newer["grade"] or newer["bare"]
        if newer is not None and grade and (match.re is _CHILD) == (grade.upper() in "ABC"):
            return [grade], newer.end()
    return list(match.groups()), match.end()


def _earlier(text: str, match: re.Match[str]) -> bool:
    """Say whether a grade is an old one; what its own clause says counts."""
    cut = text.rfind(",", 0, match.start()) + 1
    return is_earlier(text[cut:], match.start() - cut, match.end() - cut)


def _of_kidney(grades: list[str]) -> tuple[float, float]:
    stages = [CKD_STAGES[_arabic(grade)] for grade in grades]
    low, most = min(s.low for s in stages), max(stages, key=lambda s: s.high)
    return low, most.high * (1 - OPEN_SHIFT) if most.high_open else most.high


def _of_liver(grades: list[str]) -> tuple[float, float]:
    points = [CHILD_PUGH[grade.lower()] for grade in grades]
    return min(p.low for p in points), max(p.high for p in points)


def _of_heart(grades: list[str]) -> tuple[float, float]:
    numbers = [float(_arabic(grade)) for grade in grades]
    return min(numbers), max(numbers)


def _arabic(grade: str) -> str:
    lower = grade.lower()
    part = lower[-1] if len(lower) > 1 and lower[-1] in "ab" else ""
    stem = lower[: len(lower) - len(part)]
    return str(ROMAN.get(stem, stem)) + part
