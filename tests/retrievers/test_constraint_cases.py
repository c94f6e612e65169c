"""The table of (constraint, patient) cases: one readable row each, both texts in plain words."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from retrievers.matching import match_item
from retrievers.patient import read_patient
from signatures.schema import ConstraintItem

CASES = tuple(
    csv.DictReader(
        Path(__file__).with_name("constraint_cases.csv").read_text(encoding="utf-8").splitlines()
    )
)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, str]) -> None:
    item = ConstraintItem(
        patient_characteristics=case["constraint"],
        applicability="Definitely Applicable",
        evidence="",
    )
    verdict = match_item(item, read_patient(case["patient"]))
    assert verdict.match == case["expected"], "\n".join(verdict.audit)
    assert verdict.audit


def test_the_table_is_large_and_its_ids_are_unique() -> None:
    assert len(CASES) >= 240
    assert len({case["id"] for case in CASES}) == len(CASES)
