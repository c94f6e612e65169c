"""How the patient is worded on the terminal."""

from __future__ import annotations

import pytest

from optimize.show import patient_lines
from retrievers.patient import read_patient


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("His eGFR is below 30.", "eGFR < 30  (eGFR is below 30)"),
        ("His potassium is > 5.5.", "potassium > 5.5  (potassium is > 5.5)"),
        ("eGFR at least 60", "eGFR ≥ 60  (eGFR at least 60)"),
        (
            "eGFR up to 29 mL/min/1.73 m2",
            "eGFR ≤ 29 mL/min/1.73 m²  (eGFR up to 29 mL/min/1.73 m2)",
        ),
        ("K between 5 and 6", "potassium 5 to 6  (K between 5 and 6)"),
        ("A 1-month-old girl", "age 1 month  (1-month-old)"),
        ("A 14-month-old girl", "age 14 months  (14-month-old)"),
        ("A 3-week-old girl", "age 3 weeks  (3-week-old)"),
        ("A 1-year-old girl", "age 1 year  (1-year-old)"),
        ("A 62-year-old woman", "age 62 years  (62-year-old)"),
        ("A woman in her sixties", "age 60 to 69 years  (in her sixties)"),
        ("A man weighs 9 stone.", "not read: 'weighs 9 stone'"),
    ],
)
def test_lines(text: str, line: str) -> None:
    assert line in patient_lines(read_patient(text))


def test_nothing() -> None:
    assert patient_lines(read_patient("Which gene causes gout?")) == ("nothing about a patient",)
