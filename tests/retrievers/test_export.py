"""Regions and evidence as networkx graphs, GraphML and pictures."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from retrievers.build import build_store
from retrievers.export import FORMATS, evidence_graph, export_region, region_graph, write_graph_file
from retrievers.graph import GraphStore
from signatures.errors import InputError
from signatures.schema import Evidence, Region

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    store = tmp_path_factory.mktemp("export") / "store"
    build_store(FIXTURES / "kg_small.csv", store)
    return GraphStore.open(store)


@pytest.fixture(scope="module")
def region(graph: GraphStore) -> Region:
    """All edges of one drug, two of them parallel, and an anchor that none touches."""
    drug, lonely = graph.find("DB00722"), graph.find("MONDO:5532")
    assert drug is not None
    assert lonely is not None
    triplets = tuple(graph.triplet(int(edge)) for edge in graph.edges_of(drug.index))
    return Region(
        query="Is $lisinopril$ safe & cheap?",
        domain="DRUG_THERAPY",
        anchors=(drug, lonely),
        triplets=triplets,
        relevance=tuple(1 / (n + 1) for n in range(len(triplets))),
        candidates=20,
    )


def test_region_graph(region: Region) -> None:
    drawn = region_graph(region)
    assert set(drawn.edges(keys=True)) == {
        (f"n{t.head.index}", f"n{t.tail.index}", t.id) for t in region.triplets
    }
    anchors = {name for name, data in drawn.nodes(data=True) if data["anchor"]}
    assert anchors == {f"n{node.index}" for node in region.anchors}
    best = region.triplets[0]
    data = drawn.edges[f"n{best.head.index}", f"n{best.tail.index}", best.id]
    assert (data["rank"], data["relevance"], data["text"]) == (1, 1.0, best.text)
    parallel = [(a, b) for a, b in drawn.edges() if drawn.number_of_edges(a, b) == 2]
    assert len(parallel) == 2


def test_graphml_round_trip(region: Region, tmp_path: Path) -> None:
    export_region(region, tmp_path / "new" / "region.graphml")
    read = nx.read_graphml(tmp_path / "new" / "region.graphml", force_multigraph=True)
    drawn = region_graph(region)
    assert read.graph["query"] == region.query
    assert dict(read.nodes(data=True)) == dict(drawn.nodes(data=True))
    assert sorted(d["triplet"] for *_, d in read.edges(data=True)) == sorted(region.ids)


def test_evidence_graph(region: Region, tmp_path: Path) -> None:
    first, second, *_ = region.triplets
    drawn = evidence_graph(
        [
            Evidence(triplet=first, validity=0, label="AVOID", ruled_out=True),
            Evidence(triplet=second, validity=0.5, conflict=True),
        ]
    )
    labels = {
        data["triplet"]: (data["validity"], data["label"]) for *_, data in drawn.edges(data=True)
    }
    assert labels == {first.id: (0, "AVOID"), second.id: (0.5, "")}
    write_graph_file(drawn, tmp_path / "evidence.graphml")
    write_graph_file(drawn, tmp_path / "evidence.svg")


def test_pictures(region: Region, tmp_path: Path) -> None:
    export_region(region, tmp_path / "region.png")
    assert (tmp_path / "region.png").read_bytes().startswith(b"\x89PNG")
    export_region(region, tmp_path / "a.svg")
    export_region(region, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert b"<svg" in (tmp_path / "a.svg").read_bytes()


def test_an_empty_region_is_a_file_too(tmp_path: Path) -> None:
    empty = Region(
        query="?", domain="INTEGRATED", anchors=(), triplets=(), relevance=(), candidates=0
    )
    for ending in FORMATS:
        export_region(empty, tmp_path / f"empty{ending}")
        assert (tmp_path / f"empty{ending}").stat().st_size > 0


def test_what_cannot_be_written(region: Region, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"end in \.graphml, \.png, \.svg"):
        export_region(region, tmp_path / "region.xlsx")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        export_region(region, tmp_path / "file" / "region.graphml")
