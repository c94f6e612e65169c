"""Age, sex, pressures and times as charts and notes write them."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


@pytest.mark.parametrize(
    ("text", "age", "sex"),
    [
        ("Mrs Jones, 68", 68, "female"),
        ("Mr. Smith is 71", 71, "male"),
        ("Mrs Jones (68) has gout.", 68, "female"),
        ("Male, 67 years", 67, "male"),
        ("Female, 67, gout", 67, "female"),
        ("72 yr female", 72, "female"),
        ("72 years, female", 72, "female"),
        ("67yF", 67, "female"),
        ("F/67", 67, "female"),
        ("M/72 with chest pain", 72, "male"),
        ("Age: 68. Sex: F.", 68, "female"),
        ("Age/Sex: 68/M", 68, "male"),
        ("Gender: male, age: 45", 45, "male"),
        ("FH: HTN, father MI age 52. 48M.", 48, "male"),
        ("Dx age 40 T2DM. 67M", 67, "male"),
        ("Menarche age 12. A 34-year-old woman", 34, "female"),
        ("Diagnosed aged 12 with T1DM. Now 40 years old.", 40, None),
        ("A man aged 45 received a kidney from a 30-year-old woman.", 45, "male"),
        ("A man aged 45 with a 3-year-old graft", 45, "male"),
        ("A mother aged 30 brings her 8-year-old son.", 8, "male"),
        ("A mother of a 3-year-old boy calls; he has gout.", 3, "male"),
        ("Age 45, F", 45, "female"),
    ],
)
def test_age_and_sex(text: str, age: float, sex: str | None) -> None:
    patient = read_patient(text)
    assert patient.age is not None
    assert (patient.age.low, patient.sex) == (age, sex)


@pytest.mark.parametrize(
    "text",
    [
        "Onset age 9, T1DM",
        "Father died aged 52 of MI.",
        "Temperature 101F. He has gout.",
        "T 101 F, HR 90",
        "Fever of 99.5 F",
        "Mrs Jones, 68 kg",
        "Ms Lee, 5 mg warfarin",
        "Male, 3 years ago transplanted",
        "BP 120/80, M",
    ],
)
def test_no_age(text: str) -> None:
    assert read_patient(text).age is None


@pytest.mark.parametrize(
    ("text", "sex"),
    [
        ("Her 8-year-old son has asthma. She has migraine.", "female"),
        ("His 8-year-old daughter has asthma. He has migraine.", "male"),
        ("A 30-year-old woman has an 8-year-old son with asthma.", "female"),
        ("A newborn boy born to a 30-year-old woman", "male"),
        ("T 101 F, HR 90", None),
    ],
)
def test_the_sex_of_another(text: str, sex: str | None) -> None:
    assert read_patient(text).sex == sex


@pytest.mark.parametrize(
    ("text", "pressures"),
    [
        ("BP 84 systolic", {"systolic_bp": 84}),
        ("BP 84 over 50", {"systolic_bp": 84, "diastolic_bp": 50}),
        ("He is hypotensive (84/50).", {"systolic_bp": 84, "diastolic_bp": 50}),
        ("hypertensive at 168/98", {"systolic_bp": 168, "diastolic_bp": 98}),
        ("target BP 120 systolic", {}),
        ("BP improved over 50 days", {}),
        ("hypertensive for 12 years", {}),
        ("BP 120/80", {"systolic_bp": 120, "diastolic_bp": 80}),
    ],
)
def test_pressures(text: str, pressures: dict[str, float]) -> None:
    assert {q.analyte: q.low for q in read_patient(text).quantities} == pressures


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("symptom onset 2 h ago", [2]),
        ("Symptom onset was 2 hrs ago.", [2]),
        ("last known well 6 hours ago", [6]),
        ("last seen normal 5 hours ago", [5]),
        ("LKW 6 h ago", [6]),
        ("Symptoms began 30 min ago.", [0.5]),
        ("last seen in clinic 5 hours ago", []),
        ("last known creatinine 6 hours ago", []),
    ],
)
def test_onset(text: str, hours: list[float]) -> None:
    facts = read_patient(text).facts
    found = [fact.days_ago for fact in facts if fact.name == "symptom onset" and fact.days_ago]
    assert [days * 24 for days in found] == pytest.approx(hours)
