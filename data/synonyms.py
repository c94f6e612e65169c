"""Other names of the graph's entities: brands, lay words, abbreviations and spellings.

The rows of `synonyms.csv` are written by us and each names its source. A row says that `alias`
stands for `name`; a spelling or a synonym also holds the other way round, because graphs differ in
which of the two they call the node. A `narrower` alias is a special case that the graph's broader
node stands for ("STEMI"), so it never holds backwards. The name of a `combination` joins its
components with " + ".
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal, get_args

from signatures.errors import GraphFileError
from signatures.schema import Record

SynonymKind = Literal[
    "brand", "lay", "abbreviation", "spelling", "synonym", "narrower", "combination"
]

TABLE = Path(__file__).with_name("synonyms.csv")

JOINED = " + "
"""Between the components of a combination."""

TWO_WAY: frozenset[SynonymKind] = frozenset({"spelling", "synonym"})
"""Kinds that also hold from name to alias: a brand is one of many, a spelling is the same word."""


class Synonym(Record):
    """One row: `alias` stands for `name`."""

    name: str
    alias: str
    kind: SynonymKind
    source: str


def read_synonyms(path: Path | None = None) -> tuple[Synonym, ...]:
    """Read a synonym table, the packaged one by default.

    Args:
        path: CSV with the columns name, alias, kind and source.

    Raises:
        GraphFileError: the file or a row of it cannot be read; the message names the line.

    >>> {row.kind for row in read_synonyms()} == set(get_args(SynonymKind))
    True
    """
    file = TABLE if path is None else path
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            return tuple(_synonym(row, file, reader.line_num) for row in reader)
    except OSError as error:
        raise GraphFileError(f"synonym table {file} cannot be read: {error.strerror}") from error


def _synonym(row: dict[str | None, str | None], file: Path, line: int) -> Synonym:
    cells = {column: (row.get(column) or "").strip() for column in Synonym.model_fields}
    if not cells["name"] or not cells["alias"] or cells["kind"] not in get_args(SynonymKind):
        raise GraphFileError(
            f"{file} line {line}: wanted name, alias, a kind of {', '.join(get_args(SynonymKind))} "
            f"and source; got {list(row.values())}"
        )
    return Synonym.model_validate(cells)
