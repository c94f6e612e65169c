"""Reading PrimeKG's CSV and the constraint file: what stands in a cell is what comes out."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from data import primekg
from data.primekg import COLUMNS, GENERAL, read_constraints, read_rows
from signatures.errors import GraphFileError

HOSTILE_NAMES = (
    "Crohn's colitis",
    "5'-nucleotidase",
    "3',5'-cyclic-AMP",
    '"pseudo" hypoparathyroidism',
    "diabetes mellitus, noninsulin-dependent, 2",
    "1,25-dihydroxyvitamin D3",
    "Interferon beta-1a (recombinant)",
    "A -> B",
    "acid {(1E)-[2-phenyl]}",
    "two\nlines",
    "α-galactosidase Å ’",
    " spaced ",
    "NA",
    "None",
    "nan",
    "null",
    "-",
)


def row(
    x_name: str = "Metformin", y_name: str = "type 2 diabetes mellitus", **cells: str
) -> dict[str, str]:
    x = {"index": "10", "id": "DB00331", "type": "drug", "name": x_name, "source": "DrugBank"}
    y = {"index": "30", "id": "5148", "type": "disease", "name": y_name, "source": "MONDO"}
    ends = {f"{end}_{k}": v for end, half in (("x", x), ("y", y)) for k, v in half.items()}
    return {"relation": "indication", "display_relation": "indication", **ends, **cells}


def write(
    path: Path, rows: list[dict[str, str]], columns: tuple[str, ...] = COLUMNS, bom: bool = False
) -> Path:
    with path.open("w", newline="", encoding="utf-8-sig" if bom else "utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [cells for block in read_rows(path) for cells in block.rows.to_pylist()]


def test_names_come_out_as_they_went_in(tmp_path: Path) -> None:
    path = write(tmp_path / "kg.csv", [row(x_name=name, y_name=name) for name in HOSTILE_NAMES])
    cells = read(path)
    assert tuple(c["x_name"] for c in cells) == HOSTILE_NAMES
    assert tuple(c["y_name"] for c in cells) == HOSTILE_NAMES


def test_columns_in_any_order_with_extra_ones(tmp_path: Path) -> None:
    columns = ("provenance", *reversed(COLUMNS), "score")
    path = write(tmp_path / "kg.csv", [row(provenance="a,b", score="1.5")], columns)
    assert read(path) == [row()]


def test_byte_order_mark(tmp_path: Path) -> None:
    path = write(tmp_path / "kg.csv", [row()], bom=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert read(path) == [row()]


def test_ids_stay_text_when_later_blocks_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(primekg, "_BLOCK", 4096)
    ids = [str(number) for number in range(200)] + ["DB00001", "", "13924_12592_14672", "0005015"]
    path = write(tmp_path / "kg.csv", [row(x_id=text) for text in ids])
    blocks = list(read_rows(path))
    assert len(blocks) > 1
    assert [cell for block in blocks for cell in block.rows["x_id"].to_pylist()] == ids
    assert [block.first_row for block in blocks][:1] == [2]
    assert blocks[1].first_row == 2 + blocks[0].rows.num_rows


def test_gzip_is_known_by_content_and_may_have_members(tmp_path: Path) -> None:
    plain = write(tmp_path / "kg.csv", [row(), row(x_name="Linagliptin")]).read_bytes()
    head, first, second = plain.splitlines(keepends=True)
    path = tmp_path / "kg.dat"
    path.write_bytes(gzip.compress(head + first) + gzip.compress(second))
    assert [cells["x_name"] for cells in read(path)] == ["Metformin", "Linagliptin"]


@pytest.mark.parametrize("missing", [1, 4, 8, 40])
def test_cut_off_gzip(tmp_path: Path, missing: int) -> None:
    whole = gzip.compress(write(tmp_path / "kg.csv", [row()] * 50).read_bytes())
    path = tmp_path / "kg.csv.gz"
    path.write_bytes(whole[:-missing])
    with pytest.raises(GraphFileError, match=r"kg\.csv\.gz.*(cut off|cannot read)"):
        read(path)


def test_row_with_another_number_of_cells_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "kg.csv", [row(), row()])
    path.write_text(path.read_text() + "indication,only,three\n")
    with pytest.raises(GraphFileError, match=r"kg\.csv, row 4: 12 cells wanted, 3 found"):
        read(path)


def test_file_cut_off_inside_a_quoted_cell(tmp_path: Path) -> None:
    path = write(tmp_path / "kg.csv", [row(), row(x_name="a, b")])
    text = path.read_text()
    path.write_text(text[: text.rindex("a, b") + 2])
    with pytest.raises(GraphFileError, match="row 3"):
        read(path)


def test_missing_column_is_named(tmp_path: Path) -> None:
    columns = tuple(column for column in COLUMNS if column != "y_source")
    cells = {name: cell for name, cell in row().items() if name != "y_source"}
    with pytest.raises(GraphFileError, match="'y_source'"):
        read(write(tmp_path / "kg.csv", [cells], columns))


def test_column_that_stands_twice(tmp_path: Path) -> None:
    path = tmp_path / "kg.csv"
    path.write_text(",".join((*COLUMNS, "relation")) + "\n")
    with pytest.raises(GraphFileError, match="'relation' twice"):
        read(path)


def test_not_utf8(tmp_path: Path) -> None:
    path = write(tmp_path / "kg.csv", [row(x_name="Sjögren")])
    path.write_bytes(path.read_text().encode("latin-1"))
    with pytest.raises(GraphFileError, match="UTF-8"):
        read(path)


@pytest.mark.parametrize("content", ["", ",".join(COLUMNS) + "\n"])
def test_no_rows(tmp_path: Path, content: str) -> None:
    path = tmp_path / "kg.csv"
    path.write_text(content)
    with pytest.raises(GraphFileError, match=r"kg\.csv"):
        read(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match="there is no file"):
        read(tmp_path / "kg.csv")


def test_progress_ends_at_the_size_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "kg.csv", [row()] * 3)
    seen: list[tuple[int, int]] = []
    list(read_rows(path, advance=lambda done, total: seen.append((done, total))))
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)


# --- constraints ---------------------------------------------------------------------------------

ITEM = {
    "patient_characteristics": "eGFR < 30",
    "applicability": "Definitely Applicable",
    "evidence": "label",
}
LINE = {
    "triplet": {
        "x": {"index": 10, "name": "Metformin", "type": "drug"},
        "relation": "contraindication",
        "display_relation": "contraindication",
        "corrected_relation": "contraindication",
        "y": {"index": 33, "name": "chronic kidney disease", "type": "disease"},
    },
    "audit_reasoning": "",
    "relation_constraints": [ITEM],
}


def constraints(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_release_shape(tmp_path: Path) -> None:
    (line,) = read_constraints(constraints(tmp_path / "c.jsonl", LINE))
    assert (line.x.index, line.x.name, line.y.type) == (10, "Metformin", "disease")
    assert line.items[0].model_dump(exclude={"citation"}) == ITEM
    assert line.items[0].citation is None


def test_group_that_is_null_is_the_general_population(tmp_path: Path) -> None:
    fields = {**LINE, "relation_constraints": [{**ITEM, "patient_characteristics": None}]}
    (line,) = read_constraints(constraints(tmp_path / "c.jsonl", fields))
    assert line.items[0].patient_characteristics == GENERAL


@pytest.mark.parametrize("written", ["definitely not applicable", " Definitely NOT Applicable "])
def test_level_in_another_case(tmp_path: Path, written: str) -> None:
    fields = {**LINE, "relation_constraints": [{**ITEM, "applicability": written}]}
    (line,) = read_constraints(constraints(tmp_path / "c.jsonl", fields))
    assert line.items[0].applicability == "Definitely NOT Applicable"


def test_unknown_level_is_refused_by_line(tmp_path: Path) -> None:
    bad = {**LINE, "relation_constraints": [{**ITEM, "applicability": "Definately Applicable"}]}
    with pytest.raises(GraphFileError, match=r"line 2: applicability 'Definately Applicable'"):
        list(read_constraints(constraints(tmp_path / "c.jsonl", LINE, bad)))


@pytest.mark.parametrize(
    "bad",
    [
        {},
        [],
        {"triplet": {}, "relation_constraints": []},
        {**LINE, "triplet": {**LINE["triplet"], "x": "Metformin"}},  # type: ignore[dict-item]
        {**LINE, "relation_constraints": [{"evidence": "label"}]},
        {**LINE, "relation_constraints": ["adults"]},
    ],
)
def test_other_shapes_are_refused_by_line(tmp_path: Path, bad: object) -> None:
    with pytest.raises(GraphFileError, match="line 1"):
        list(read_constraints(constraints(tmp_path / "c.jsonl", bad)))


def test_torn_line_is_refused_by_line(tmp_path: Path) -> None:
    path = constraints(tmp_path / "c.jsonl", LINE)
    path.write_text(path.read_text() + '{"triplet": ')
    with pytest.raises(GraphFileError, match="line 2"):
        list(read_constraints(path))


def test_no_constraint_file(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match="there is no file"):
        list(read_constraints(tmp_path / "c.jsonl"))
