"""PrimeKG's CSV, read as text in blocks, and the ConstraintItems that annotate its triplets.

Every cell stays text: `NA`, `None` and `nan` are names here, and an id column never turns into
numbers. Quotes, apostrophes, commas, braces, arrows and line breaks inside a quoted cell survive.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TextIO, get_args

import pyarrow as pa
import pyarrow.csv
from pydantic import ValidationError

from signatures.errors import GraphFileError
from signatures.schema import Applicability, ConstraintItem, Record

COLUMNS = (
    "relation",
    "display_relation",
    *(f"{end}_{field}" for end in "xy" for field in ("index", "id", "type", "name", "source")),
)
"""PrimeKG's twelve columns, in any order; further columns are left out."""

GENERAL = "general population"
"""Group of an item whose file gives none: the QKG release leaves it null."""

_BLOCK = 16 * 1024 * 1024
_GZIP = b"\x1f\x8b"
_LEVELS = {level.casefold(): level for level in get_args(Applicability)}

Advance = Callable[[int, int], None]
"""Called with bytes read so far and bytes in all."""


class Block(NamedTuple):
    """Consecutive rows of the file as twelve text columns."""

    first_row: int
    """Row of the file that the block starts at; the header is row 1."""
    rows: pa.RecordBatch


class EndRef(Record):
    """One end of an annotated triplet, by whatever the file gives of it."""

    index: int | None = None
    """Index in the graph file, not in a store."""
    id: str | None = None
    type: str | None = None
    name: str | None = None
    source: str | None = None


class ConstraintLine(Record):
    """One line of a constraint file: a triplet and its items."""

    line: int
    """Line in the file, from 1."""
    x: EndRef
    relation: str
    display_relation: str | None
    """`None` when the items hold for every display relation of the pair."""
    y: EndRef
    items: tuple[ConstraintItem, ...]


def read_rows(path: Path, *, advance: Advance | None = None) -> Generator[Block, None, None]:
    """Yield the rows of a PrimeKG CSV, plain or gzipped, a block of some megabytes at a time.

    Raises:
        GraphFileError: the file is missing, cut off, not UTF-8, lacks a column or has a row with
            another number of cells; the message names the file and the row.
    """
    _check_header(path)
    size = path.stat().st_size
    bad: list[pa.csv.InvalidRow] = []
    row = 2
    try:
        with path.open("rb") as raw:
            for batch in _batches(raw, gzipped=_is_gzip(path), bad=bad):
                yield Block(row, batch)
                row += batch.num_rows
                if advance is not None:
                    advance(min(raw.tell(), size), size)
    except (pa.ArrowInvalid, OSError) as error:
        raise GraphFileError(_why(path, error, row, _numbered(path, bad))) from error
    if row == 2:
        raise GraphFileError(f"{path} has a header and no rows; is the download complete?")


def read_constraints(path: Path) -> Iterator[ConstraintLine]:
    """Yield the annotated triplets of a JSON-lines file in the shape of the QKG release.

    A line is `{"triplet": {"x": {"index", "id", "type", "name"}, "relation", "display_relation",
    "y": {…}}, "relation_constraints": [{"patient_characteristics", "applicability", "evidence",
    "citation"}]}`; an end needs an index, an id or a name. Further keys are left out.

    Raises:
        GraphFileError: a line cannot be read; the message names the file and the line.
    """
    try:
        with open_text(path) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _constraint_line(path, number, line)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise GraphFileError(f"cannot read {path}: {error}; it must be UTF-8 JSON lines") from error


# --- the CSV -------------------------------------------------------------------------------------


def _batches(
    raw: io.BufferedReader, *, gzipped: bool, bad: list[pa.csv.InvalidRow], threads: bool = True
) -> Iterator[pa.RecordBatch]:
    def refuse(row: pa.csv.InvalidRow) -> str:
        bad.append(row)
        return "error"

    source = pa.PythonFile(raw, mode="r")
    reader = pa.csv.open_csv(
        pa.CompressedInputStream(source, "gzip") if gzipped else source,
        read_options=pa.csv.ReadOptions(use_threads=threads, block_size=_BLOCK),
        parse_options=pa.csv.ParseOptions(newlines_in_values=True, invalid_row_handler=refuse),
        convert_options=pa.csv.ConvertOptions(
            include_columns=COLUMNS,
            column_types=dict.fromkeys(COLUMNS, pa.string()),
            strings_can_be_null=False,
        ),
    )
    yield from reader


def _numbered(path: Path, bad: list[pa.csv.InvalidRow]) -> list[pa.csv.InvalidRow]:
    """Find the number of a bad row: rows are numbered only when one thread reads them in order."""
    if not bad:
        return []
    found: list[pa.csv.InvalidRow] = []
    with path.open("rb") as raw, suppress(pa.ArrowInvalid, OSError):
        for _ in _batches(raw, gzipped=_is_gzip(path), bad=found, threads=False):
            pass
    return found


def _check_header(path: Path) -> None:
    try:
        with open_text(path) as lines:
            header = next(csv.reader(lines), [])
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise GraphFileError(f"cannot read {path}: {error}; it must be CSV in UTF-8") from error
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise GraphFileError(
            f"{path} lacks the column {missing[0]!r} of PrimeKG's twelve "
            f"({len(missing)} missing; found: {', '.join(header[:14]) or 'nothing'})"
        )
    twice = [column for column in COLUMNS if header.count(column) > 1]
    if twice:
        raise GraphFileError(f"{path} has the column {twice[0]!r} twice; remove one")


def _why(path: Path, error: Exception, row: int, bad: list[pa.csv.InvalidRow]) -> str:
    if bad:
        seen, wanted = bad[0].actual_columns, bad[0].expected_columns
        return (
            f"{path}, row {bad[0].number}: {wanted} cells wanted, {seen} found; quote cells that "
            f"hold a comma or a quote: {bad[0].text[:80]!r}"
        )
    if "Truncated" in str(error) or "inflate" in str(error):
        return f"{path} is cut off after row {row - 1}: {error}; download it again"
    if "UTF8" in str(error):
        return f"{path} is not UTF-8 somewhere after row {row - 1}; save it as UTF-8"
    return f"cannot read {path} after row {row - 1}: {error}"


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as raw:
        return raw.read(2) == _GZIP


def open_text(path: Path) -> TextIO:
    """Open a file, plain or gzipped, as text in UTF-8; a byte-order mark is skipped.

    Raises:
        GraphFileError: there is no such file.
    """
    if not path.is_file():
        raise GraphFileError(f"there is no file {path}")
    if _is_gzip(path):
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


# --- the constraints -----------------------------------------------------------------------------


def _constraint_line(path: Path, number: int, line: str) -> ConstraintLine:
    where = f"{path}, line {number}"
    try:
        fields = json.loads(line)
        triplet = fields["triplet"]
        items = fields["relation_constraints"]
        return ConstraintLine(
            line=number,
            x=_end(triplet["x"]),
            relation=triplet["relation"],
            display_relation=triplet.get("display_relation") or None,
            y=_end(triplet["y"]),
            items=tuple(_item(where, item) for item in items),
        )
    except (KeyError, TypeError, AttributeError, ValidationError, json.JSONDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise GraphFileError(
            f"{where}: wanted an object with 'triplet' (x, relation, y) and "
            f"'relation_constraints'; {type(error).__name__}: {reason}"
        ) from error


def _end(fields: dict[str, object]) -> EndRef:
    known = {name: fields[name] for name in EndRef.model_fields if fields.get(name) is not None}
    if isinstance(known.get("id"), int):
        known["id"] = str(known["id"])
    return EndRef.model_validate(known)


def _item(where: str, fields: dict[str, str | None]) -> ConstraintItem:
    level = str(fields["applicability"]).strip()
    if level.casefold() not in _LEVELS:
        raise GraphFileError(
            f"{where}: applicability {level!r} is none of {', '.join(_LEVELS.values())}"
        )
    return ConstraintItem(
        patient_characteristics=(fields.get("patient_characteristics") or "").strip() or GENERAL,
        applicability=_LEVELS[level.casefold()],
        evidence=fields.get("evidence") or "",
        citation=fields.get("citation"),
    )
