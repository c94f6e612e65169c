"""Units: one spelling each, exact conversion, and no guess where a number could be two things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.analytes import analyte_table
from retrievers.numbers import Interval
from retrievers.unit_spellings import read_unit
from retrievers.units import convert, resolve_unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("/mm³", "1/uL"),
        ("/mm^3", "1/uL"),
        ("cells/µL", "1/uL"),
        ("10⁹/L", "1e9/L"),
        ("10*9/L", "1e9/L"),
        ("×10^9/L", "1e9/L"),
        ("K/µL", "1e9/L"),
        ("mL/min/1.73 m²", "mL/min/1.73m2"),
        ("kg/m²", "kg/m^2"),
        ("mm Hg", "mmHg"),
        ("mcg/L", "ug/L"),
        ("parsecs", None),
    ],
)
def test_spelling(text: str, unit: str | None) -> None:
    assert read_unit(text) == unit


@pytest.mark.parametrize(
    ("analyte", "value", "source", "target", "expected"),
    [
        ("glucose", 126, "mg/dL", "mmol/L", 6.99),
        ("creatinine", 1.0, "mg/dL", "umol/L", 88.4),
        ("bun", 28, "mg/dL", "mmol/L", 10.0),
        ("urea", 60.06, "mg/dL", "mmol/L", 10.0),
        ("ldl", 100, "mg/dL", "mmol/L", 2.586),
        ("triglycerides", 150, "mg/dL", "mmol/L", 1.694),
        ("bilirubin", 1.0, "mg/dL", "umol/L", 17.1),
        ("calcium", 10, "mg/dL", "mmol/L", 2.495),
        ("uric_acid", 7, "mg/dL", "umol/L", 416.4),
        ("hba1c", 6.5, "%", "mmol/mol", 47.5),
        ("potassium", 5.5, "mEq/L", "mmol/L", 5.5),
        ("calcium", 5.0, "mEq/L", "mmol/L", 2.5),
        ("platelets", 95000, "1/uL", "1e9/L", 95),
        ("temperature", 38.0, "degC", "degF", 100.4),
        ("uacr", 3.4, "mg/mmol", "mg/g", 30.06),
    ],
)
def test_known_conversions(
    analyte: str, value: float, source: str, target: str, expected: float
) -> None:
    found = convert(value, analyte=analyte, source=source, target=target)
    assert found == pytest.approx(expected, rel=2e-3)


PAIRS = [
    (row.name, row.unit, other)
    for row in analyte_table().values()
    for other in row.other_units
    if other != row.unit
]


@given(st.sampled_from(PAIRS), st.floats(0.01, 1e6))
def test_there_and_back(pair: tuple[str, str, str], value: float) -> None:
    analyte, unit, other = pair
    away = convert(value, analyte=analyte, source=unit, target=other)
    assert away is not None
    back = convert(away, analyte=analyte, source=other, target=unit)
    assert back == pytest.approx(value, rel=1e-9)


def test_units_that_do_not_go_together() -> None:
    assert convert(1, analyte="glucose", source="mg/dL", target="mmHg") is None
    assert convert(1, analyte="albumin", source="g/dL", target="mmol/L") is None
    assert (
        convert(1, analyte="creatinine_clearance", source="mL/min", target="mL/min/1.73m2") is None
    )


@pytest.mark.parametrize(
    ("analyte", "value", "unit"),
    [
        ("glucose", 310, "mg/dL"),
        ("glucose", 7.2, "mmol/L"),
        ("creatinine", 1.4, "mg/dL"),
        ("creatinine", 180, "umol/L"),
        ("hba1c", 9.2, "%"),
        ("hba1c", 75, "mmol/mol"),
        ("platelets", 95000, "1/uL"),
        ("platelets", 95, "1e9/L"),
        ("potassium", 5.9, "mmol/L"),
        ("glucose", 30, None),
    ],
)
def test_a_bare_number(analyte: str, value: float, unit: str | None) -> None:
    found, reason = resolve_unit(analyte, Interval(value, value), None)
    assert found == unit
    assert bool(reason) == (unit is None)


def test_an_unbelievable_value_is_not_used() -> None:
    assert resolve_unit("platelets", Interval(5, 5), "1/uL")[0] is None
