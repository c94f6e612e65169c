"""DESIGN.md §3, first table: from verdicts on items to F."""

from __future__ import annotations

from typing import get_args

import pytest

from retrievers.validity import LEVELS, Validity, validity
from signatures.schema import Applicability, ConstraintItem, ConstraintVerdict, Match

DA, IL, ND, DL, DN = get_args(Applicability)


def verdict(level: Applicability, match: Match, text: str = "pregnant") -> ConstraintVerdict:
    item = ConstraintItem(patient_characteristics=text, applicability=level, evidence="")
    return ConstraintVerdict(id="e1.0", item=item, match=match, decided_by="rules", audit=())


def general(level: Applicability) -> ConstraintVerdict:
    return verdict(level, "MET", "general population")


TABLE: tuple[tuple[str, str, list[ConstraintVerdict], Validity], ...] = (
    ("no items", "indication", [], Validity(1.0)),
    ("met, applicable", "indication", [verdict(DA, "MET")], Validity(1.0, "RECOMMENDED")),
    ("met, excluded", "indication", [verdict(DN, "MET")], Validity(0.0, "AVOID", True)),
    ("met, less likely", "off-label use", [verdict(DL, "MET")], Validity(0.25, "AVOID", True)),
    ("met, undecided level", "indication", [verdict(ND, "MET")], Validity(0.5, "CAUTION")),
    ("met, contraindication", "contraindication", [verdict(DA, "MET")], Validity(1.0, "AVOID")),
    (
        "met, no contraindication",
        "contraindication",
        [verdict(DN, "MET")],
        Validity(0.0, None, True),
    ),
    ("met, effect", "drug_effect", [verdict(IL, "MET")], Validity(0.75)),
    (
        "furthest from one half wins",
        "indication",
        [verdict(IL, "MET"), verdict(DN, "MET")],
        Validity(0.0, "AVOID", True, True),
    ),
    (
        "a tie falls to the safer side: lower for a benefit",
        "indication",
        [verdict(DA, "MET"), verdict(DN, "MET")],
        Validity(0.0, "AVOID", True, True),
    ),
    (
        "a tie falls to the safer side: higher for a harm",
        "contraindication",
        [verdict(DA, "MET"), verdict(DN, "MET")],
        Validity(1.0, "AVOID", False, True),
    ),
    (
        "a specific item wins over the general one",
        "indication",
        [general(DA), verdict(DL, "MET")],
        Validity(0.25, "AVOID", True),
    ),
    (
        "the general one counts alone",
        "indication",
        [general(DA), verdict(DN, "INDETERMINATE")],
        Validity(1.0, "RECOMMENDED"),
    ),
    (
        "none met, some unknown",
        "indication",
        [verdict(DN, "NOT_MET"), verdict(DN, "INDETERMINATE")],
        Validity(0.5, "CAUTION"),
    ),
    ("none met, some unjudged", "indication", [verdict(DA, "UNJUDGED")], Validity(0.5, "CAUTION")),
    (
        "stated for other groups only",
        "indication",
        [verdict(DA, "NOT_MET"), verdict(IL, "NOT_MET")],
        Validity(0.0),
    ),
    (
        "only exceptions, none applies",
        "indication",
        [verdict(DN, "NOT_MET"), verdict(DL, "NOT_MET")],
        Validity(1.0),
    ),
    ("mixed", "indication", [verdict(DA, "NOT_MET"), verdict(DN, "NOT_MET")], Validity(0.5)),
    ("undecided level, not met", "indication", [verdict(ND, "NOT_MET")], Validity(0.5)),
)


@pytest.mark.parametrize(
    ("name", "relation", "verdicts", "expected"), TABLE, ids=[r[0] for r in TABLE]
)
def test_row(
    name: str, relation: str, verdicts: list[ConstraintVerdict], expected: Validity
) -> None:
    assert validity(verdicts, relation) == expected, name


def test_a_relation_for_other_groups_may_be_downweighted() -> None:
    assert validity([verdict(DA, "NOT_MET")], "indication", unmet="downweight").value == 0.25


def test_a_not_met_item_never_reverses_its_level() -> None:
    assert validity([verdict(DN, "NOT_MET"), general(DA)], "indication").value == 1.0


def test_conventional_ignores_items() -> None:
    assert validity([verdict(DN, "MET")], "indication", paradigm="conventional") == Validity(1.0)


def test_mu_is_the_mean_and_ignores_the_patient() -> None:
    items = [verdict(DA, "NOT_MET"), verdict(DN, "MET"), verdict(IL, "INDETERMINATE")]
    found = validity(items, "indication", paradigm="mu")
    assert found == Validity((1 + 0 + 0.75) / 3)


def test_the_scale_is_ordered() -> None:
    assert [LEVELS[level] for level in get_args(Applicability)] == [1.0, 0.75, 0.5, 0.25, 0.0]
