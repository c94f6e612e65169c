"""`qkgram compare`: runs against each other, or a run against its own first answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from optimize.cli.options import JsonOption
from optimize.cli.reporting import FormatOption, note, write, write_csv


def compare_command(
    runs: Annotated[
        list[Path], typer.Argument(help="Run folders, per-sample CSV files or validator logs.")
    ],
    within: Annotated[
        bool, typer.Option("--within", help="Also compare each run's first and final answers.")
    ] = False,
    name: Annotated[
        list[str] | None, typer.Option(help="Name of a run in the tables; repeat in their order.")
    ] = None,
    flips: Annotated[
        Path | None, typer.Option(help="Write the questions that flip to this CSV file.")
    ] = None,
    figure: Annotated[
        Path | None, typer.Option(help="Draw accuracy and revisions to this .svg or .png file.")
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the figure.")] = "Validation",
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap interval.")] = 0,
    style: FormatOption = "table",
    as_json: JsonOption = False,
) -> None:
    """Test whether runs differ, question by question: exact McNemar, Holm, bootstrap interval.

    Example: qkgram compare runs/qkg runs/qkgram --within --flips flips.csv
    """
    from optimize.compare_tables import (
        comparison_table,
        flip_tables,
        flips_table,
        unmatched_table,
    )
    from optimize.comparing import compare
    from optimize.results import name_results, read_results
    from optimize.track_run import local_run

    results = name_results([read_results(local_run(run)) for run in runs], name or [])
    note([f"{r.name}: {line}" for r in results for line in r.notes])
    found = compare(results, within=within, seed=seed)
    if flips is not None:
        write_csv(flips_table(found), flips)
    if figure is not None:
        from optimize.figures import draw_validation, settings_of

        draw_validation(settings_of(results), figure, title=title)
    tables = [unmatched_table(found), comparison_table(found), *flip_tables(found)]
    data = {"comparisons": [comparison.model_dump(mode="json") for comparison in found]}
    write(tables[1:2] if style == "csv" else tables, data, style="json" if as_json else style)
