"""Every row for which the build refuses a graph file, when it refuses one.

The build stops at the first such row. Here the whole file is read again, row by row, so that all of
them can be corrected at once.
"""

from __future__ import annotations

import csv
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from data.primekg import COLUMNS, open_text
from retrievers.build import Progress
from retrievers.build_nodes import Refusal, refusal
from retrievers.build_rows import Spelling
from retrievers.findings import SHOWN, Finding, problem
from signatures.errors import GraphFileError

_FIRST_ROW = 2  # the header is row 1

_WHAT = {
    "cells": "rows with another number of cells than the header",
    "relation": "rows whose relation is blank",
    "index": "rows with a node whose index is no whole number",
    "type": "rows with a node without a type",
    "unnamed": "rows with a node that has neither id nor name",
}
_ADVICE = {
    "cells": "quote cells that hold a comma or a quote",
    "relation": "name the relation",
    "index": "give each node of the file its number",
    "type": "name the type, such as drug or disease",
    "unnamed": "give the node an id or a name",
}
_AGAIN = ", or take the rows out; the build refuses the file until then, and nothing else was seen"


def refused_findings(
    path: Path, error: GraphFileError, progress: Progress | None = None
) -> tuple[Finding, ...]:
    """Return one finding per kind of refused row, with the count and the first rows.

    Where the refusal is of no row (a column is lacking, the file is cut off), its line is all.

    Args:
        path: The graph file.
        error: Why the build refuses it.
        progress: Told that the file is read again.
    """
    if progress is not None:
        progress("reading refused rows", 0, 1)
    counts: Counter[str] = Counter()
    examples: dict[str, list[str]] = defaultdict(list)
    broken: Exception | None = None
    try:
        for row, found in _refused_rows(path):
            counts[found.kind] += 1
            if len(examples[found.kind]) < SHOWN:
                examples[found.kind].append(f"row {row}: {found.detail}")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error, csv.Error, GraphFileError) as stop:
        broken = stop
    if progress is not None:
        progress("reading refused rows", 1, 1)
    of_rows = tuple(
        finding
        for kind, what in _WHAT.items()
        for finding in problem(
            f"refused_{kind}",
            f"the build refuses {what}",
            examples[kind],
            _ADVICE[kind] + _AGAIN,
            count=counts[kind],
        )
    )
    if of_rows and broken is None:
        return of_rows
    return (*of_rows, *_of_file(error if not of_rows else broken or error))


def _of_file(error: Exception) -> tuple[Finding, ...]:
    return problem(
        "refused",
        "the build refuses the file",
        [str(error)],
        "correct this first and examine the file again: what comes after it was not seen",
    )


def _refused_rows(path: Path) -> Iterator[tuple[int, Refusal]]:
    """Yield each refused row once per kind, with its number in the file."""
    with open_text(path) as lines:
        reader = csv.reader(lines)
        header = next(reader, [])
        places = {column: header.index(column) for column in COLUMNS if column in header}
        if len(places) < len(COLUMNS):
            return
        rows = (cells for cells in reader if cells)
        for row, cells in enumerate(rows, start=_FIRST_ROW):
            if len(cells) != len(header):
                detail = f"{len(header)} cells wanted, {len(cells)} found: {','.join(cells)[:80]!r}"
                yield row, Refusal("cells", detail)
                continue
            for found in _of_cells({column: cells[at] for column, at in places.items()}).values():
                yield row, found


def _of_cells(cells: dict[str, str]) -> dict[str, Refusal]:
    found: dict[str, Refusal] = {}
    if not cells["relation"].strip():
        found["relation"] = Refusal("relation", "the relation is blank")
    for end in "xy":
        parts = (cells[f"{end}_{field}"] for field in ("index", "id", "type", "source", "name"))
        refused = refusal(Spelling(*parts))
        if refused is not None:
            found.setdefault(refused.kind, refused)
    return found
