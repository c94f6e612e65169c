"""Aliases reach the node they mean, with the file they come from, and never make a name unclear."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrievers.build import build_store
from retrievers.graph import GraphStore
from signatures.errors import StoreMismatch

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
FILES = [FIXTURES / name for name in ("mini.obo", "disease_features.csv", "drug_features.csv")]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    store = tmp_path_factory.mktemp("aliases") / "store"
    build_store(FIXTURES / "kg_small.csv", store, aliases=FILES)
    return GraphStore.open(store)


def aliases(graph: GraphStore, id_text: str) -> dict[str, str]:
    node = graph.find(id_text)
    assert node is not None
    pairs = zip(graph.aliases(node.index), graph.alias_sources(node.index), strict=True)
    return dict(pairs)


@pytest.mark.parametrize(
    ("id_text", "wanted"),
    [
        ("HP:1250", {"Epileptic seizure": "mini.obo", 'Seizures, "fits"': "mini.obo"}),
        ("HP:12735", {"Coughing": "mini.obo"}),
        ("DB00331", {"Glucophage": "drug_features.csv"}),
        ("MONDO:5148", {"non-insulin-dependent diabetes mellitus": "disease_features.csv"}),
        ("MONDO:5015", {"diabetes mellitus": "disease_features.csv"}),
        (
            "MONDO:12592",
            {
                "osteogenesis imperfecta type 13": "disease_features.csv",
                "osteogenesis imperfecta, type 11": "disease_features.csv",
            },
        ),
        ("NCBIGene:4540", {"ND5": "graph file"}),
    ],
)
def test_aliases_with_their_source(graph: GraphStore, id_text: str, wanted: dict[str, str]) -> None:
    assert aliases(graph, id_text) == wanted


def test_an_index_of_another_release_is_not_believed(graph: GraphStore) -> None:
    assert aliases(graph, "DB00722") == {}


def test_label_of_another_node_is_left_out(graph: GraphStore) -> None:
    assert "kidney disease" not in aliases(graph, "MONDO:5300")
    report = graph.manifest.report
    assert report.aliases_clashing["mini.obo"] == 1  # Nausea, for a cough
    assert report.aliases_clashing["disease_features.csv"] == 1


def test_counts(graph: GraphStore) -> None:
    report = graph.manifest.report
    assert report.aliases_added == {
        "mini.obo": 3,
        "disease_features.csv": 4,
        "drug_features.csv": 1,
    }
    assert report.aliases_unmatched == {
        "mini.obo": 1,
        "disease_features.csv": 1,
        "drug_features.csv": 1,
    }
    assert report.node_name_conflicts == 1
    assert list(graph.manifest.alias_files) == [file.name for file in FILES]


def test_aliases_change_the_fingerprint(graph: GraphStore, tmp_path: Path) -> None:
    plain = build_store(FIXTURES / "kg_small.csv", tmp_path / "store")
    assert plain.fingerprint != graph.fingerprint
    assert plain.aliases_added == {}


def test_names_hold_the_aliases(graph: GraphStore) -> None:
    node = graph.find("DB00331")
    assert node is not None
    assert ("Glucophage", node.index) in list(graph.names())


def test_a_name_of_two_files_is_the_first_ones(tmp_path: Path) -> None:
    again = tmp_path / "again.csv"
    again.write_text("id,alias\nHP:0001250,epileptic SEIZURE\nHP:0001250,Fit\n", encoding="utf-8")
    report = build_store(
        FIXTURES / "kg_small.csv", tmp_path / "store", aliases=[FIXTURES / "mini.obo", again]
    )
    assert report.aliases_added == {"mini.obo": 3, "again.csv": 1}


def test_store_without_sources_says_so(graph: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = GraphStore.open(graph.path)
    kept = [name for name in bare._nodes.schema.names if name != "alias_sources"]
    monkeypatch.setattr(bare, "_nodes", bare._nodes.select(kept))
    with pytest.raises(StoreMismatch, match="qkgram kg build"):
        bare.alias_sources(0)


def test_real_ontology(tmp_path: Path, shared_data: Path) -> None:
    report = build_store(
        FIXTURES / "kg_small.csv", tmp_path / "store", aliases=[shared_data / "hp.obo.gz"]
    )
    graph = GraphStore.open(tmp_path / "store")
    assert report.aliases_added["hp.obo.gz"] > 10
    assert "Seizures" in aliases(graph, "HP:0001250")
