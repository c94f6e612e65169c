"""`qkgram report`: one HTML file per study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from optimize.cli.reporting import note


def report_command(
    runs: Annotated[list[Path], typer.Argument(help="Run folders of `evaluate`.")],
    out: Annotated[Path, typer.Option(help="The HTML file to write.")] = Path("report.html"),
    tables: Annotated[
        Path | None,
        typer.Option(help="Folder for the tables (CSV, Markdown, LaTeX) and plots (SVG, PNG)."),
    ] = None,
    cards: Annotated[
        int | None, typer.Option(min=0, help="Questions that get a card; all without it.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="Name of a run in the report; repeat in their order.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="Heading of the report.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap intervals.")] = 0,
) -> None:
    """Write a study as one HTML file: numbers, tests, figures, and a card for every question.

    The file opens offline and asks nothing of the network.

    Example: qkgram report runs/qkg runs/qkgram --out report.html --tables tables
    """
    from optimize.report.build import write_report
    from optimize.report.table_set import remove_older, write_files
    from optimize.track_run import local_run

    data, size = write_report(
        [local_run(run) for run in runs], out, names=name or (), title=title, cards=cards, seed=seed
    )
    note(data.notes)
    note([f"{out}: {size / 1e6:.1f} MB, opens in any browser"])
    if tables is not None:
        written = write_files(data, tables)
        note([f"{tables}: {len(written)} files"])
        if older := remove_older(tables, written):
            names = ", ".join(path.name for path in older)
            note([f"{tables}: removed what an older report left: {names}"])
