"""How `compare`, `rescore` and `leakage` write: terminal tables, files for papers, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
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
    for table in tables:
        shown = Table(title=table.title, title_justify="left", title_style="bold", show_lines=False)
        header, rows = _turned(table) if len(table.header) > _WIDE else (table.header, table.rows)
        for name in header:
            shown.add_column(Text(name), overflow="fold")
        for row in rows[:SHOWN]:
            shown.add_row(*(Text(cell) for cell in row))
        out.print(shown)
        if len(rows) > SHOWN:
            out.print(f"{SHOWN} of {counted(len(rows), 'row')} shown; the other formats write all")


def _turned(table: TextTable) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Lay a wide table on its side: one line per column, so that a terminal can hold it."""
    columns = tuple(zip(*(table.header, *table.rows), strict=True))
    return columns[0], columns[1:]
