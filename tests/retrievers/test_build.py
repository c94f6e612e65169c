"""Building a store: what is merged, what is kept apart, what is reported, what a crash leaves."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.primekg import COLUMNS
from retrievers.build import BuildReport, build_store
from retrievers.graph import GraphStore
from signatures.errors import GraphFileError, InputError

REPO = Path(__file__).resolve().parents[2]
FIXTURES = REPO / "tests" / "fixtures"

End = tuple[str, str, str, str, str]
Row = tuple[str, str, End, End]

METFORMIN: End = ("7", "DB00331", "drug", "Metformin", "DrugBank")
DIABETES: End = ("12", "5148", "disease", "type 2 diabetes mellitus", "MONDO")
KIDNEY: End = ("13", "5240", "disease", "kidney disease", "MONDO")
GENE: End = ("20", "4540", "gene/protein", "MT-ND5", "NCBI")


def edge(relation: str, x: End, y: End, display: str | None = None) -> Row:
    return (relation, display if display is not None else relation, x, y)


def both(relation: str, x: End, y: End, display: str | None = None) -> list[Row]:
    return [edge(relation, x, y, display), edge(relation, y, x, display)]


def write(path: Path, rows: Iterable[Row]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([relation, display, *x, *y] for relation, display, x, y in rows)
    return path


def build(tmp_path: Path, rows: Iterable[Row], **options: object) -> tuple[BuildReport, GraphStore]:
    path = write(tmp_path / "kg.csv", rows)
    report = build_store(path, tmp_path / "store", **options)  # type: ignore[arg-type]
    return report, GraphStore.open(tmp_path / "store")


def texts(graph: GraphStore) -> list[str]:
    return [graph.triplet(number).text for number in range(graph.edge_count)]


def warned(report: BuildReport, words: str) -> bool:
    return any(words in warning for warning in report.warnings)


# --- rows and edges ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows", [both("indication", METFORMIN, DIABETES), [edge("indication", DIABETES, METFORMIN)]]
)
def test_mirrored_rows_are_one_edge_in_canonical_direction(tmp_path: Path, rows: list[Row]) -> None:
    report, graph = build(tmp_path, rows)
    assert (report.rows_read, report.logical_edges) == (len(rows), 1)
    assert report.mirrored_rows == len(rows) - 1
    assert texts(graph) == ["Metformin is indicated for type 2 diabetes mellitus"]
    assert [graph.degree(index) for index in range(2)] == [1, 1]


def test_exact_duplicates_are_counted(tmp_path: Path) -> None:
    rows = [edge("drug_protein", METFORMIN, GENE, "target")] * 3
    report, graph = build(tmp_path, rows)
    assert (report.rows_read, report.logical_edges) == (3, 1)
    assert (report.mirrored_rows, report.duplicate_rows) == (0, 2)
    assert graph.edge_count == 1


def test_hierarchy_has_no_direction(tmp_path: Path) -> None:
    report, graph = build(tmp_path, both("disease_disease", KIDNEY, DIABETES, "parent-child"))
    assert (report.logical_edges, report.mirrored_rows) == (1, 1)
    (text,) = texts(graph)
    assert "parent" not in text
    assert "child" not in text


def test_parallel_relations_are_kept(tmp_path: Path) -> None:
    rows = both("indication", METFORMIN, DIABETES) + both("contraindication", METFORMIN, DIABETES)
    rows += both("indication", METFORMIN, KIDNEY)
    report, graph = build(tmp_path, rows)
    drug, disease = graph.find("DB00331"), graph.find("5148")
    assert drug is not None
    assert disease is not None
    joining = [graph.triplet(int(number)) for number in graph.between(disease.index, drug.index)]
    assert [t.relation for t in joining] == ["contraindication", "indication"]
    assert report.opposed_pairs == 1


def test_display_relations_of_one_pair_are_kept(tmp_path: Path) -> None:
    rows = both("drug_protein", METFORMIN, GENE, "target") + both(
        "drug_protein", METFORMIN, GENE, "enzyme"
    )
    _, graph = build(tmp_path, rows)
    assert [graph.triplet(n).display_relation for n in range(graph.edge_count)] == [
        "enzyme",
        "target",
    ]


def test_head_decides_where_the_tail_has_an_unusual_type(tmp_path: Path) -> None:
    fever: End = ("3", "1945", "effect/phenotype", "Fever", "HPO")
    _, graph = build(tmp_path, both("contraindication", fever, METFORMIN))
    assert texts(graph) == ["Metformin is contraindicated in Fever"]


def test_tail_decides_where_the_head_has_an_unusual_type(tmp_path: Path) -> None:
    compound: End = ("90", "C1", "compound", "compound X", "lab")
    _, graph = build(tmp_path, [edge("indication", DIABETES, compound)])
    assert graph.triplet(0).head.name == "compound X"


def test_edge_from_a_node_to_itself(tmp_path: Path) -> None:
    rows = [edge("protein_protein", GENE, GENE, "ppi")] + both(
        "drug_protein", METFORMIN, GENE, "target"
    )
    report, graph = build(tmp_path, rows)
    assert (report.logical_edges, report.mirrored_rows, report.duplicate_rows) == (2, 1, 0)
    gene = graph.find("4540")
    assert gene is not None
    assert graph.degree(gene.index) == 2


def test_row_order_leaves_no_trace(tmp_path: Path) -> None:
    with (FIXTURES / "kg_small.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    random.Random(7).shuffle(rows)
    shuffled = tmp_path / "shuffled.csv"
    with shuffled.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    build_store(FIXTURES / "kg_small.csv", tmp_path / "a")
    build_store(shuffled, tmp_path / "b")
    a, b = GraphStore.open(tmp_path / "a"), GraphStore.open(tmp_path / "b")
    assert a.manifest.content_sha256 == b.manifest.content_sha256
    assert texts(a) == texts(b)


def test_fingerprint_is_that_of_the_inputs(tmp_path: Path) -> None:
    small, items = FIXTURES / "kg_small.csv", FIXTURES / "constraints_small.jsonl"
    first = build_store(small, tmp_path / "a").fingerprint
    again = build_store(small, tmp_path / "b").fingerprint
    annotated = build_store(small, tmp_path / "c", constraints=items).fingerprint
    assert first == again != annotated


# --- nodes ---------------------------------------------------------------------------------------


def test_one_node_with_two_names(tmp_path: Path) -> None:
    rare: End = (GENE[0], GENE[1], GENE[2], "ND5", GENE[4])
    rows = both("drug_protein", METFORMIN, GENE, "target") + [
        edge("drug_protein", METFORMIN, rare, "target")
    ]
    report, graph = build(tmp_path, rows)
    gene = graph.find("4540")
    assert gene is not None
    assert (gene.name, graph.aliases(gene.index)) == ("MT-ND5", ("ND5",))
    assert {name for name, index in graph.names() if index == gene.index} == {"MT-ND5", "ND5"}
    assert report.node_name_conflicts == 1
    assert warned(report, "'MT-ND5' = 'ND5'")
    assert (report.logical_edges, report.duplicate_rows) == (1, 1)


def test_two_nodes_on_one_index_stay_apart(tmp_path: Path) -> None:
    function: End = (DIABETES[0], "4859", "molecular_function", "IgG binding", "GO")
    rows = both("indication", METFORMIN, DIABETES) + both("molfunc_protein", GENE, function)
    report, graph = build(tmp_path, rows)
    assert (report.nodes, report.index_collisions) == (4, 1)
    assert warned(report, "'IgG binding' (molecular_function)")
    assert sorted(texts(graph)) == [
        "MT-ND5 has the function IgG binding",
        "Metformin is indicated for type 2 diabetes mellitus",
    ]


def test_same_number_in_two_vocabularies_stays_apart(tmp_path: Path) -> None:
    other: End = ("21", "4540", "gene/protein", "another gene", "HGNC")
    report, _ = build(tmp_path, both("protein_protein", GENE, other, "ppi"))
    assert report.nodes == 2


def test_one_node_under_two_indexes_is_merged(tmp_path: Path) -> None:
    twin: End = ("99", *DIABETES[1:])
    rows = both("indication", METFORMIN, DIABETES) + both("indication", METFORMIN, twin)
    report, _ = build(tmp_path, rows)
    assert (report.nodes, report.split_nodes, report.logical_edges) == (2, 1, 1)
    assert warned(report, "several indexes")


def test_ids_that_became_floats(tmp_path: Path) -> None:
    as_float: End = ("12.0", "5148.0", *DIABETES[2:])
    rows = [edge("indication", METFORMIN, DIABETES), edge("indication", as_float, METFORMIN)]
    report, graph = build(tmp_path, rows)
    assert (report.nodes, report.logical_edges) == (2, 1)
    disease = graph.find("5148.0")
    assert disease is not None
    assert disease.id == "5148"


def test_ids_with_a_prefix(tmp_path: Path) -> None:
    prefixed: End = ("50", "HPO:1250", "effect/phenotype", "Seizure", "")
    plain: End = ("50", "HP:0001250", "effect/phenotype", "Seizure", "HPO")
    report, graph = build(
        tmp_path, [edge("drug_effect", METFORMIN, prefixed), edge("drug_effect", plain, METFORMIN)]
    )
    assert (report.nodes, report.logical_edges, report.mirrored_rows) == (2, 1, 1)
    found = [graph.find(text) for text in ("HP:0001250", "HPO:1250", "1250")]
    assert [node is not None and node.name for node in found] == ["Seizure"] * 3


def test_blank_id_joins_the_node_of_its_index(tmp_path: Path) -> None:
    blank: End = (DIABETES[0], "", *DIABETES[2:])
    unknown: End = ("55", "", "disease", "an unnumbered disease", "MONDO")
    rows = both("indication", METFORMIN, DIABETES) + [
        edge("indication", METFORMIN, blank),
        edge("indication", METFORMIN, unknown),
    ]
    report, graph = build(tmp_path, rows)
    assert (report.nodes, report.duplicate_rows) == (3, 1)
    (lone,) = [i for name, i in graph.names() if name == "an unnumbered disease"]
    assert graph.node(lone).id == ""


def test_words_for_nothing_are_names(tmp_path: Path) -> None:
    rows: list[Row] = []
    for number, name in enumerate(("NA", "None", "nan", "null")):
        gene: End = (str(100 + number), str(900 + number), "gene/protein", name, "NCBI")
        rows += both("drug_protein", METFORMIN, gene, "target")
    _, graph = build(tmp_path, rows)
    assert {"NA", "None", "nan", "null"} <= {name for name, _ in graph.names()}


def test_gene_names_that_a_spreadsheet_changed(tmp_path: Path) -> None:
    rows: list[Row] = []
    for number, name in enumerate(("3-Sep", "1-Mar", "2023-09-02", "SEPT3", "MARCHF1", "H2-1")):
        gene: End = (str(100 + number), str(900 + number), "gene/protein", name, "NCBI")
        rows += both("drug_protein", METFORMIN, gene, "target")
    report, _ = build(tmp_path, rows)
    assert warned(report, "look like a date, probably SEPT/MARCH genes: 3")


# --- schema --------------------------------------------------------------------------------------


def test_unknown_relation_and_type_load_with_a_warning(tmp_path: Path) -> None:
    compound: End = ("90", "C1", "compound", "compound X", "lab")
    rows = both("indication", METFORMIN, DIABETES) + [
        edge("mim_disease", GENE, DIABETES),
        edge("indication", compound, DIABETES),
    ]
    report, graph = build(tmp_path, rows)
    assert (report.unknown_relations, report.unknown_types) == (("mim_disease",), ("compound",))
    assert warned(report, "'mim_disease'")
    assert warned(report, "'compound'")
    (number,) = [
        n
        for n in range(graph.edge_count)
        if graph.relations[graph.endpoints([n]).relation[0]] == "mim_disease"
    ]
    head, _, tail = graph.endpoints([number])
    assert (graph.node(int(head[0])).name, graph.node(int(tail[0])).name) == ("MT-ND5", DIABETES[3])


def test_mirrored_unknown_relation_has_one_direction(tmp_path: Path) -> None:
    rows = both("mim_disease", GENE, DIABETES) + both("mim_disease", KIDNEY, GENE)
    report, graph = build(tmp_path, rows)
    assert (report.logical_edges, report.mirrored_rows) == (2, 2)
    heads = graph.endpoints([0, 1]).head
    assert {graph.node(int(head)).type for head in heads} == {"disease"}


@pytest.mark.parametrize(
    ("odd", "wanted"),
    [
        (edge("mim_disease", GENE, DIABETES), r"row 4: PrimeKG has no relation 'mim_disease'"),
        (
            edge("indication", ("90", "C1", "compound", "X", "lab"), DIABETES),
            "no node type 'compound'",
        ),
    ],
)
def test_strict_schema_refuses(tmp_path: Path, odd: Row, wanted: str) -> None:
    with pytest.raises(GraphFileError, match=wanted):
        build(tmp_path, [*both("indication", METFORMIN, DIABETES), odd], strict_schema=True)
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    ("bad", "wanted"),
    [
        (edge("", METFORMIN, DIABETES), "row 4: the relation is blank"),
        (
            edge("indication", ("", *METFORMIN[1:]), DIABETES),
            "row 4: an index must be a whole number",
        ),
        (edge("indication", ("1.5", *METFORMIN[1:]), DIABETES), "row 4: an index .* '1.5'"),
        (edge("indication", ("8", "DB1", "", "X", "DrugBank"), DIABETES), "row 4: .*no type"),
        (
            edge("indication", ("8", "", "drug", " ", "DrugBank"), DIABETES),
            "row 4: .*neither id nor name",
        ),
    ],
)
def test_rows_that_name_no_edge_are_refused_by_row(tmp_path: Path, bad: Row, wanted: str) -> None:
    with pytest.raises(GraphFileError, match=wanted):
        build(tmp_path, [*both("indication", METFORMIN, DIABETES), bad])


# --- constraints ---------------------------------------------------------------------------------


def annotate(path: Path, x: object, relation: str, y: object, *groups: str) -> Path:
    items = [
        {"patient_characteristics": g, "applicability": "Definitely Applicable", "evidence": "e"}
        for g in groups
    ]
    line = {"triplet": {"x": x, "relation": relation, "y": y}, "relation_constraints": items}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    return path


SEIZURE: End = ("50", "1250", "effect/phenotype", "Seizure", "HPO")


@pytest.mark.parametrize("written", ["HP:0001250", "HPO:1250", "hp:1250", "1250", "1250.0"])
def test_prefixes_of_one_vocabulary_meet(tmp_path: Path, written: str) -> None:
    items = annotate(
        tmp_path / "c.jsonl", {"id": written}, "drug_effect", {"id": "DB00331"}, "adults"
    )
    report, graph = build(tmp_path, both("drug_effect", METFORMIN, SEIZURE), constraints=items)
    assert (report.constraint_items, report.constraint_edges, report.constraint_unmatched) == (
        1,
        1,
        0,
    )
    assert [item.patient_characteristics for item in graph.constraints_of(0)] == ["adults"]


def test_lines_of_both_directions_give_each_item_once(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    drug, disease = (
        {"name": "metformin", "type": "drug"},
        {"index": 12, "name": DIABETES[3], "type": "disease"},
    )
    annotate(path, drug, "indication", disease, "adults", "children")
    annotate(path, disease, "indication", drug, "adults", "pregnant women")
    report, graph = build(tmp_path, both("indication", METFORMIN, DIABETES), constraints=path)
    groups = [item.patient_characteristics for item in graph.constraints_of(0)]
    assert groups == ["adults", "children", "pregnant women"]
    assert report.constraint_items == 3


@pytest.mark.parametrize(
    "x",
    [
        {"index": 7, "name": "Aspirin", "type": "drug"},
        {"index": 7, "type": "disease"},
        {"id": "DB99999"},
        {"name": "a drug that the graph lacks"},
    ],
)
def test_what_fits_no_edge_is_counted(tmp_path: Path, x: object) -> None:
    items = annotate(tmp_path / "c.jsonl", x, "indication", {"id": "MONDO:5148"}, "adults")
    report, graph = build(tmp_path, both("indication", METFORMIN, DIABETES), constraints=items)
    assert (report.constraint_items, report.constraint_unmatched) == (0, 1)
    assert warned(report, "line 1")
    assert graph.constraints_of(0) == ()


def test_line_that_fits_two_pairs_is_not_guessed(tmp_path: Path) -> None:
    grouped: End = ("14", "5148_1", "disease", "a group with 5148", "MONDO_grouped")
    namesake: End = ("15", "77", "disease", "kidney disease", "MONDO")
    items = annotate(
        tmp_path / "c.jsonl", {"id": "DB00331"}, "indication", {"name": "kidney disease"}, "adults"
    )
    annotate(items, {"id": "DB00331"}, "indication", {"id": "MONDO:5148"}, "children")
    rows = [edge("indication", METFORMIN, end) for end in (KIDNEY, namesake, DIABETES, grouped)]
    report, graph = build(tmp_path, rows, constraints=items)
    assert report.constraint_unmatched == 1
    held = [graph.triplet(int(number)).tail.name for number in graph.constrained_edges()]
    assert held == ["type 2 diabetes mellitus"]


# --- crashes and replacement ---------------------------------------------------------------------


class StopError(RuntimeError):
    """What the test throws into a build."""


def test_failed_build_keeps_the_old_store(tmp_path: Path) -> None:
    report, _ = build(tmp_path, both("indication", METFORMIN, DIABETES))

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "writing" and done == total:
            raise StopError

    path = write(tmp_path / "other.csv", both("indication", METFORMIN, KIDNEY))
    with pytest.raises(StopError):
        build_store(path, tmp_path / "store", progress=stop)
    assert GraphStore.open(tmp_path / "store").fingerprint == report.fingerprint
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kg.csv", "other.csv", "store"]


def test_killed_build_leaves_no_half_store(tmp_path: Path) -> None:
    path = write(tmp_path / "kg.csv", both("indication", METFORMIN, DIABETES))
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from retrievers.build import build_store\n"
        "def stop(stage, done, total):\n"
        "    if stage == 'writing' and done == total:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "build_store(Path(sys.argv[1]), Path(sys.argv[2]), progress=stop)\n"
    )
    command = [sys.executable, "-c", code, str(path), str(tmp_path / "store")]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(REPO)}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not (tmp_path / "store").exists()
    report = build_store(path, tmp_path / "store")
    assert warned(report, "store.partial-")
    assert GraphStore.open(tmp_path / "store").edge_count == 1


def test_open_store_outlives_its_replacement(tmp_path: Path) -> None:
    items = annotate(
        tmp_path / "c.jsonl", {"id": "DB00331"}, "indication", {"id": "5148"}, "adults"
    )
    _, old = build(tmp_path, both("indication", METFORMIN, DIABETES), constraints=items)
    _, new = build(tmp_path, both("indication", METFORMIN, KIDNEY))
    assert texts(old) == ["Metformin is indicated for type 2 diabetes mellitus"]
    assert len(old.constraints_of(0)) == 1
    assert texts(new) == ["Metformin is indicated for kidney disease"]


def test_folder_that_is_no_store_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "thesis.txt").write_text("three years of work")
    with pytest.raises(InputError, match="no graph store"):
        build(tmp_path, both("indication", METFORMIN, DIABETES))
    assert (tmp_path / "store" / "thesis.txt").read_text() == "three years of work"


def test_file_in_place_of_the_store(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("")
    with pytest.raises(InputError, match="is a file"):
        build(tmp_path, both("indication", METFORMIN, DIABETES))


# --- properties and real data --------------------------------------------------------------------

ENDS: list[End] = [
    *((str(i), f"DB{i}", "drug", f"drug {i}", "DrugBank") for i in range(3)),
    *((str(10 + i), str(i), "disease", f"disease {i}", "MONDO") for i in range(3)),
]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["indication", "contraindication", "drug_drug", "disease_disease"]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(ENDS),
        st.sampled_from(ENDS),
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=40, deadline=None)
@given(rows=ROWS)
def test_every_row_is_an_edge_a_mirror_or_a_duplicate(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row]
) -> None:
    report, graph = build(tmp_path_factory.mktemp("kg"), rows)
    assert report.rows_read == len(rows)
    assert report.rows_read == report.logical_edges + report.mirrored_rows + report.duplicate_rows
    wanted = {(r, d, frozenset((x[3], y[3]))) for r, d, x, y in rows}
    triplets = [graph.triplet(number) for number in range(graph.edge_count)]
    stored = [
        (t.relation, t.display_relation, frozenset((t.head.name, t.tail.name))) for t in triplets
    ]
    assert set(stored) == wanted
    for index in range(graph.node_count):
        touching = [n for n, t in enumerate(triplets) if index in (t.head.index, t.tail.index)]
        assert graph.edges_of(index).tolist() == touching


def test_real_graph(tmp_path: Path, shared_data: Path) -> None:
    report = build_store(shared_data / "kg_all.csv.gz", tmp_path / "store")
    assert (report.rows_read, report.logical_edges) == (823_108, 411_554)
    assert (report.nodes, report.index_collisions, report.node_name_conflicts) == (54_201, 12, 0)
    graph = GraphStore.open(tmp_path / "store")
    hypertension = graph.find("MONDO:0001134")
    assert hypertension is not None
    assert hypertension.id == "1200_1134_15512_5080_100078"
