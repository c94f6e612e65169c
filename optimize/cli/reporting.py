"""How `compare`, `rescore` and `leakage` write: terminal tables, files for papers, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from data.wording import counted
from optimize.formats import Format, TextTable, render, to_csv

FormatOption = Annotated[
    Format, typer.Option("--format", help="table, csv, markdown, latex or json.")
]

_WIDE = 8
"""Tables with more columns are laid on their side on the terminal."""

_FRAME = 3
"""Characters of a column besides its text."""

SHOWN = 20
"""Rows of a long table on the terminal; the formats for files write all."""


def write(tables: Sequence[TextTable], data: Mapping[str, object], *, style: Format) -> None:
    """Write tables that have rows to standard output, or `data` when JSON is wanted."""
    if style == "json":
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
    elif style == "table":
        _show([table for table in tables if table.rows])
    else:
        sys.stdout.write(render([table for table in tables if table.rows], style))


def write_csv(table: TextTable, path: Path) -> None:
    """Write one table to a CSV file, its folder made where it is absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_csv(table), encoding="utf-8")


def note(lines: Sequence[str]) -> None:
    """Write remarks to standard error, so that they never mix with the numbers."""
    for line in lines:
        sys.stderr.write(f"{line}\n")


def _show(tables: Sequence[TextTable]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    out = Console()
    for table in (part for whole in tables for part in _fitting(whole, out.width)):
        shown = Table(title=table.title, title_justify="left", title_style="bold", show_lines=False)
        for name in table.header:
            shown.add_column(Text(name), overflow="fold")
        for row in table.rows[:SHOWN]:
            shown.add_row(*(Text(cell) for cell in row))
        out.print(shown)
        if (rows := len(table.rows)) > SHOWN:
            out.print(f"{SHOWN} of {counted(rows, 'row')} shown; the other formats write all")


def _fitting(table: TextTable, width: int) -> Iterator[TextTable]:
    """Lay a wide table on its side, in as many tables as its rows need to stand side by side."""
    if len(table.header) <= _WIDE:
        yield table
        return
    names = max(map(len, table.header)) + _FRAME
    sides = [max(map(len, row)) + _FRAME for row in table.rows]
    start = 0
    while start < len(sides):
        end, used = start + 1, names + sides[start]
        while end < len(sides) and used + sides[end] < width:
            used, end = used + sides[end], end + 1
        header, *rows = zip(*(table.header, *table.rows[start:end]), strict=True)
        yield TextTable(table.title, header, tuple(rows))
        start = end
