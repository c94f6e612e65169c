"""`qkgram data`: look at question files before they are used."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.similar import THRESHOLD
from optimize.cli.options import JsonOption
from optimize.folding import folding_table

if TYPE_CHECKING:
    from rich.table import Table

    from data.question_check import Finding, QuestionCheck

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Check question files.")

SHOWN = 10
"""Findings of each kind that are printed; `--json` has them all."""


@app.callback()
def data_group() -> None:
    """Check question files."""


@app.command("check")
def check_command(
    files: Annotated[list[Path], typer.Argument(help="Question files, in any known shape.")],
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", help="File that these may not overlap, such as train.jsonl."),
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0.1, max=1.0, help="Likeness from which questions overlap.")
    ] = THRESHOLD,
    as_json: JsonOption = False,
) -> None:
    """List duplicates, doubled options, overlaps of files or splits, and keys out of range.

    Exits with 1 when anything was found. Questions without a key are counted, not found fault with.

    Example: qkgram data check dev.jsonl test.jsonl --against train.jsonl
    """
    from data.question_check import check_questions

    result = check_questions(files, against=against or (), threshold=threshold)
    if as_json:
        sys.stdout.write(result.model_dump_json() + "\n")
    else:
        _show(result)
    raise typer.Exit(0 if result.clean else 1)


def _show(result: QuestionCheck) -> None:
    from rich.console import Console
    from rich.text import Text

    out = Console()
    out.print(_counts(result))
    for file in result.files:
        for note, count in file.notes.items():
            out.print(Text(f"{file.file}: {count} × {note}", style="dim"))
    kinds = dict.fromkeys(finding.kind for finding in result.findings)
    for kind in kinds:
        found = [finding for finding in result.findings if finding.kind == kind]
        out.print(Text(f"\n{kind.replace('_', ' ')}: {len(found)}", style="bold yellow"))
        for finding in found[:SHOWN]:
            out.print(Text(_line(finding)))
        if len(found) > SHOWN:
            out.print(Text(f"  … and {len(found) - SHOWN} more; --json lists all", style="dim"))
    if result.clean:
        out.print(Text("nothing found", style="green"))


def _line(finding: Finding) -> str:
    if finding.kind in ("unreadable", "gold_out_of_range"):
        return f"  {finding.detail}"
    return f"  {_places(finding.places)}: {finding.detail}"


def _places(places: Sequence[str]) -> str:
    """Name a file once when both questions stand in it."""
    files = {place.split(": ")[0] for place in places}
    if len(places) == 1 or len(files) > 1:
        return " ~ ".join(places)
    return f"{places[0]} ~ {places[1].split(': ')[-1]}"


def _counts(result: QuestionCheck) -> Table:
    from rich.text import Text

    columns = {
        "read": "read",
        "unreadable": "unreadable",
        "choice": "with options",
        "gold": "with a key",
        "no_option_right": "no option right",
        "unlabelled": "not scored",
        "without_reference": "open, no reference",
    }
    headings = tuple(columns.values())
    look = {"title": "Question files", "title_justify": "left"}
    table = folding_table("file", *headings, right=headings, **look)
    for file in result.files:
        table.add_row(Text(file.file), *(str(getattr(file, name)) for name in columns))
    return table
