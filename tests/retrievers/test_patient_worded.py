"""Values in words: tachycardic, afebrile, a normal hemoglobin; for adults, and never too narrow."""

from __future__ import annotations

import pytest

from retrievers.analytes import analyte_table
from retrievers.patient import read_patient
from retrievers.patient_worded import NORMAL, PANELS, read_worded
from tests.retrievers.test_patient_failures import match

ADULT = "A 50-year-old man. "


@pytest.mark.parametrize(
    ("constraint", "text", "expected"),
    [
        ("heart rate ≥ 90/min", "He is tachycardic.", "MET"),
        ("heart rate > 120/min", "He is tachycardic.", "INDETERMINATE"),
        ("heart rate ≥ 90/min", "He is not tachycardic.", "INDETERMINATE"),
        ("heart rate < 50/min", "He is bradycardic.", "INDETERMINATE"),
        ("heart rate < 60/min", "He is bradycardic.", "MET"),
        ("respiratory rate ≥ 20/min", "He is pale and tachypneic.", "MET"),
        ("heart rate ≥ 90/min", "He was tachycardic. HR 130.", "MET"),
        ("heart rate > 98/min", "He is tachycardic, HR 95.", "INDETERMINATE"),
        ("temperature > 39 °C", "He is afebrile.", "NOT_MET"),
        ("hematocrit < 25 %", "The complete blood count and chest X-ray are normal.", "NOT_MET"),
        ("hemoglobin < 9 g/dL", "Laboratory tests, including hemoglobin and TSH, are within normal "
         "limits.", "NOT_MET"),
        ("hemoglobin < 12 g/dL", "Hemoglobin is normal.", "INDETERMINATE"),
        ("potassium > 6 mmol/L", "Normal electrolytes.", "NOT_MET"),
        ("platelets < 50,000/mm3", "Platelet count is low and potassium is normal.",
         "INDETERMINATE"),
        ("potassium > 6 mmol/L", "Potassium is not normal.", "INDETERMINATE"),
        ("potassium > 6 mmol/L", "Potassium is abnormal.", "INDETERMINATE"),
        ("potassium > 6 mmol/L", "Potassium was normal 3 months ago.", "INDETERMINATE"),
    ],
)  # fmt: skip
def test_words_for_values(constraint: str, text: str, expected: str) -> None:
    assert match(constraint, ADULT + text) == expected


def test_a_child_has_other_limits() -> None:
    assert read_patient("A 4-year-old boy is tachycardic with a normal CBC.").quantities == ()
    assert read_patient("The patient is tachycardic.").quantities == ()


def test_tables_agree() -> None:
    table = analyte_table()
    assert {name for panel in PANELS.values() for name in panel} <= set(NORMAL)
    for name, (low, high) in NORMAL.items():
        assert table[name].low <= low < high <= table[name].high
        upper = table[name].upper_normal
        assert upper is None or upper[1] <= high


def test_spans_are_the_text() -> None:
    text = ADULT + "On admission, hemoglobin and sodium were normal; he is tachycardic."
    found = read_patient(text).quantities
    assert {q.analyte for q in found} == {"hemoglobin", "sodium", "heart_rate"}
    assert all(text[q.span.start : q.span.end] == q.span.text for q in found)


def test_a_long_text_is_read_at_once() -> None:
    assert read_worded("pale " * 2000 + "x" * 2000 + " are normal") == ()
