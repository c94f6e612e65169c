"""CSV to store to CSV: nothing is lost, whatever stands in a name."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.primekg import COLUMNS
from retrievers.build import build_store
from retrievers.csv_export import export_aliases, export_csv
from retrievers.graph import GraphStore
from signatures.errors import InputError

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

AWKWARD = (
    "Crohn's colitis",
    "3',5'-cyclic-AMP",
    '"pseudo" hypoparathyroidism',
    "diabetes mellitus, noninsulin-dependent, 2",
    "Interferon beta-1a (recombinant)",
    "a -> b {c} [d]",
    "two\nlines",
    " padded ",
    "NA",
)
NAMES = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12
    ).filter(str.strip),
)
KINDS = st.sampled_from(
    [("drug", "DrugBank"), ("disease", "MONDO"), ("gene/protein", "NCBI"), ("compound", "lab")]
)
NODES = st.lists(st.tuples(NAMES, KINDS), min_size=2, max_size=6)
RELATIONS = st.sampled_from(["indication", "drug_protein", "disease_disease", "mim_disease"])
DISPLAYS = st.sampled_from(["", "target", "parent-child", 'a "b", c'])
EDGES = st.lists(
    st.tuples(RELATIONS, DISPLAYS, st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12
)

Shape = tuple[list[object], list[object]]


def shape(graph: GraphStore) -> Shape:
    """Nodes and edges, free of numbers."""
    nodes = [graph.node(i).model_dump(exclude={"index"}) for i in range(graph.node_count)]
    ends = graph.endpoints(range(graph.edge_count))
    edges = [
        (int(h), graph.relations[r], graph.triplet(n).display_relation, int(t))
        for n, (h, r, t) in enumerate(zip(*ends, strict=True))
    ]
    return list(nodes), list(edges)


@settings(max_examples=25, deadline=None)
@given(nodes=NODES, edges=EDGES)
@pytest.mark.filterwarnings("ignore:relation 'mim_disease'")
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    nodes: list[tuple[str, tuple[str, str]]],
    edges: list[tuple[str, str, int, int]],
) -> None:
    folder = tmp_path_factory.mktemp("round")
    ends = [[str(n), f"I{n}", k, name, source] for n, (name, (k, source)) in enumerate(nodes)]
    with (folder / "kg.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for relation, display, a, b in edges:
            writer.writerow([relation, display, *ends[a % len(ends)], *ends[b % len(ends)]])
    build_store(folder / "kg.csv", folder / "a")
    first = GraphStore.open(folder / "a")
    rows = export_csv(first, folder / "out.csv")
    build_store(folder / "out.csv", folder / "b")
    second = GraphStore.open(folder / "b")
    assert shape(first) == shape(second)
    assert first.manifest.content_sha256 == second.manifest.content_sha256
    assert second.manifest.report.rows_read == rows
    named = {nodes[n % len(nodes)][0] for _, _, a, b in edges for n in (a, b)}
    assert {first.node(i).name for i in range(first.node_count)} == named


def test_columns_and_both_directions(tmp_path: Path) -> None:
    build_store(FIXTURES / "kg_small.csv", tmp_path / "store")
    graph = GraphStore.open(tmp_path / "store")
    assert export_csv(graph, tmp_path / "out.csv.gz") == 86
    text = gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).decode()
    header, *rows = csv.reader(io.StringIO(text))
    assert tuple(header) == COLUMNS
    assert len({tuple(row) for row in rows}) == 86
    assert {(r[0], *r[2:7], *r[7:]) for r in rows} == {(r[0], *r[7:], *r[2:7]) for r in rows}


def test_other_names_go_to_a_table_that_builds_read(tmp_path: Path) -> None:
    kg = FIXTURES / "kg_small.csv"
    build_store(kg, tmp_path / "a", aliases=[FIXTURES / "mini.obo"])
    first = GraphStore.open(tmp_path / "a")
    assert export_aliases(first, tmp_path / "names.csv") == 4
    export_csv(first, tmp_path / "out.csv")
    build_store(tmp_path / "out.csv", tmp_path / "b", aliases=[tmp_path / "names.csv"])
    second = GraphStore.open(tmp_path / "b")
    assert sorted(first.names()) == sorted(second.names())
    assert first.manifest.content_sha256 == second.manifest.content_sha256


def test_place_that_cannot_be_written(tmp_path: Path) -> None:
    build_store(FIXTURES / "kg_small.csv", tmp_path / "store")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        export_csv(GraphStore.open(tmp_path / "store"), tmp_path / "file" / "out.csv")
