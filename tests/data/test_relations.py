"""The relation table: thirty rows, Table 7 as printed, wording in the canonical direction."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import get_args

import pytest

from data.relations import (
    polarity_of,
    reads_forward,
    relation_info,
    relation_table,
    triplet_text,
)
from signatures.schema import Domain

# ReGraM Table 7, row by row, columns in the order of `Domain`.
TABLE_7 = {
    "Interacts_with": (1.5, 0.8, 0.6, 1.0, 1.2),
    "Targets": (0.8, 1.5, 0.8, 1.0, 1.3),
    "Treats": (0.6, 1.5, 1.2, 0.8, 1.1),
    "Causes": (0.5, 0.7, 1.5, 0.8, 1.0),
    "Expressed_in": (1.3, 0.7, 0.5, 1.0, 1.1),
    "Associated_with": (1.0, 1.0, 1.3, 0.9, 1.2),
    "Regulates": (1.4, 0.8, 0.7, 1.5, 1.3),
    "Occurs_in": (0.9, 0.8, 1.0, 1.2, 1.1),
}


def test_every_relation_weighs_what_table_7_prints() -> None:
    for info in relation_table().values():
        assert tuple(info.weights[d] for d in get_args(Domain)) == TABLE_7[info.category]


def test_categories_hold_the_relations_of_the_design() -> None:
    assert Counter(info.category for info in relation_table().values()) == {
        "Interacts_with": 6,
        "Targets": 1,
        "Treats": 3,
        "Causes": 3,
        "Expressed_in": 2,
        "Associated_with": 6,
        "Regulates": 3,
        "Occurs_in": 6,
    }


def test_direction_is_known_exactly_where_the_two_ends_differ() -> None:
    for info in relation_table().values():
        assert info.directed == (info.head_type != info.tail_type)


def test_hierarchies_are_never_worded_as_parent_of() -> None:
    for relation in ("disease_disease", "phenotype_phenotype", "anatomy_anatomy"):
        text = triplet_text("A", relation, "parent-child", "B")
        assert text == "A is hierarchically related to B"


@pytest.mark.parametrize(
    ("display", "text"),
    [
        ("target", "X targets Y"),
        ("carrier", "X is carried by Y"),
        ("enzyme", "X is metabolised by or acts on the enzyme Y"),
        ("transporter", "X is moved by the transporter Y"),
        ("something new", "X acts on Y"),
    ],
)
def test_drug_protein_reads_by_its_display_relation(display: str, text: str) -> None:
    assert triplet_text("X", "drug_protein", display, "Y") == text


def test_braces_and_commas_in_names_survive_wording() -> None:
    assert triplet_text("a {b}, c -> d", "indication", "indication", "e,f") == (
        "a {b}, c -> d is indicated for e,f"
    )


def test_polarity_follows_the_relation_and_the_display_relation() -> None:
    assert polarity_of("indication", "indication", "treats") == 1
    assert polarity_of("indication", "indication", "contraindicated") == -1
    assert polarity_of("off-label use", "off-label use", "treats") == 1
    assert polarity_of("contraindication", "contraindication", "contraindicated") == 1
    assert polarity_of("drug_effect", "side effect", "causes") == 1
    assert polarity_of("disease_phenotype_negative", "phenotype absent", "presents") == -1
    assert polarity_of("anatomy_protein_absent", "expression absent", "associated") == -1
    assert polarity_of("drug_protein", "target", "targets") == 1
    assert polarity_of("drug_protein", "carrier", "targets") == 0


def test_contraindication_with_a_phenotype_still_starts_at_the_drug() -> None:
    assert reads_forward("contraindication", "effect/phenotype", "drug") is False
    assert reads_forward("contraindication", "drug", "effect/phenotype") is True


def test_an_unknown_relation_is_neutral_and_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        info = relation_info("never_seen_relation")
        assert set(info.weights.values()) == {1.0}
        assert info.polarity == {"associated": 1}
        assert triplet_text("A", "never_seen_relation", "x", "B") == "A never seen relation B"
