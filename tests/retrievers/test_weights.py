"""Relation weights of Table 7 and of relations outside it."""

from __future__ import annotations

import pytest

from retrievers.weights import relation_weight, weight_table


def test_weights_follow_the_domain() -> None:
    assert relation_weight("indication", "DRUG_THERAPY") == 1.5
    assert relation_weight("indication", "GENE_PROTEIN") == 0.6
    assert relation_weight("bioprocess_protein", "PATHWAY_METABOLISM") == 1.5
    assert relation_weight("disease_phenotype_positive", "DISEASE_SYMPTOM") == 1.5


def test_an_unknown_relation_weighs_one_everywhere() -> None:
    assert relation_weight("compound_trial", "GENE_PROTEIN") == 1.0


def test_the_table_is_in_order_of_relation_codes() -> None:
    assert weight_table(("drug_effect", "indication"), "DRUG_THERAPY").tolist() == pytest.approx(
        [0.7, 1.5]
    )
