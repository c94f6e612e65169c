"""Run the curation of `qkgram curate`, with its bars, and show what it came to."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from optimize.cli.bars import count_bar
from optimize.cli.curation_tables import show_curation
from optimize.curated_set import CurationSummary
from optimize.curation_setup import CurationOptions, curate_file, open_curate
from optimize.progress import Bar
from optimize.settings import Settings
from optimize.workers import abandon
from programs.curate import Curate
from signatures.errors import RunIncomplete
from signatures.schema import Question


def run_curation(
    questions: Sequence[Question],
    out: Path,
    *,
    settings: Settings,
    options: CurationOptions,
    top: int | None,
    threads: int,
    as_json: bool,
) -> None:
    """Curate questions into the folder `out` and show the counts.

    Raises:
        RunIncomplete: A question has no result; the same command goes on.
    """
    program = _program(settings, options)
    with Bar() as progress:
        summary = curate_file(
            program,
            questions,
            out,
            settings=settings,
            options=options,
            top=top,
            threads=threads,
            progress=progress,
            abandon=abandon,
        )
    _show(summary, out, as_json=as_json)
    if summary.incomplete:
        raise RunIncomplete(
            f"{out} is incomplete ({summary.stopped or 'some questions failed'}): the same command "
            "goes on from here"
        )


def _program(settings: Settings, options: CurationOptions) -> Curate:
    """Build the program; a bar shows the vocabulary's names while they are embedded."""
    if not (options.sources.files and options.neighbours):
        return open_curate(settings, options)
    with count_bar("embedding names") as progress:
        return open_curate(settings, options, embedding=progress)


def _show(summary: CurationSummary, out: Path, *, as_json: bool) -> None:
    from rich.console import Console

    if as_json:
        sys.stdout.write(summary.model_dump_json(indent=2) + "\n")
    else:
        show_curation(summary, out, Console())
