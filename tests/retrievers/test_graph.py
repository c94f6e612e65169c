"""The opened store, on a graph of 43 edges written for these tests."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from data.relations import relation_info
from retrievers.build import build_store
from retrievers.graph import GraphStore, Int32s
from retrievers.manifest import MANIFEST, SCHEMA_VERSION
from signatures.errors import InputError, StoreMismatch, StoreNotFound
from signatures.schema import Node

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "store"
    build_store(FIXTURES / "kg_small.csv", path, constraints=FIXTURES / "constraints_small.jsonl")
    return path


@pytest.fixture(scope="module")
def graph(store: Path) -> GraphStore:
    return GraphStore.open(store)


def named(graph: GraphStore, name: str) -> Node:
    (index,) = [index for label, index in graph.names() if label == name]
    return graph.node(index)


def texts(graph: GraphStore, edges: Int32s) -> list[str]:
    return [graph.triplet(int(edge)).text for edge in edges]


def test_counts(graph: GraphStore) -> None:
    assert (graph.node_count, graph.edge_count) == (39, 43)
    assert len(graph.fingerprint) == 64
    assert graph.manifest.source == "kg_small.csv"


def test_node_rows_follow_the_index_of_the_file(graph: GraphStore) -> None:
    assert graph.node(0) == Node(
        index=0, id="DB00331", type="drug", name="Metformin", source="DrugBank"
    )
    assert graph.node(graph.node_count - 1).name == "bisphenol A"


@pytest.mark.parametrize("index", [-1, 39])
def test_node_out_of_range(graph: GraphStore, index: int) -> None:
    for ask in (graph.node, graph.edges_of, graph.neighbours, graph.degree, graph.aliases):
        with pytest.raises(InputError, match="0 to 38"):
            ask(index)


def test_names_hold_labels_and_aliases(graph: GraphStore) -> None:
    names = list(graph.names())
    assert len(names) == graph.node_count + 1
    assert ("Crohn's colitis", named(graph, "Crohn's colitis").index) in names
    assert ("ND5", named(graph, "MT-ND5").index) in names


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("DB00331", "Metformin"),
        ("DrugBank:DB00331", "Metformin"),
        ("db00331", "Metformin"),
        ("5015", "diabetes mellitus (disease)"),
        ("5015.0", "diabetes mellitus (disease)"),
        ("MONDO:5015", "diabetes mellitus (disease)"),
        ("MONDO:0005015", "diabetes mellitus (disease)"),
        ("13924", "osteogenesis imperfecta"),
        ("MONDO:0014672", "osteogenesis imperfecta"),
        ("13924_12592_14672", "osteogenesis imperfecta"),
        ("HP:0001250", "Seizure"),
        ("HPO:1250", "Seizure"),
        ("NCBIGene:4540", "MT-ND5"),
        ("R-HSA-264876", "Insulin processing"),
    ],
)
def test_find(graph: GraphStore, written: str, name: str) -> None:
    node = graph.find(written)
    assert node is not None
    assert node.name == name


@pytest.mark.parametrize("written", ["", "MONDO:1250", "HP:5015", "DB00332", "5148_13924", "x y"])
def test_find_nothing(graph: GraphStore, written: str) -> None:
    assert graph.find(written) is None


def test_find_prefers_whole_ids_and_diseases(tmp_path: Path) -> None:
    header, *_ = (FIXTURES / "kg_small.csv").read_text(encoding="utf-8").splitlines()
    group, gene, phenotype = (
        "1,55_66,disease,a group,MONDO_grouped",
        "2,55,gene/protein,G55,NCBI",
        ("3,66,effect/phenotype,a sign,HPO"),
    )
    other = "4,66,disease,a disease,MONDO"
    rows = [
        f"disease_protein,associated with,{group},{gene}",
        f"disease_phenotype_positive,phenotype present,{other},{phenotype}",
    ]
    path = tmp_path / "kg.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    build_store(path, tmp_path / "store")
    graph = GraphStore.open(tmp_path / "store")
    assert [node.name for node in graph.find_all("55")] == ["G55", "a group"]
    assert [node.name for node in graph.find_all("66")] == ["a disease", "a sign", "a group"]
    assert [node.name for node in graph.find_all("MONDO:55")] == ["a group"]


def test_triplet_reads_in_canonical_direction(graph: GraphStore) -> None:
    drug, disease = named(graph, "Metformin"), named(graph, "type 2 diabetes mellitus")
    (number,) = graph.between(disease.index, drug.index)
    triplet = graph.triplet(int(number))
    assert (triplet.head, triplet.tail) == (drug, disease)
    assert triplet.text == "Metformin is indicated for type 2 diabetes mellitus"
    assert (triplet.id, graph.edge_number(triplet.id)) == (f"e{number}", number)


def test_hierarchies_are_never_parents(graph: GraphStore) -> None:
    undirected = [r for r in graph.relations if not relation_info(r).directed]
    assert "disease_disease" in undirected
    for number in range(graph.edge_count):
        triplet = graph.triplet(number)
        assert "parent" not in triplet.text
        assert triplet.display_relation == "parent-child" or "hierarch" not in triplet.text


@pytest.mark.parametrize(
    "written", ["412", "e", "e-1", "e1.5", "e43", "e99999999999", "edge 1", ""]
)
def test_what_is_no_triplet_id(graph: GraphStore, written: str) -> None:
    with pytest.raises(InputError):
        graph.edge_number(written)


def test_edges_of_a_node_in_both_directions(graph: GraphStore) -> None:
    disease = named(graph, "type 2 diabetes mellitus")
    edges = graph.edges_of(disease.index)
    assert edges.dtype == np.int32
    assert edges.tolist() == sorted(edges.tolist())
    head, _, tail = graph.endpoints(edges)
    assert (head == disease.index).any()
    assert (tail == disease.index).any()
    assert ((head == disease.index) | (tail == disease.index)).all()
    assert graph.degree(disease.index) == len(edges) == 9


def test_neighbours_agree_with_endpoints(graph: GraphStore) -> None:
    for index in range(graph.node_count):
        nodes, edges = graph.neighbours(index)
        head, _, tail = graph.endpoints(edges)
        assert (head + tail - index).tolist() == nodes.tolist()


def test_both_directions_add_up(graph: GraphStore) -> None:
    assert sum(graph.degree(index) for index in range(graph.node_count)) == 2 * graph.edge_count


def test_edges_are_numbered_by_head_relation_display_tail(graph: GraphStore) -> None:
    keys = [
        (t.head.index, t.relation, t.display_relation, t.tail.index)
        for t in map(graph.triplet, range(graph.edge_count))
    ]
    assert keys == sorted(set(keys))


def test_between_holds_every_relation(graph: GraphStore) -> None:
    drug, kidneys = named(graph, "Lisinopril"), named(graph, "chronic kidney disease")
    assert texts(graph, graph.between(drug.index, kidneys.index)) == [
        "Lisinopril is contraindicated in chronic kidney disease",
        "Lisinopril is used off-label for chronic kidney disease",
    ]
    gene = named(graph, "CYP3A4")
    inhibitor = named(graph, "Linagliptin")
    displays = [
        graph.triplet(int(e)).display_relation for e in graph.between(gene.index, inhibitor.index)
    ]
    assert displays == ["enzyme", "target"]
    assert graph.between(drug.index, gene.index).tolist() == []


def test_endpoints(graph: GraphStore) -> None:
    head, relation, tail = graph.endpoints(np.array([0, 42]))
    assert [column.dtype.name for column in (head, relation, tail)] == ["int32", "uint8", "int32"]
    first = graph.triplet(0)
    assert (head[0], graph.relations[relation[0]], tail[0]) == (
        first.head.index,
        first.relation,
        first.tail.index,
    )
    assert graph.endpoints([]).head.shape == (0,)
    for wrong in ([43], [-1]):
        with pytest.raises(InputError, match="0 to 42"):
            graph.endpoints(wrong)


def test_constraints_of(graph: GraphStore) -> None:
    drug, kidneys = named(graph, "Metformin"), named(graph, "chronic kidney disease")
    (number,) = graph.between(drug.index, kidneys.index).tolist()
    items = graph.constraints_of(number)
    assert [(item.patient_characteristics, item.applicability) for item in items] == [
        ("eGFR < 30 mL/min/1.73 m²", "Definitely Applicable"),
        ("eGFR ≥ 45 mL/min/1.73 m²", "Definitely NOT Applicable"),
    ]
    assert items[0].citation == "FDA label of metformin, 2017"
    assert number in graph.constrained_edges()
    plain = set(range(graph.edge_count)) - set(graph.constrained_edges().tolist())
    assert len(plain) == 39
    assert all(graph.constraints_of(other) == () for other in plain)


def test_an_unknown_relation_is_named_by_the_build_and_worded_by_its_name(tmp_path: Path) -> None:
    lines = (FIXTURES / "kg_small.csv").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "kg.csv"
    renamed = lines[1].replace("indication,indication", "tested_by_these_tests,")
    path.write_text("\n".join([lines[0], renamed]) + "\n", encoding="utf-8")
    built = build_store(path, tmp_path / "store")
    assert any("tested_by_these_tests" in line for line in built.warnings)
    triplet = GraphStore.open(tmp_path / "store").triplet(0)
    assert triplet.text == "Metformin tested by these tests type 2 diabetes mellitus"


def test_the_store_is_never_copied(graph: GraphStore) -> None:
    assert copy.deepcopy({"graph": graph})["graph"] is graph


def test_arrays_are_read_only(graph: GraphStore) -> None:
    with pytest.raises(ValueError, match="read-only"):
        graph.edges_of(0)[0] = 1


def test_require(graph: GraphStore) -> None:
    graph.require(graph.fingerprint, what="the index", remedy="qkgram index")
    with pytest.raises(
        StoreMismatch, match=r"the index was made from store 000.*run: qkgram index"
    ):
        graph.require("0" * 64, what="the index", remedy="qkgram index")


# --- opening what is no store --------------------------------------------------------------------


def test_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound, match="qkgram kg build"):
        GraphStore.open(tmp_path / "nowhere")


def test_store_of_another_version(store: Path, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(store, tmp_path / "store"))
    fields = json.loads((copied / MANIFEST).read_text())
    (copied / MANIFEST).write_text(json.dumps({**fields, "schema_version": SCHEMA_VERSION + 1}))
    with pytest.raises(StoreMismatch, match="schema version.*qkgram kg build"):
        GraphStore.open(copied)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", f'{{"schema_version": {SCHEMA_VERSION}}}']
)
def test_damaged_manifest(store: Path, tmp_path: Path, content: str) -> None:
    copied = Path(shutil.copytree(store, tmp_path / "store"))
    (copied / MANIFEST).write_text(content)
    with pytest.raises(StoreMismatch, match="qkgram kg build"):
        GraphStore.open(copied)


def test_damaged_files_are_found_when_opening(store: Path, tmp_path: Path) -> None:
    files = sorted(path.name for path in store.iterdir() if path.name != MANIFEST)
    assert len(files) == 12
    for name in files:
        copied = Path(shutil.copytree(store, tmp_path / f"cut {name}"))
        content = (copied / name).read_bytes()
        (copied / name).write_bytes(content[: len(content) // 2])
        with pytest.raises(StoreMismatch, match="qkgram kg build"):
            GraphStore.open(copied)
        (copied / name).unlink()
        with pytest.raises(StoreMismatch, match="qkgram kg build"):
            GraphStore.open(copied)
