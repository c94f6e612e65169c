"""Similarity of whole names and the bounds of the search (known failure B09)."""

from __future__ import annotations

import pytest
from rapidfuzz.distance import Levenshtein

from retrievers.fuzzy import WordCorrector, near_names, similarity
from retrievers.graph import GraphStore
from retrievers.names import NameIndex
from tests.support.graphs import make_graph

NAMES = [
    "hypoparathyroidism",
    "chronic kidney disease",
    "chronic liver disease",
    "diabetes insipidus",
    "amyotrophic lateral sclerosis",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> NameIndex:
    facts = [(name, "disease", "disease_protein", "INSR", "gene/protein") for name in NAMES]
    graph: GraphStore = make_graph(tmp_path_factory.mktemp("fuzzy"), facts)
    return NameIndex(graph, ())


@pytest.mark.parametrize(
    ("one", "other", "levenshtein", "ratio"),
    [
        ("hyperthyroidism", "hypothyroidism", 87, 90),
        ("prednisone", "prednisolone", 83, 91),
        ("diabetic neuropathy", "diabetic nephropathy", 90, 92),
        ("ace", "ace2", 75, 86),
    ],
)
def test_the_two_measures_differ(one: str, other: str, levenshtein: int, ratio: int) -> None:
    assert round(similarity(one, other)) == levenshtein
    assert round(similarity(one, other, rule="paper")) == ratio


def test_a_part_of_a_name_is_not_the_name(index: NameIndex) -> None:
    assert near_names(index, "diabetes", rule="guarded", cutoff=90) == ()
    assert near_names(index, "diabetes", rule="paper", cutoff=90) == ()


@pytest.mark.parametrize("mention", ["cronic kidney disease", "chronic kidneyy disease"])
def test_the_length_window_loses_nothing(index: NameIndex, mention: str) -> None:
    brute = {n for n in NAMES if Levenshtein.normalized_similarity(mention, n) >= 0.9}
    assert {hit.key for hit in near_names(index, mention, rule="guarded", cutoff=90)} == brute


def test_objections_travel_with_the_hit(index: NameIndex) -> None:
    (hit,) = near_names(index, "hyperparathyroidism", rule="guarded", cutoff=85)
    assert hit.objection == "opposite prefixes: hyper / hypo"


def test_only_unknown_words_are_corrected(index: NameIndex) -> None:
    correct = WordCorrector(index).correct
    assert correct("kidny") == ("kidney",)
    assert correct("kidney") == ()
    assert correct("xyz") == ()
