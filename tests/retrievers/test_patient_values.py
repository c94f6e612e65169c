"""Values as texts word them: limits, ranges, older and newer ones, units that are not known."""

from __future__ import annotations

import math

import pytest

from retrievers.patient import read_patient


def ends(text: str, analyte: str = "egfr") -> list[tuple[float, float]]:
    patient = read_patient(text)
    return [(q.low, q.high) for q in patient.quantities if q.analyte == analyte]


@pytest.mark.parametrize(
    "words",
    [
        "below 30",
        "of below 30",
        "just below 30",
        "well below 30",
        "persistently below 30",
        "Below 30",
        "which is below 30",
        "that is under 30",
        "nearly 30",
        "almost 30",
        "less than 30",
        "< 30",
        "lower than 30",
        "fell to below 30",
        "dropped to less than 30",
        "a little under 30",
        "was 68, now below 30",
        "was 68 and fell to below 30",
    ],
)
def test_less_than_a_number_is_not_the_number(words: str) -> None:
    ((low, high),) = ends(f"A woman of 71 years has an eGFR {words}.")
    assert low == -math.inf
    assert 29.9 < high < 30


@pytest.mark.parametrize(
    "words",
    [
        "up to 29",
        "no higher than 29",
        "not more than 29",
        "not above 29",
        "no greater than 29",
        "at most 29",
        "at or below 29",
        "29 or less",
        "29 mL/min or below",
        "of 29 or lower",
    ],
)
def test_at_most_includes_the_number(words: str) -> None:
    assert ends(f"Her eGFR is {words}.") == [(-math.inf, 29.0)]


@pytest.mark.parametrize(
    "words",
    [
        "over 60",
        "above 60",
        "in excess of 60",
        "exceeded 60",
        "higher than 60",
        "slightly above 60",
        "rose above 60",
        "more than 60",
    ],
)
def test_more_than_a_number(words: str) -> None:
    ((low, high),) = ends(f"His eGFR {words}.")
    assert 60 < low < 60.1
    assert high == math.inf


@pytest.mark.parametrize(
    "words", ["at least 60", "not below 60", "no less than 60", "at or above 60", "60 or more"]
)
def test_at_least_includes_the_number(words: str) -> None:
    assert ends(f"His eGFR is {words}.") == [(60.0, math.inf)]


@pytest.mark.parametrize(
    "words", ["approaching 30", "close to 30", "no longer below 30", "never below 60", "in the 20s"]
)
def test_what_is_no_limit_is_left_out_and_said(words: str) -> None:
    patient = read_patient(f"His eGFR is {words}.")
    assert patient.quantities == ()
    assert len(patient.unread) == 1
    assert patient.age is None


def test_movement_to_a_value_is_the_value() -> None:
    assert ends("Her potassium went up to 6.2.", "potassium") == [(6.2, 6.2)]
    assert ends("Her potassium is now up to 6.2.", "potassium") == [(6.2, 6.2)]


@pytest.mark.parametrize(
    ("words", "sign"),
    [("below 90/60", "<"), ("of over 180/110 mmHg", ">"), ("at least 140/90", ">")],
)
def test_blood_pressures_have_limits(words: str, sign: str) -> None:
    for analyte in ("systolic_bp", "diastolic_bp"):
        ((low, high),) = ends(f"He has a blood pressure {words}.", analyte)
        assert (low == -math.inf) == (sign == "<")
        assert (high == math.inf) == (sign == ">")


@pytest.mark.parametrize(
    ("text", "analyte", "value"),
    [
        ("Potassium was 6.1 last week, now normalised at 4.4 mEq/L.", "potassium", 4.4),
        ("Potassium 6.1 (haemolysed), repeat 4.4.", "potassium", 4.4),
        ("On admission the eGFR was 19; at discharge it was 81.", "egfr", 81),
        ("The eGFR was 81 on admission. At discharge it was 19.", "egfr", 19),
        ("Her eGFR, previously 72, is 21.", "egfr", 21),
        ("Her eGFR, which was 72, is 21.", "egfr", 21),
        ("Her eGFR was at baseline 72, now 21.", "egfr", 21),
        ("Her eGFR declined to 21 from 72.", "egfr", 21),
        ("Her eGFR fell from 72 to 21.", "egfr", 21),
        ("Her eGFR has fallen from a baseline of 72 to 21.", "egfr", 21),
        ("Her potassium was 4.4 and two days later 6.1.", "potassium", 6.1),
        ("Her eGFR is 58 (was 72 in 2019).", "egfr", 58),
    ],
)
def test_the_newest_value_decides(text: str, analyte: str, value: float) -> None:
    assert ends(text, analyte) == [(value, value)]


@pytest.mark.parametrize(
    "text",
    [
        "eGFR 19 in March, 81 in July.",
        "eGFR 19 on Monday and 81 on Thursday.",
        "eGFR 19 in 2021, 81 in 2023.",
        "eGFR 19 from dehydration; after fluids it was 81.",
        "eGFR (19 in March, 81 in July)",
        "eGFR 19, 81 on repeat.",
    ],
)
def test_where_the_newest_is_not_sure_all_are_kept(text: str) -> None:
    assert ends(text) in ([(19, 19), (81, 81)], [(81, 81)])


def test_a_hedged_present_value_takes_the_old_one_away() -> None:
    patient = read_patient("Her eGFR was 72, now approaching 30.")
    assert patient.quantities == ()
    assert patient.unread


@pytest.mark.parametrize(
    "rest",
    [
        "now on metformin 500 mg",
        "she is now 68 years old",
        "now pregnant at 34 weeks",
        "later a platelet count of 90,000",
    ],
)
def test_other_numbers_are_no_newer_values(rest: str) -> None:
    assert ends(f"Her eGFR is 45, {rest}.") == [(45, 45)]


@pytest.mark.parametrize(
    "words",
    [
        "reported as 24",
        "remains at 24",
        "measured yesterday of 24",
        "(24)",
        "by CKD-EPI is 24 mL/min/1.73 m²",
        "(CKD-EPI 2021): 24",
        "\n24",
        "| 24 | >60",
        "| mL/min | 24",
    ],
)
def test_joining_words(words: str) -> None:
    assert ends(f"eGFR {words}") == [(24, 24)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("between 25 and 35", (25, 35)),
        ("ranging from 20 to 28", (20, 28)),
        ("90-120", (90, 120)),
        ("60 to 24", (24, 60)),
        ("was 72 last year, now 20 to 28", (20, 28)),
    ],
)
def test_ranges(words: str, expected: tuple[float, float]) -> None:
    assert ends(f"His eGFR {words}.") == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("CKD stage G4", (15, 30)), ("CKD G3b", (30, 45)), ("CKD stage 3-4", (15, 60))],
)
def test_stages(text: str, expected: tuple[float, float]) -> None:
    ((low, high),) = ends(text)
    assert [low, high] == pytest.approx(list(expected), rel=1e-5)


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("A man weighs 9 stone.", "weighs 9 stone"),
        ("His eGFR 9O is old.", "eGFR 9O"),
        ("eGFR -24", "eGFR -24"),
        ("His eGFR [24] is low.", "eGFR [24]"),
        ("An albumin of 3.4 mg/xL.", "albumin of 3.4 mg/xL"),
        ("A 24 mL/min eGFR.", "24 mL/min eGFR"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, passage: str) -> None:
    patient = read_patient(text)
    assert patient.quantities == ()
    assert patient.unread == (passage,)


@pytest.mark.parametrize(
    "text",
    [
        "Potassium is checked every 3 months.",
        "He takes potassium chloride 20 mEq daily.",
        "INR target 2.5.",
        "A man with type 2 diabetes and a low potassium.",
        "Creatinine in 2019.",
        "K 5.9H, Na 140",
        "Platelets 95,000/mm3 (N: 150,000-400,000)",
    ],
)
def test_other_numbers_are_not_called_unread(text: str) -> None:
    assert read_patient(text).unread == ()


def test_passages_are_short() -> None:
    text = f"Serum potassium concentration {'in a sample that was drawn and then'} 5.x8"
    assert all(len(passage) <= 60 for passage in read_patient(text).unread)
