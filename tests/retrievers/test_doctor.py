"""Every oddity of a graph file is found, counted, shown with its row, and explained."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import pytest

from data.primekg import COLUMNS
from retrievers.build import build_store
from retrievers.doctor import diagnose
from retrievers.doctor_graph import HUB
from retrievers.findings import SHOWN, Diagnosis, Finding
from signatures.errors import StoreNotFound

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

DRUG = ("7", "DB00331", "drug", "Metformin", "DrugBank")
DISEASE = ("12", "5148", "disease", "type 2 diabetes mellitus", "MONDO")
OTHER = ("13", "5240", "disease", "kidney disease", "MONDO")

End = tuple[str, str, str, str, str]
Row = tuple[str, End, End]


def examine(folder: Path, rows: Iterable[Row], *, bom: bool = False) -> dict[str, Finding]:
    path = folder / "kg.csv"
    with path.open("w", newline="", encoding="utf-8-sig" if bom else "utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([relation, relation, *x, *y] for relation, x, y in rows)
    return by_kind(diagnose(path))


def by_kind(diagnosis: Diagnosis) -> dict[str, Finding]:
    kinds = [finding.kind for finding in diagnosis.findings]
    assert len(set(kinds)) == len(kinds)
    assert all(f.advice and f.count and len(f.examples) <= SHOWN for f in diagnosis.findings)
    return {finding.kind: finding for finding in diagnosis.findings}


def gene(name: str, number: int = 500) -> End:
    return (str(number), str(number), "gene/protein", name, "NCBI")


CLEAN: Row = ("indication", DRUG, DISEASE)
MIRROR: Row = ("indication", DISEASE, DRUG)

CASES: list[tuple[str, str, list[Row], int, str]] = [
    ("mirrored_rows", "note", [CLEAN, MIRROR], 1, "row 3 reverses row 2: Metformin | indication"),
    ("duplicate_rows", "note", [CLEAN, CLEAN, CLEAN], 2, "row 3 repeats row 2"),
    ("self_edges", "note", [CLEAN, ("drug_drug", DRUG, DRUG)], 1, "row 3: Metformin | drug_drug"),
    ("direction_unknown", "note", [("disease_disease", DISEASE, OTHER)], 1, "disease_disease: 1"),
    (
        "several_names",
        "note",
        [("drug_protein", DRUG, gene("MT-ND5"))] * 2 + [("drug_protein", DRUG, gene("ND5"))],
        1,
        "row 4: 'ND5' is 'MT-ND5' (id 500)",
    ),
    (
        "index_collisions",
        "note",
        [CLEAN, ("indication", DRUG, ("12", "4859", "molecular_function", "binding", "GO"))],
        1,
        "index 12: 'type 2 diabetes mellitus' (disease, row 2), 'binding' (molecular_function",
    ),
    (
        "several_indexes",
        "note",
        [CLEAN, ("indication", DRUG, ("99", *DISEASE[1:]))],
        1,
        "'type 2 diabetes mellitus': indexes 12, 99",
    ),
    (
        "float_ids",
        "note",
        [("indication", DRUG, ("12.0", "5148.0", *DISEASE[2:]))],
        1,
        "row 2: 'type 2 diabetes mellitus' (id '5148.0')",
    ),
    ("blank_ids", "problem", [("indication", DRUG, ("12", "", *DISEASE[2:]))], 1, "row 2: 'type 2"),
    (
        "missing_like_names",
        "problem",
        [
            ("drug_protein", DRUG, gene(name, 500 + n))
            for n, name in enumerate(("NA", "nan", "NAT1"))
        ],
        2,
        "row 2: 'NA' (id '500')",
    ),
    ("blank_names", "problem", [("drug_protein", DRUG, gene(" "))], 1, "row 2: ' '"),
    ("padded_names", "note", [("drug_protein", DRUG, gene("A  B "))], 1, "row 2: 'A  B '"),
    ("damaged_text", "problem", [("drug_protein", DRUG, gene("Sj\ufffdgren"))], 1, "row 2:"),
    ("unknown_relations", "problem", [CLEAN, ("mim_disease", DRUG, DISEASE)], 1, "row 3: 'mim_dis"),
    (
        "unknown_types",
        "problem",
        [CLEAN, ("indication", ("8", "C1", "compound", "X", "lab"), DISEASE)],
        1,
        "row 3: 'compound'",
    ),
    (
        "date_like_genes",
        "problem",
        [
            ("drug_protein", DRUG, gene(name, 500 + n))
            for n, name in enumerate(("3-Sep", "2023-09-02", "SEPT3"))
        ],
        2,
        "'3-Sep' (id 500)",
    ),
    (
        "namesakes",
        "note",
        [CLEAN, ("indication", DRUG, ("55", "1", "disease", "Type 2 diabetes mellitus", "MONDO"))],
        1,
        "(disease): ids 5148, 1",
    ),
    (
        "opposed_relations",
        "note",
        [CLEAN, ("contraindication", DRUG, DISEASE)],
        1,
        "Metformin and type 2 diabetes mellitus",
    ),
    (
        "hubs",
        "note",
        [
            ("drug_effect", DRUG, (str(n), str(n), "effect/phenotype", f"sign {n}", "HPO"))
            for n in range(1000, 1000 + HUB)
        ],
        1,
        "'Metformin' (drug): 1,000 edges",
    ),
    (
        "refused_relation",
        "problem",
        [CLEAN, ("", DRUG, DISEASE), CLEAN, (" ", DRUG, OTHER)],
        2,
        "row 5: the relation is blank",
    ),
    ("refused_index", "problem", [("indication", ("x", *DRUG[1:]), OTHER)], 1, "row 2: an index"),
    ("refused_type", "problem", [("indication", DRUG, ("5", "7", "", "x", "MONDO"))], 1, "row 2"),
    ("refused_unnamed", "problem", [("indication", DRUG, ("5", "", "drug", "", ""))], 1, "row 2"),
]


@pytest.mark.parametrize(
    ("kind", "severity", "rows", "count", "example"), CASES, ids=[case[0] for case in CASES]
)
def test_each_kind(
    tmp_path: Path, kind: str, severity: str, rows: list[Row], count: int, example: str
) -> None:
    found = examine(tmp_path, rows)
    assert (found[kind].severity, found[kind].count) == (severity, count)
    assert any(example in shown for shown in found[kind].examples)


def test_a_clean_file_has_no_finding(tmp_path: Path) -> None:
    assert examine(tmp_path, [CLEAN]) == {}


def test_byte_order_mark(tmp_path: Path) -> None:
    assert list(examine(tmp_path, [CLEAN], bom=True)) == ["byte_order_mark"]


def test_names_of_every_kind_are_no_finding(tmp_path: Path) -> None:
    names = ("Crohn's", '"x"', "a, b", "a -> b", "{c}", "NAT2", "MARCHF1")
    rows = [("drug_protein", DRUG, gene(name, 500 + n)) for n, name in enumerate(names)]
    assert examine(tmp_path, rows) == {}


def test_constraint_lines_without_an_edge() -> None:
    diagnosis = diagnose(
        FIXTURES / "kg_small.csv", constraints=FIXTURES / "constraints_small.jsonl"
    )
    finding = by_kind(diagnosis)["dangling_constraints"]
    assert (finding.severity, finding.count) == ("problem", 1)
    assert finding.examples[0].startswith("line 5 (DB00331 indication")
    assert not diagnosis.sound
    assert diagnose(FIXTURES / "kg_small.csv").sound


def test_unreadable_files_are_a_finding(tmp_path: Path) -> None:
    cut = tmp_path / "cut.csv"
    text = (FIXTURES / "kg_small.csv").read_text(encoding="utf-8")
    cut.write_text(text + "indication,indication,10\n", encoding="utf-8")
    found = by_kind(diagnose(cut))
    assert list(found) == ["refused_cells"]
    assert "row 90: 12 cells wanted, 3 found" in found["refused_cells"].examples[0]
    assert "there is no file" in by_kind(diagnose(tmp_path / "no.csv"))["refused"].examples[0]


def test_every_kind_of_refused_row_is_listed_with_its_first_rows(tmp_path: Path) -> None:
    number = ("indication", DRUG, ("1.5", "5148", "disease", "x", "MONDO"))
    both = ("", ("x", *DRUG[1:]), DISEASE)
    found = examine(tmp_path, [CLEAN, both, *([number] * (SHOWN + 3)), CLEAN])
    assert {kind: finding.count for kind, finding in found.items()} == {
        "refused_relation": 1,
        "refused_index": SHOWN + 4,
    }
    assert [text.split(":")[0] for text in found["refused_index"].examples] == [
        f"row {row}" for row in range(3, 3 + SHOWN)
    ]
    with (tmp_path / "kg.csv").open("a", encoding="utf-8") as file:
        file.write("indication,only,three\n")
    kinds = set(by_kind(diagnose(tmp_path / "kg.csv")))
    assert kinds == {"refused_cells", "refused_relation", "refused_index"}


def test_a_refusal_of_no_row_is_said_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "kg.csv"
    path.write_text("relation,x_id\nindication,1\n", encoding="utf-8")
    (found,) = by_kind(diagnose(path)).values()
    assert found.kind == "refused" and "lacks the column" in found.examples[0]


def test_store_repeats_what_its_build_counted(tmp_path: Path) -> None:
    build_store(
        FIXTURES / "kg_small.csv",
        tmp_path / "store",
        constraints=FIXTURES / "constraints_small.jsonl",
    )
    (tmp_path / "store.partial-1").mkdir()
    found = by_kind(diagnose(tmp_path / "store"))
    of_file = by_kind(
        diagnose(FIXTURES / "kg_small.csv", constraints=FIXTURES / "constraints_small.jsonl")
    )
    same = ("mirrored_rows", "duplicate_rows", "several_names", "opposed_relations")
    assert all(found[kind].count == of_file[kind].count for kind in same)
    assert "line 5" in found["dangling_constraints"].examples[0]
    assert found["leftovers"].examples == (str(tmp_path / "store.partial-1"),)


def test_folder_without_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound, match="qkgram kg build"):
        diagnose(tmp_path)
