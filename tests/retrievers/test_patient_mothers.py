"""A pregnancy's weeks, its end, and what is told of the child rather than the mother."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


def names(text: str) -> set[str]:
    return {quantity.analyte for quantity in read_patient(text).quantities}


@pytest.mark.parametrize(
    ("text", "weeks", "trimester"),
    [
        ("A 30-year-old woman at 34+3 weeks' gestation", 34 + 3 / 7, 3),
        ("She is 36 2/7 weeks pregnant.", 36 + 2 / 7, 3),
        ("G2P1 at 36 2/7 weeks", 36 + 2 / 7, 3),
        ("G1P0 at 34 + 3 weeks gestation", 34 + 3 / 7, 3),
        ("A 30-year-old woman at 34+3 weeks has hypertension.", 34 + 3 / 7, 3),
        ("A pregnant woman at 34+3/40 with headache", 34 + 3 / 7, 3),
        ("45yo woman, G2P1, 28/40, gestational diabetes", 28, 3),
        ("32/40 pregnant", 32, 3),
        ("G3P1, miscarriage at 10 weeks, now 20 weeks pregnant", 20, 2),
        ("gestational age 31 weeks and 4 days", 31 + 4 / 7, 3),
        ("She is 10 weeks pregnant.", 10, 1),
        ("twenty-four weeks pregnant", 24, 2),
    ],
)
def test_weeks(text: str, weeks: float, trimester: int) -> None:
    found = read_patient(text).pregnancy
    assert found is not None
    assert found.weeks == pytest.approx(weeks)
    assert found.trimester == trimester


@pytest.mark.parametrize(
    "text",
    ["A pregnant woman, MADRS 32/40", "26-28 weeks pregnant", "A pregnant woman, BP 132/40"],
)
def test_weeks_that_are_not_told(text: str) -> None:
    found = read_patient(text).pregnancy
    assert found is not None
    assert found.pregnant
    assert (found.weeks, found.trimester) == (None, None)


@pytest.mark.parametrize("text", ["A man with pain 7/40", "ex-preterm infant born at 34+3 weeks"])
def test_no_pregnancy(text: str) -> None:
    assert read_patient(text).pregnancy is None


def test_gestational_age_is_no_age() -> None:
    assert read_patient("gestational age of 31 weeks").age is None
    assert read_patient("gestational age 31 weeks and 4 days").age is None


@pytest.mark.parametrize(
    ("text", "pregnant"),
    [
        ("A woman, G1P0 at 39 weeks, delivers a 3.5 kg boy.", False),
        ("A woman at 39 weeks' gestation gives birth to a girl.", False),
        ("A woman, G1P0 at 39 weeks, delivered a healthy boy and bleeds.", None),
        ("A woman, caesarean section 3 days ago at 38 weeks' gestation, has a fever.", False),
        ("A pregnant woman had a C-section 3 days ago.", False),
        ("A pregnant woman asks what happens if she gives birth to a girl.", True),
        ("A woman, G2P1 at 30 weeks' gestation, delivered a boy 3 years ago.", True),
        ("A pregnant woman is given oxygen delivered via mask.", True),
        ("A woman at 32 weeks' gestation with a previous cesarean section", True),
        ("A woman at 39 weeks' gestation is to be delivered of a boy.", True),
        ("UPT +ve", True),
        ("bHCG positive", True),
        ("UPT -ve", False),
        ("A 60-year-old man with testicular cancer, bHCG positive", None),
    ],
)
def test_the_end_and_the_tests_of_a_pregnancy(text: str, pregnant: bool | None) -> None:
    found = read_patient(text).pregnancy
    assert (None if found is None else found.pregnant) is pregnant


@pytest.mark.parametrize(
    "text",
    [
        "A 30-year-old woman, G1P0 at 39 weeks, delivers a 3.5 kg boy.",
        "A 28-year-old woman gave birth 2 days ago. Baby weighs 3.2 kg.",
        "A 28-year-old woman delivers a boy. He weighs 3.2 kg. She has fever.",
        "A 28-year-old woman at 32 weeks' gestation. The fetus has a heart rate of 150/min.",
    ],
)
def test_the_childs_values_are_not_the_mothers(text: str) -> None:
    assert names(text) == set()


@pytest.mark.parametrize(
    ("text", "name", "low"),
    [
        ("A pregnant woman. Fetal heart rate is 150/min, BP 150/95.", "systolic_bp", 150),
        ("A pregnant woman. The fetus moves; her heart rate is 88/min.", "heart_rate", 88),
        ("A 28-year-old woman, breastfeeding her infant, weighs 60 kg.", "weight", 60),
        ("A newborn boy weighs 3.2 kg. His mother is a 30-year-old woman.", "weight", 3.2),
        ("A 28-year-old woman brings her infant. The infant weighs 7 kg.", "weight", 7),
        ("An infant weighs 4 kg.", "weight", 4),
    ],
)
def test_values_of_the_patient_stay(text: str, name: str, low: float) -> None:
    assert [q.low for q in read_patient(text).quantities if q.analyte == name] == [low]
