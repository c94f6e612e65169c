"""Definitions inside a text (known failure B11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.abbreviations import definitions


@pytest.mark.parametrize(
    ("text", "long", "short"),
    [
        (
            "spinal and bulbar muscular atrophy (SBMA) is rare",
            "spinal and bulbar muscular atrophy",
            "SBMA",
        ),
        ("Chronic kidney disease (CKD), stage 3", "Chronic kidney disease", "CKD"),
        ("with type 2 diabetes mellitus (T2DM)", "type 2 diabetes mellitus", "T2DM"),
        (
            "an angiotensin-converting enzyme (ACE) inhibitor",
            "angiotensin-converting enzyme",
            "ACE",
        ),
        ("CKD (chronic kidney disease)", "chronic kidney disease", "CKD"),
    ],
)
def test_definitions_are_found_with_their_place(text: str, long: str, short: str) -> None:
    (found,) = definitions(text)
    assert (found.long, found.short) == (long, short)
    assert text[found.start : found.end] == long


@pytest.mark.parametrize(
    "text",
    [
        "blood pressure 120/80 (normal)",
        "He smokes (20 pack-years)",
        "Hypertension (see Table 2) and asthma",
        "Temperature 38.2 (100.8F)",
        "no parentheses here",
    ],
)
def test_other_parentheses_define_nothing(text: str) -> None:
    assert definitions(text) == ()


@given(st.text(alphabet="abCDe (),.-1", max_size=80))
def test_places_are_right_whatever_the_text(text: str) -> None:
    for found in definitions(text):
        assert text[found.start : found.end] == found.long
