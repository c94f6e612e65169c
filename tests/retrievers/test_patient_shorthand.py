"""Short names that clinicians type: vital signs, values, stages, diseases and drugs."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


def values(text: str) -> list[tuple[str, float]]:
    return [(q.analyte, round(q.low, 2)) for q in read_patient(text).quantities]


def facts(text: str) -> list[str]:
    return [fact.name for fact in read_patient(text).facts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Creat 2.4", ("creatinine", 2.4)), ("Glu 245", ("glucose", 245)),
        ("gluc 180", ("glucose", 180)), ("BG 320", ("glucose", 320)),
        ("FBG 140", ("fasting_glucose", 140)), ("Fingerstick 340", ("glucose", 340)),
        ("BM 24.1", ("glucose", 24.1)), ("BM 3 mmol/L", ("glucose", 3)),
        ("bili 3.2", ("bilirubin", 3.2)), ("T bili 3.2", ("bilirubin", 3.2)),
        ("bicarb 14", ("bicarbonate", 14)), ("Plt 90k", ("platelets", 90)),
        ("WBC 12K", ("wbc", 12)), ("Wt 82 kg", ("weight", 82)), ("Ht 170 cm", ("height", 170)),
        ("T 38.9", ("temperature", 38.9)), ("T 101.3 F", ("temperature", 101.3)),
    ],
)  # fmt: skip
def test_a_short_name_is_read(text: str, expected: tuple[str, float]) -> None:
    assert values(text) == [expected]


def test_a_row_of_vital_signs() -> None:
    read = values("T 38 P 112, BP 90/60, RR 18")
    assert read[:2] == [("temperature", 38), ("heart_rate", 112)]


@pytest.mark.parametrize(
    "text",
    [
        "T 12.5", "P 0.03", "P < 0.05", "P 50", "T 38 days", "BM 3 today", "BM 2.5 days ago",
        "Birth wt 3 kg", "Wt 5 kg loss", "Wt 180", "Ht 45", "CD8 T 38", "T -2.5",
    ],
)  # fmt: skip
def test_what_a_letter_may_also_mean_is_not_read(text: str) -> None:
    assert values(text) == []


def test_a_k_apart_from_its_number_is_potassium() -> None:
    assert values("Na 140 K 4.2") == [("sodium", 140), ("potassium", 4.2)]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("CKD4", 15, 30), ("CKD3b", 30, 45), ("CKD 3a, HTN", 45, 60), ("CKD5 on dialysis", 0, 15),
        ("CKD 4, HTN", 15, 30), ("ckd3", 30, 60), ("CKD G3bA3", 30, 45), ("G3bA3", 30, 45),
        ("GFR category G4", 15, 30), ("KDIGO G3a", 45, 60), ("CKD3-4", 15, 60),
    ],
)  # fmt: skip
def test_a_stage_written_together(text: str, low: float, high: float) -> None:
    (egfr,) = read_patient(text).quantities
    assert (egfr.analyte, egfr.low, round(egfr.high, 2)) == ("egfr", low, high)


@pytest.mark.parametrize(
    "text",
    ["CKD 2/2 DM", "CKD for 3 years", "CKD, 2 stents", "CKD 2 years ago", "KDIGO stage 3 AKI",
     "G3P2", "G4P2A1", "CKD 4 months"],
)  # fmt: skip
def test_another_number_is_no_stage(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("67m htn dm ckd", ["htn", "dm", "ckd"]),
        ("58f t2dm, copd, gerd, afib, hfref", ["t2dm", "copd", "gerd", "afib", "hfref"]),
        ("PMH: CCF, LVF, PAF, ESRF, DMII", ["CCF", "LVF", "PAF", "ESRF", "DMII"]),
        ("PMH: Addison's, OA, UGIB, CKD4", ["Addison's", "OA", "UGIB", "CKD4"]),
        ("Meds: GTN, Coumadin, Tegretol, Epilim", ["GTN", "Coumadin", "Tegretol", "Epilim"]),
        ("Meds: Septrin, Biaxin, linezolid", ["Septrin", "Biaxin", "linezolid"]),
        ("She is on the pad and took a cab; the cad was ill; ms and ra and pe", []),
    ],
)
def test_names_in_short(text: str, expected: list[str]) -> None:
    assert facts(text) == expected
