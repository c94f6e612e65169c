"""Reading the patient: known_failures section F, and what a field must never be taken from."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.patient import read_patient
from signatures.schema import PatientContext, Span


def quantities(text: str) -> dict[str, tuple[float, str | None]]:
    return {q.analyte: (q.low, q.unit) for q in read_patient(text).quantities}


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("18-month-old", 1.5, 1.5),
        ("6 wk", 6 * 7 / 365.25, 6 * 7 / 365.25),
        ("7 y.o. boy", 7, 7),
        ("72F", 72, 72),
        ("a man in his 60s", 60, 69),
        ("sixty-two-year-old", 62, 62),
        ("aged 62", 62, 62),
        ("A 5-year-old boy is brought by his 40-year-old mother.", 5, 5),
        ("A mother brings her 5-year-old son.", 5, 5),
        ("A 60-year-old woman visits with her 3-year-old grandson.", 60, 60),
        ("A 45-year-old with a 3-year history of diabetes and 20 pack-years", 45, 45),
    ],
)
def test_age(text: str, low: float, high: float) -> None:
    age = read_patient(text).age
    assert age is not None
    assert (age.low, age.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    "text",
    [
        "28 weeks' gestation",
        "Menarche was at age 12.",
        "He quit smoking 10 years ago.",
        "His father died at the age of 50.",
        "Symptoms for 3 years.",
    ],
)
def test_no_age(text: str) -> None:
    assert read_patient(text).age is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("platelet count of 95,000/mm³", {"platelets": (95000, "1/uL")}),
        ("eGFR of 24 mL/min/1.73 m²", {"egfr": (24, "mL/min/1.73m2")}),
        ("HbA1c 9.2%", {"hba1c": (9.2, "%")}),
        ("HbA1c 9.0% or 75 mmol/mol", {"hba1c": (9.0, "%")}),
        ("K+ 5.9", {"potassium": (5.9, None)}),
        ("potassium 5,9 mmol/L", {"potassium": (5.9, "mmol/L")}),
        ("BP 172/98", {"systolic_bp": (172, "mmHg"), "diastolic_bp": (98, "mmHg")}),
        ("SpO2 88% on room air", {"spo2": (88, "%")}),
        ("WBC 11 × 10⁹/L", {"wbc": (11, "1e9/L")}),
        ("WBC 11 x 10*9/L", {"wbc": (11, "1e9/L")}),
        ("Na 128 mEq/L (normal 135-145)", {"sodium": (128, "mEq/L")}),
        ("Platelets 95,000/mm3 (N: 150,000–400,000)", {"platelets": (95000, "1/uL")}),
        ("platelets (normal 150-400): 95 ×10⁹/L", {"platelets": (95, "1e9/L")}),
        ("creatinine rose from 1.0 to 2.4 mg/dL", {"creatinine": (2.4, "mg/dL")}),
        ("T-score of −2.8", {"t_score": (-2.8, None)}),
        ("a target HbA1c of 7%", {}),
        ("metformin 500 mg and calcium 600 mg daily", {}),
        ("urine sodium of 20 mEq/L", {}),
        ("She was met in clinic; T3 level pending", {}),
    ],
)
def test_quantities(text: str, expected: dict[str, tuple[float, str | None]]) -> None:
    assert quantities(text) == expected


def test_an_open_comparator_is_an_open_range() -> None:
    (found,) = read_patient("eGFR <30 mL/min/1.73 m²").quantities
    assert found.low == float("-inf")
    assert found.high == pytest.approx(30, rel=1e-5)
    assert found.high < 30


@pytest.mark.parametrize(
    ("text", "pregnant", "weeks", "trimester"),
    [
        ("28 weeks' gestation", True, 28, 3),
        ("G2P1 at 32w4d", True, 32 + 4 / 7, 3),
        ("She is in the 29th week of pregnancy.", True, 29, 3),
        ("first trimester", True, None, 1),
        ("6 weeks postpartum", False, None, None),
        ("not pregnant", False, None, None),
        ("β-hCG negative", False, None, None),
        ("Pregnancy is excluded.", False, None, None),
    ],
)
def test_pregnancy(text: str, pregnant: bool, weeks: float | None, trimester: int | None) -> None:
    found = read_patient(text).pregnancy
    assert found is not None
    assert (found.pregnant, found.trimester) == (pregnant, trimester)
    assert found.weeks == (None if weeks is None else pytest.approx(weeks))


@pytest.mark.parametrize(
    "text", ["She wants to become pregnant.", "An infant born at 28 weeks' gestation.", "A man."]
)
def test_pregnancy_unknown(text: str) -> None:
    assert read_patient(text).pregnancy is None


def test_lactation() -> None:
    assert read_patient("breastfeeding").lactating is True
    assert read_patient("She is not breastfeeding.").lactating is False
    assert read_patient("A woman").lactating is None


@pytest.mark.parametrize(
    ("text", "sex"),
    [
        ("A 62-year-old woman and her husband", "female"),
        ("72M", "male"),
        ("they", None),
        ("patient", None),
        ("A 20-year-old pregnant patient", "female"),
    ],
)
def test_sex(text: str, sex: str | None) -> None:
    assert read_patient(text).sex == sex


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She denies chest pain.", [("chest pain", "absent")]),
        ("His father had schizophrenia.", [("schizophrenia", "family")]),
        ("He has not only asthma but also gout.", [("asthma", "present"), ("gout", "present")]),
        ("She takes lisinopril and is allergic to penicillin.",
         [("lisinopril", "present"), ("penicillin", "allergy")]),
        ("Warfarin was stopped 2 weeks ago.", [("Warfarin", "stopped")]),
        ("He completed a course of ciprofloxacin 5 days ago.", [("ciprofloxacin", "past")]),
        ("There is no family history of breast cancer.",
         [("family history of breast cancer", "absent")]),
        ("Which drug should be avoided?", []),
        ("Should warfarin be started?", []),
        ("He received the influenza vaccine.", []),
        ("The adrenal insufficiency is so far uncorrected.",
         [("uncorrected adrenal insufficiency", "present")]),
        ("He smokes.", [("smokes", "present")]),
    ],
)  # fmt: skip
def test_facts(text: str, expected: list[tuple[str, str]]) -> None:
    found = read_patient(text).facts
    shown = [(f.span.text if f.kind == "habit" else f.name, f.assertion) for f in found]
    assert shown == expected


def test_days_since() -> None:
    (fact,) = read_patient("Warfarin was stopped 2 weeks ago.").facts
    assert fact.days_ago == 14


def spans(patient: PatientContext) -> list[Span]:
    single = [part.span for part in (patient.age, patient.pregnancy) if part is not None]
    return single + [q.span for q in patient.quantities] + [f.span for f in patient.facts]


def test_spans_are_the_original_text() -> None:
    text = "A 62\u2013year\u2013old woman, eGFR\u00a0of 24, has Crohn\u2019s disease and smokes."
    found = spans(read_patient(text))
    assert len(found) >= 4
    assert all(text[span.start : span.end] == span.text for span in found)


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(text[s.start : s.end] == s.text for s in spans(read_patient(text)))


def test_real_questions_are_read() -> None:
    root = os.environ.get("QKGRAM_SHARED") or str(Path(__file__).parents[3] / "shared")
    path = Path(root) / "data" / "medqa_focused_1030.json"
    if not path.is_file():
        pytest.skip("medqa_focused_1030.json is not there")
    rows = json.loads(path.read_text(encoding="utf-8"))[:200]
    patients = [read_patient(row["question"]) for row in rows]
    assert sum(patient.age is not None for patient in patients) > 150
    assert sum(patient.sex is not None for patient in patients) > 150
