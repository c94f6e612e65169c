"""`qkgram kg doctor`: what is odd in a graph file or a store."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.wording import counted
from optimize.cli.bars import stage_bars
from optimize.cli.options import JsonOption

if TYPE_CHECKING:
    from retrievers.findings import Diagnosis

_COLOURS = {"problem": "bold red", "note": "bold"}


def doctor_command(
    path: Annotated[Path, typer.Argument(help="PrimeKG's CSV, plain or gzipped, or a store.")],
    constraints: Annotated[
        Path | None, typer.Option(help="Constraint file to look up in the CSV.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Examine a graph: every oddity with its count, examples and what to do.

    Exits with 0 when nothing wants a repair and with 1 otherwise.

    Example: qkgram kg doctor kg.csv --constraints constraints.jsonl
    """
    from retrievers.doctor import diagnose

    with stage_bars() as progress:
        diagnosis = diagnose(path, constraints=constraints, progress=progress)
    if as_json:
        sys.stdout.write(diagnosis.model_dump_json() + "\n")
    else:
        _show(diagnosis)
    if not diagnosis.sound:
        raise typer.Exit(1)


def _show(diagnosis: Diagnosis) -> None:
    from rich.console import Console
    from rich.text import Text

    out = Console(soft_wrap=True)
    for finding in diagnosis.findings:
        title = f"{finding.severity}: {finding.what}: {finding.count:,}"
        out.print(Text(title, style=_COLOURS[finding.severity]))
        for example in finding.examples:
            out.print(Text(f"    {example}"))
        out.print(Text(f"  → {finding.advice}"))
    problems = sum(finding.severity == "problem" for finding in diagnosis.findings)
    ending = (
        counted(problems, "kind of problem", "kinds of problem")
        if problems
        else "nothing wants a repair"
    )
    out.print(Text(f"{diagnosis.source}: {ending}", style="bold"))
