"""Ages in several parts and in few words."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("A 71 year 3 month old man", 71.25),
        ("A woman who is 71 years and 6 months old", 71.5),
        ("A woman, 71 years, 3 months of age", 71.25),
        ("A 9-year-3-month-old girl", 9.25),
        ("A boy aged 9 years 6 months", 9.5),
        ("A 12½-year-old boy", 12.5),
        ("A 12 1/2-year-old boy", 12.5),
        ("A man of 71 years", 71),
        ("A woman of 34 with gout", 34),
        ("A man (71) has gout", 71),
        ("A girl, 9, has asthma", 9),
    ],
)
def test_ages(text: str, years: float) -> None:
    age = read_patient(text).age
    assert age is not None
    assert [age.low, age.high] == pytest.approx([years, years])


@pytest.mark.parametrize(
    "text",
    ["A man of 80 kg", "A man (80 kg) has gout", "A patient of 34 weeks' gestation",
     "She was diagnosed at 9 years 3 months of age", "A 2 year and 3 month history of gout",
     "Which drug suits a man of 65 years or older?"],
)  # fmt: skip
def test_other_times_are_no_ages(text: str) -> None:
    assert read_patient(text).age is None


def test_the_ages_of_relatives_are_not_the_patients() -> None:
    text = "A 40-year-old woman with her 8 years 1 month old daughter"
    age = read_patient(text).age
    assert age is not None
    assert age.low == 40
