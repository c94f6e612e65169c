"""The two layers around a node (QKG 3.1.1), as a store with its constraints and aliases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retrievers.build import build_store
from retrievers.graph import GraphStore
from retrievers.subgraph import find_center, layers_of, write_subgraph
from signatures.errors import InputError
from tests.support.graphs import Fact, make_graph

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

D, G, P, S = "disease", "gene/protein", "drug", "effect/phenotype"
FACTS: list[Fact] = [
    ("metformin", P, "indication", "diabetes", D),
    ("diabetes", D, "disease_protein", "INS", G),
    ("diabetes", D, "disease_disease", "obesity", D),
    ("metformin", P, "drug_protein", "SLC22A1", G),
    ("metformin", P, "drug_effect", "nausea", S),
    ("INS", G, "protein_protein", "SLC22A1", G),
    ("INS", G, "protein_protein", "INS", G),
    ("statin", P, "drug_effect", "nausea", S),
    ("statin", P, "indication", "gout", D),
    ("metformin", P, "indication", "obesity", D),
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return make_graph(tmp_path_factory.mktemp("whole"), FACTS)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    store = tmp_path_factory.mktemp("small") / "store"
    build_store(FIXTURES / "kg_small.csv", store, constraints=FIXTURES / "constraints_small.jsonl")
    return GraphStore.open(store)


def texts(graph: GraphStore, edges: object = None) -> set[str]:
    numbers = range(graph.edge_count) if edges is None else np.asarray(edges).tolist()
    return {graph.triplet(number).text for number in numbers}


def test_layers(whole: GraphStore) -> None:
    center = find_center(whole, "diabetes")
    layers = layers_of(whole, center.index)
    assert {whole.node(int(i)).name for i in layers.first} == {"metformin", "INS", "obesity"}
    assert len(layers.direct) == 3
    assert not set(layers.direct.tolist()) & set(layers.indirect.tolist())
    assert len(layers.indirect) == 5
    assert not any("statin" in text for text in texts(whole, layers.indirect))


def test_counts_in_rows_and_edges(whole: GraphStore, tmp_path: Path) -> None:
    report = write_subgraph(whole, find_center(whole, "diabetes"), tmp_path / "sub")
    assert (report.direct_rows, report.direct_edges, report.first_entities) == (6, 3, 3)
    # The edge from INS to itself is one row, the other four of the layer are two.
    assert (report.indirect_rows, report.indirect_edges) == (9, 5)
    assert (report.rows, report.edges, report.nodes) == (15, 8, 6)
    assert report.edges_by_relation["protein_protein"] == 2
    assert report.rows_by_relation["protein_protein"] == 3
    assert report.nodes_by_type == {"disease": 2, "drug": 1, "effect/phenotype": 1, G: 2}
    assert sum(report.rows_by_relation.values()) == report.rows


def test_result_is_a_store(whole: GraphStore, tmp_path: Path) -> None:
    center = find_center(whole, "diabetes")
    report = write_subgraph(whole, center, tmp_path / "sub")
    sub = GraphStore.open(tmp_path / "sub")
    layers = layers_of(whole, center.index)
    assert texts(sub) == texts(whole, np.union1d(layers.direct, layers.indirect))
    assert sub.fingerprint == report.fingerprint != whole.fingerprint
    assert (sub.manifest.cut_from, sub.manifest.center) == (whole.fingerprint, "MONDO:9001")
    assert sub.manifest.report.rows_read == report.rows
    keys = [(t.head.index, t.relation, t.tail.index) for t in map(sub.triplet, range(8))]
    assert keys == sorted(keys)
    assert sum(sub.degree(n) for n in range(6)) == 2 * 8 - 1
    again = write_subgraph(sub, find_center(sub, "diabetes"), tmp_path / "again")
    assert (again.rows, again.edges, again.nodes) == (report.rows, report.edges, report.nodes)


def test_constraints_and_aliases_are_carried_over(small: GraphStore, tmp_path: Path) -> None:
    report = write_subgraph(small, find_center(small, "MONDO:5148"), tmp_path / "sub")
    sub = GraphStore.open(tmp_path / "sub")
    held = {sub.triplet(int(e)).text: sub.constraints_of(int(e)) for e in sub.constrained_edges()}
    there = {
        small.triplet(int(e)).text: small.constraints_of(int(e)) for e in small.constrained_edges()
    }
    assert held == {text: there[text] for text in texts(sub) & set(there)} != {}
    assert report.constraint_items == sum(map(len, held.values()))
    for index in range(sub.node_count):
        node = sub.node(index)
        twin = next(n for n in small.find_all(node.id) if n.type == node.type)
        assert sub.aliases(index) == small.aliases(twin.index)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MONDO:0005015", "diabetes mellitus (disease)"),
        ("5015.0", "diabetes mellitus (disease)"),
        ("12592", "osteogenesis imperfecta"),
        ("CROHN'S colitis", "Crohn's colitis"),
        ("ND5", "MT-ND5"),
    ],
)
def test_center(small: GraphStore, text: str, name: str) -> None:
    assert find_center(small, text).name == name


def test_center_that_means_several_nodes(tmp_path: Path) -> None:
    graph = make_graph(
        tmp_path,
        [("cough", D, "disease_phenotype_positive", "cough", S), ("x", P, "indication", "y", D)],
    )
    with pytest.raises(InputError, match=r"2 nodes.*MONDO:9000 cough \(disease\); HP:9001 cough"):
        find_center(graph, "cough")
    with pytest.raises(InputError, match="no node"):
        find_center(graph, "MONDO:1")


def test_the_whole_store_is_not_overwritten(whole: GraphStore) -> None:
    with pytest.raises(InputError, match="another folder"):
        write_subgraph(whole, whole.node(0), whole.path)


def test_real_graph(tmp_path: Path, shared_data: Path) -> None:
    build_store(shared_data / "kg_diabetes_qkg_style.csv.gz", tmp_path / "store")
    graph = GraphStore.open(tmp_path / "store")
    report = write_subgraph(graph, find_center(graph, "MONDO:5015"), tmp_path / "sub")
    # The file is such a subgraph itself: nothing of it is lost.
    assert report.rows == graph.manifest.report.rows_read == 40_928
