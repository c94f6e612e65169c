"""Reading constraints: what is understood to the last word, and what is left to a model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.expression_types import (
    All,
    AnyOf,
    AtLeast,
    Everyone,
    HasDiagnosis,
    Measure,
    Negated,
    TakesDrug,
)
from retrievers.expressions import is_unconditional, parse_condition


def shape(text: str) -> str | None:
    found = parse_condition(text)
    return None if found is None else type(found).__name__


@pytest.mark.parametrize(
    "text",
    [
        "patients with poor adherence",
        "diabetes and hypertension or asthma",
        "without heart failure and CKD",
        "pregnant with a male fetus",
        "ALT > 3x baseline",
        "history of tendon disorder with a fluoroquinolone",
        "using mealtime insulin without reaching glycaemic goals",
        "recent fluoroquinolone exposure",
        "absence of contraindications",
        "eGFR < 30 bananas",
        "eGFR < 30 in the morning",
        "severe",
        "",
    ],
)
def test_left_to_a_model(text: str) -> None:
    assert parse_condition(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("general population", "Everyone"),
        ("age ≥65 AND eGFR <30", "All"),
        ("diabetes OR CKD", "AnyOf"),
        ("unless on dialysis", "Negated"),
        ("without heart failure or CKD", "Negated"),
        ("at least two of the following: hypertension, diabetes, obesity", "AtLeast"),
        ("pregnant women and children under 2 years", "AnyOf"),
        ("second- or third-degree atrioventricular block without a pacemaker", "All"),
        ("severe renal or hepatic impairment", "AnyOf"),
        ("severe renal impairment", "Concept"),
        ("severe renal impairment (CrCl < 30 mL/min)", "FirstKnown"),
        ("concomitant use of strong CYP3A4 inhibitors (e.g., ketoconazole)", "TakesDrug"),
        ("known hypersensitivity to metformin or any of its components", "AllergyTo"),
        ("current smoker", "HasHabit"),
    ],
)
def test_shape(text: str, expected: str) -> None:
    assert shape(text) == expected


@pytest.mark.parametrize("text", ["eGFR ≥ 30", "eGFR >= 30", "eGFR => 30", "eGFR at least 30"])
def test_one_meaning_of_a_comparator(text: str) -> None:
    found = parse_condition(text)
    assert isinstance(found, Measure)
    assert (found.wanted.low, found.wanted.low_open) == (30, False)


def test_a_verb_opens_a_list() -> None:
    found = parse_condition("diabetes and taking losartan, valsartan, lisinopril or enalapril")
    assert isinstance(found, All)
    diagnosis, drugs = found.parts
    assert isinstance(diagnosis, HasDiagnosis)
    assert isinstance(drugs, AnyOf)
    assert [d.name for d in drugs.parts if isinstance(d, TakesDrug)] == [
        "losartan", "valsartan", "lisinopril", "enalapril",
    ]  # fmt: skip


def test_brackets_group() -> None:
    found = parse_condition("BMI ≥ 27 kg/m² and (hypertension or not asthma)")
    assert isinstance(found, All)
    inner = found.parts[1]
    assert isinstance(inner, AnyOf)
    assert isinstance(inner.parts[1], Negated)


def test_counting() -> None:
    found = parse_condition("at least 2 of: age > 60 years, current smoker, corticosteroid use")
    assert isinstance(found, AtLeast)
    assert (found.count, len(found.parts)) == (2, 3)


def test_general_population_is_unconditional_and_nothing_else_is() -> None:
    assert isinstance(parse_condition("General population"), Everyone)
    assert is_unconditional("all patients")
    assert not is_unconditional("adults")


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    parse_condition(text)
