"""`qkgram rescore`: saved runs under today's answer reader, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from optimize.cli.options import JsonOption
from optimize.cli.reporting import FormatOption, note, write


def rescore_command(
    runs: Annotated[
        list[Path], typer.Argument(help="Run folders, per-sample CSV files or validator logs.")
    ],
    name: Annotated[
        list[str] | None, typer.Option(help="Name of a run in the tables; repeat in their order.")
    ] = None,
    style: FormatOption = "table",
    as_json: JsonOption = False,
) -> None:
    """Score saved runs again: accuracy with bounds, per source, domain and mode; what changed.

    Example: qkgram rescore runs/qkgram --format markdown
    """
    from optimize.rescoring import accuracy_table, change_table, measure_table, rescore
    from optimize.results import name_results, read_results

    found = [rescore(r) for r in name_results([read_results(path) for path in runs], name or [])]
    note([f"{r.name}: {line}" for r in found for line in r.notes])
    tables = [accuracy_table(found), measure_table(found), change_table(found)]
    data = {"runs": [r.model_dump(mode="json") for r in found]}
    write(tables[:1] if style == "csv" else tables, data, style="json" if as_json else style)
