"""Grades that the text gives instead of numbers: CKD stage, Child-Pugh class, NYHA class."""

from __future__ import annotations

import re

from retrievers.expression_grades import CHILD_PUGH, CKD_STAGES, ROMAN
from retrievers.numbers import OPEN_SHIFT
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


def read_grades(text: str) -> tuple[Quantity, ...]:
    """Return the grades of the text as intervals of the numbers that define them.

    >>> [(q.analyte, q.low, round(q.high, 1)) for q in read_grades("stage 4 CKD, NYHA class II")]
    [('egfr', 15.0, 30.0), ('nyha', 2.0, 2.0)]
    """
    found = []
    for match in _CKD.finditer(text):
        stages = [CKD_STAGES[_arabic(grade)] for grade in match.groups() if grade]
        low, most = min(s.low for s in stages), max(stages, key=lambda s: s.high)
        high = most.high * (1 - OPEN_SHIFT) if most.high_open else most.high
        found.append(_grade(text, match, "egfr", low, high, "mL/min/1.73m2"))
    for match in _CHILD.finditer(text):
        points = [CHILD_PUGH[g.lower()] for g in (match["grade"], match["other"]) if g]
        low, high = min(p.low for p in points), max(p.high for p in points)
        found.append(_grade(text, match, "child_pugh", low, high, "1"))
    for match in _NYHA.finditer(text):
        grades = [float(_arabic(g)) for g in (match["grade"], match["other"]) if g]
        found.append(_grade(text, match, "nyha", min(grades), max(grades), "1"))
    return tuple(found)


def _grade(
    text: str, match: re.Match[str], name: str, low: float, high: float, unit: str
) -> Quantity:
    span = span_of(text, match.start(), match.end())
    return Quantity(analyte=name, low=low, high=high, unit=unit, span=span)


def _arabic(grade: str) -> str:
    lower = grade.lower()
    part = lower[-1] if len(lower) > 1 and lower[-1] in "ab" else ""
    stem = lower[: len(lower) - len(part)]
    return str(ROMAN.get(stem, stem)) + part
