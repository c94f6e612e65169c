"""Candidates of hubs (known failure A19): both directions stay, the order is fixed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retrievers.candidates import Candidates, LexicalCut, balanced_top, collect
from retrievers.graph import GraphStore
from tests.support.graphs import Fact, make_graph

EFFECTS = [f"effect number {i} of {'kidney' if i % 100 == 0 else 'skin'}" for i in range(500)]
HUB: list[Fact] = [
    *(("Hubdrug", "drug", "drug_effect", effect, "effect/phenotype") for effect in EFFECTS),
    ("Hubdrug", "drug", "contraindication", "porphyria", "disease"),
    ("glaucoma", "disease", "disease_protein", "MYOC", "gene/protein"),
    ("Hubdrug", "drug", "indication", "glaucoma", "disease"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return make_graph(tmp_path_factory.mktemp("hub"), HUB)


def node(graph: GraphStore, name: str) -> int:
    return next(index for label, index in graph.names() if label == name)


def cut(graph: GraphStore, query: str, limit: int, *names: str) -> Candidates:
    labels = [label for label, _ in graph.names()]
    anchors = [node(graph, name) for name in names]
    found = collect(graph, anchors)
    return LexicalCut(labels)(found, query=query, anchors=anchors, limit=limit)


def relations(graph: GraphStore, found: Candidates) -> list[str]:
    return [graph.relations[code] for code in found.relation]


def test_every_edge_of_the_anchors_is_a_candidate_once(graph: GraphStore) -> None:
    found = collect(graph, [node(graph, "Hubdrug"), node(graph, "glaucoma")])
    assert len(found.edge) == 503
    assert sorted(set(found.edge.tolist())) == found.edge.tolist()


def test_no_anchor_means_no_candidate(graph: GraphStore) -> None:
    assert len(collect(graph, []).edge) == 0


def test_the_one_rare_relation_of_a_hub_survives_the_cut(graph: GraphStore) -> None:
    found = cut(graph, "anything else", 20, "Hubdrug")
    assert len(found.edge) == 20
    assert {"contraindication", "indication", "drug_effect"} == set(relations(graph, found))


def test_names_that_share_words_with_the_query_survive_the_cut(graph: GraphStore) -> None:
    found = cut(graph, "does it harm the kidneys?", 20, "Hubdrug")
    names = {graph.node(int(tail)).name for tail in found.tail}
    assert {name for name in EFFECTS if "kidney" in name} <= names


def test_an_edge_between_two_anchors_survives_the_cut(graph: GraphStore) -> None:
    found = cut(graph, "?", 2, "Hubdrug", "glaucoma")
    assert "indication" in relations(graph, found)


def test_the_cut_is_the_same_every_time_and_ascending(graph: GraphStore) -> None:
    one = cut(graph, "kidney", 50, "Hubdrug").edge.tolist()
    assert one == cut(graph, "kidney", 50, "Hubdrug").edge.tolist() == sorted(one)


def test_few_candidates_are_not_cut(graph: GraphStore) -> None:
    assert len(cut(graph, "?", 20, "glaucoma").edge) == 2


def test_incoming_edges_are_represented(tmp_path: Path) -> None:
    graph = make_graph(
        tmp_path,
        [
            *(
                ("G1", "gene/protein", "protein_protein", f"H{i}", "gene/protein")
                for i in range(60)
            ),
            ("A disease", "disease", "disease_protein", "G1", "gene/protein"),
        ],
    )
    found = cut(graph, "?", 10, "G1")
    assert "disease_protein" in relations(graph, found)


def top(graph: GraphStore, score: list[float], limit: int, *names: str) -> Candidates:
    anchors = [node(graph, name) for name in names]
    found = collect(graph, anchors)
    scores = np.array(score * (1 + len(found.edge) // len(score)), np.float32)[: len(found.edge)]
    return balanced_top(scores, found, anchors, limit=limit)


def test_a_hubs_prefilter_keeps_both_directions_and_the_join(graph: GraphStore) -> None:
    hub, disease = node(graph, "Hubdrug"), node(graph, "glaucoma")
    score = np.zeros(503, np.float32)
    found = collect(graph, [hub, disease])
    score[np.flatnonzero(found.relation == graph.relations.index("drug_effect"))] = 1
    kept = balanced_top(score, found, [hub, disease], limit=16)
    assert len(kept.edge) == 16
    assert {"contraindication", "indication", "drug_effect"} <= set(relations(graph, kept))
    pairs = {frozenset(pair) for pair in zip(kept.head.tolist(), kept.tail.tolist(), strict=True)}
    assert frozenset((hub, disease)) in pairs
    assert set(kept.head.tolist()) | set(kept.tail.tolist()) >= {hub, disease}


def test_a_prefilter_takes_the_best_scores_for_the_rest(graph: GraphStore) -> None:
    kept = top(graph, [0.1, 0.9], 40, "Hubdrug")
    best = {edge for i, edge in enumerate(collect(graph, [node(graph, "Hubdrug")]).edge) if i % 2}
    assert len(set(kept.edge.tolist()) & best) >= 38


def test_equal_scores_are_cut_the_same_way_every_time(graph: GraphStore) -> None:
    one, two = (top(graph, [0.5], 32, "Hubdrug", "glaucoma").edge.tolist() for _ in range(2))
    assert one == two == sorted(one)
