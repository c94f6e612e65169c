"""`qkgram doctor`: is everything in place before a run?"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.options import ConfigOption, GraphOption, JsonOption, ModelOption

if TYPE_CHECKING:
    from optimize.doctor import Check

_COLOURS = {"ok": "green", "warn": "yellow", "wrong": "bold red"}


def doctor_command(
    graph: GraphOption = None,
    model: ModelOption = None,
    config: ConfigOption = None,
    runs: Annotated[Path, typer.Option(help="Folder below which runs are written.")] = Path("runs"),
    tracking: Annotated[
        str | None,
        typer.Option(help="Tracking address; default: MLFLOW_TRACKING_URI or ./mlflow.db."),
    ] = None,
    deep: Annotated[
        bool, typer.Option("--deep", help="Compute the SHA-256 of the model files: seconds per GB.")
    ] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask the servers of the settings; else no network.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check store, models, settings, disk, packages and tracking; say what to do about each.

    Exits with 1 when something is wrong; a warning stops nothing. Keys are never shown.

    Example: qkgram doctor --deep
    """
    from optimize.doctor import examine, is_sound

    checks = tuple(
        examine(config, graph=graph, model=model, runs=runs, tracking=tracking, deep=deep, ask=ask)
    )
    if as_json:
        document = {"sound": is_sound(checks), "checks": [check.model_dump() for check in checks]}
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    else:
        _show(checks)
    if not is_sound(checks):
        raise typer.Exit(1)


def _show(checks: Sequence[Check]) -> None:
    from rich.console import Console
    from rich.text import Text

    out = Console(soft_wrap=True)
    for check in checks:
        advice = f" → {check.advice}" if check.advice else ""
        verdict = (f"{check.verdict:5} ", _COLOURS[check.verdict])
        out.print(Text.assemble(verdict, (check.about, "bold"), f": {check.found}{advice}"))
    counts = Counter(str(check.verdict) for check in checks)
    out.print(Text(", ".join(f"{counts[verdict]} {verdict}" for verdict in _COLOURS)))
