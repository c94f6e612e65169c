"""Leaves of a constraint that are grades: CKD stage, Child-Pugh class, NYHA class.

A grade is read as the numbers that define it, so "CKD stage 4" and "eGFR < 30" are compared.
"""

from __future__ import annotations

import math
import re

from retrievers.expression_types import (
    All,
    Concept,
    Expression,
    HasDiagnosis,
    Measure,
)
from retrievers.numbers import (
    Interval,
)

CKD_STAGES: dict[str, Interval] = {
    "1": Interval(90, math.inf), "2": Interval(60, 90, high_open=True),
    "3": Interval(30, 60, high_open=True), "3a": Interval(45, 60, high_open=True),
    "3b": Interval(30, 45, high_open=True), "4": Interval(15, 30, high_open=True),
    "5": Interval(0, 15, high_open=True),
}  # fmt: skip
"""KDIGO 2012, GFR categories in mL/min/1.73 m²."""
CHILD_PUGH: dict[str, Interval] = {"a": Interval(5, 6), "b": Interval(7, 9), "c": Interval(10, 15)}
"""Pugh 1973: points of each class."""
ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_LIST = r"(?:\s*(?:,|or|and|to|through|-|/|, or)\s*(?:class |stage )?{0})*"
_GRADE = r"(?:3a|3b|iiia|iiib|iii|ii|iv|i|v|[1-5])"
_CKD = re.compile(
    (
        rf"(?:{{0}}\s*)?(?:\(?\s*(?:stages?|"
        rf"g)\s*)(?P<which>{_GRADE}{_LIST.format(_GRADE)})\)?(?:\s*{{0}})?"
    ).replace("{0}", r"(?:ckd|chronic kidney disease|chronic renal disease|renal disease)")
)
_CHILD = re.compile(
    r"child[- ](?:turcotte[- ])?pugh\s*(?:class(?:es)?|grade|score|category)?\s*"
    rf"(?P<which>[abc]{_LIST.format('[abc]')})(?:\s*(?:hepatic|liver)\s+(?:impairment|disease))?"
)
_NYHA = re.compile(
    r"(?:(?:congestive |chronic )?(?:heart failure|chf),?\s*(?:of |in |with )?\(?)?"
    r"(?:established |advanced )?(?:nyha|new york heart association)(?: \(nyha\))?\s*"
    r"(?:functional )?(?:class(?:es)?)?\s*"
    rf"(?P<which>(?:iii|ii|iv|i|[1-4]){_LIST.format('(?:iii|ii|iv|i|[1-4])')})\)?"
    r"(?P<hf>\s*(?:congestive |chronic )?(?:heart failure|symptoms))?"
)


def grade_leaf(text: str) -> Expression | None:
    """Read CKD stage, Child-Pugh class and NYHA class as the numbers behind them.

    >>> grade_leaf("ckd stage 4 or 5").met_if.wanted
    Interval(low=0.0, high=30.0, low_open=False, high_open=True)
    >>> grade_leaf("heart failure nyha class iii or iv").parts[1].wanted
    Interval(low=3.0, high=4.0, low_open=False, high_open=False)
    """
    found = _CKD.fullmatch(text)
    if found is not None and re.search(r"ckd|kidney|renal", text):
        stages = [CKD_STAGES[_arabic(g)] for g in _grades(found.group("which"), CKD_STAGES)]
        kidney = HasDiagnosis(
            name="chronic kidney disease", qualifiers=(f"stage {found['which']}",)
        )
        return Concept(stated=kidney, met_if=_joined("egfr", stages, "mL/min/1.73m2"), not_if=None)
    found = _CHILD.fullmatch(text)
    if found is not None:
        classes = [CHILD_PUGH[g] for g in _grades(found.group("which"), CHILD_PUGH)]
        return _joined("child_pugh", classes, "1")
    found = _NYHA.fullmatch(text)
    if found is None:
        return None
    ends = [
        float(_arabic(g)) for g in _grades(found.group("which"), {"1": 1, "2": 2, "3": 3, "4": 4})
    ]
    nyha = Measure(analyte="nyha", wanted=Interval(min(ends), max(ends)), unit="1")
    says_failure = text.startswith(("heart", "congestive", "chronic", "chf")) or found.group("hf")
    return All(parts=(HasDiagnosis(name="heart failure"), nyha)) if says_failure else nyha


def _grades(which: str, scale: object) -> list[str]:
    order = list(scale) if isinstance(scale, dict) else []
    found = [_arabic(g) for g in re.findall(rf"{_GRADE}|[abc]", which)]
    span = re.search(r"\bto\b|through|-", which)
    if span and len(found) == 2:
        plain = [g for g in order if len(g) == 1]
        first, last = plain.index(found[0][0]), plain.index(found[1][0])
        return plain[first : last + 1]
    return found


def _arabic(grade: str) -> str:
    stem, part = (grade[:-1], grade[-1]) if len(grade) > 1 and grade[-1] in "ab" else (grade, "")
    return str(ROMAN.get(stem, stem)) + part


def _joined(analyte: str, intervals: list[Interval], unit: str) -> Measure:
    low, high = min(intervals), max(intervals, key=lambda i: i.high)
    return Measure(
        analyte=analyte,
        wanted=Interval(low.low, high.high, low.low_open, high.high_open),
        unit=unit,
    )
