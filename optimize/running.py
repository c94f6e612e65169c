"""Run a program over questions from the settings alone: models, graph, run, evaluation."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from optimize.evaluate import evaluate
from optimize.identity import identify
from optimize.language_models import use_models
from optimize.meter import Meter
from optimize.progress import Bar
from optimize.runs import RunDirectory
from optimize.settings import Settings
from optimize.summary import Summary
from optimize.toolbox import open_program
from optimize.track_run import track_run
from optimize.tracking import Tracker
from programs.registry import ProgramSettings
from signatures.errors import RunIncomplete
from signatures.schema import Question

Selection = Mapping[str, str | int | None]
"""Which questions of which file: `file`, `split`, `sample`, `seed`."""


def run_program(
    name: str,
    questions: tuple[Question, ...],
    *,
    settings: Settings,
    selection: Selection,
    options: ProgramSettings = ProgramSettings(),
    compiled: Path | None = None,
    repeats: int = 1,
    out: Path | None = None,
    threads: int = 1,
    tracker: Tracker | None = None,
) -> Summary:
    """Answer every question that the run at `out` has no row for, and sum the run up.

    A `tracker` that is not started yet is told the numbers, the prompts and sampled traces.

    Raises:
        InputError: The program is unknown, or the run at `out` is of something else.
        MissingError: The graph store or a model file is absent.
        RunNotWritten: The disk is full; rows so far are kept.
    """
    opened = open_program(name, settings, options=options, compiled=compiled)
    meter = Meter(settings.budget)
    with use_models(settings, meter) as roles, Bar() as progress:
        identity = identify(
            opened.module,
            name=name,
            settings=settings,
            models={role: lm.model for role, lm in roles.items()},
            graph=opened.graph,
            options=options._asdict(),
        )
        stem = str(selection["file"]).split(".")[0]
        folder = out or Path("runs", f"{name}-{stem}-{identity.fingerprint[:8]}")
        with RunDirectory.open(
            folder,
            identity=identity,
            questions=questions,
            repeats=repeats,
            selection=dict(selection),
        ) as run:
            summary = evaluate(
                opened.module,
                run,
                meter=meter,
                threads=threads,
                progress=progress,
                abandon=_abandon,
            )
        if tracker is not None:
            track_run(summary, folder, tracker, program=opened.module)
        return summary


def check_complete(summary: Summary) -> None:
    """Say that questions are left.

    Raises:
        RunIncomplete: They are; the command line exits with 2.
    """
    if summary.incomplete:
        raise RunIncomplete(
            f"{summary.run} is incomplete ({summary.stopped or 'some questions were not run'}): "
            "the same command goes on from here"
        )


def _abandon() -> None:
    """End at once: every row is on disk, and a local model cannot be interrupted otherwise."""
    sys.stderr.write("qkgram: abandoned; the rows so far are kept\n")
    sys.stderr.flush()
    os._exit(RunIncomplete.exit_code)
