"""Run a program over questions from the settings alone: models, graph, run, evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from optimize.evaluate import evaluate
from optimize.identity import identify
from optimize.language_models import use_models
from optimize.meter import Meter
from optimize.progress import Bar, Progress
from optimize.runs import RunDirectory
from optimize.settings import Settings, preset_label
from optimize.summary import Summary
from optimize.toolbox import open_program
from optimize.track_run import track_run
from optimize.tracking import Tracker
from optimize.workers import abandon
from programs.toolbox import Toolbox
from signatures.errors import RunIncomplete
from signatures.schema import Question

Selection = Mapping[str, str | int | None]
"""Which questions of which file: `file`, `split`, `sample`, `seed`."""


class Shared(NamedTuple):
    """What several runs of one command have in common."""

    meter: Meter
    """Holds the budget of them all."""
    progress: Progress
    tools: Toolbox | None
    """Open graph and tools; `None` for programs without a graph."""


def run_program(
    name: str,
    questions: tuple[Question, ...],
    *,
    settings: Settings,
    selection: Selection,
    compiled: Path | None = None,
    repeats: int = 1,
    out: Path | None = None,
    threads: int = 1,
    tracker: Tracker | None = None,
    shared: Shared | None = None,
) -> Summary:
    """Answer every question that the run at `out` has no row for, and sum the run up.

    A `tracker` that is not started yet is told the numbers, the prompts and sampled traces. The
    budget is that of the settings, or that of `shared` when the run is one of several.

    Raises:
        InputError: The program is unknown, or the run at `out` is of something else.
        MissingError: The graph store or a model file is absent.
        RunNotWritten: The disk is full; rows so far are kept.
    """
    tools = None if shared is None else shared.tools
    opened = open_program(name, settings, compiled=compiled, tools=tools)
    with (
        _watched(settings, shared) as (meter, progress),
        use_models(settings, meter, asks=opened.asks) as roles,
    ):
        identity = identify(
            opened.module,
            name=name,
            settings=settings,
            models={role: lm.model for role, lm in roles.items()},
            graph=opened.graph,
            options=settings.program._asdict(),
        )
        parts = (str(selection["file"]).split(".")[0], selection.get("split"))
        stem = "-".join(str(part) for part in parts if part)
        folder = out or Path("runs", f"{name}-{stem}-{identity.fingerprint[:8]}")
        with RunDirectory.open(
            folder,
            identity=identity,
            questions=questions,
            repeats=repeats,
            selection=dict(selection),
            preset=preset_label(settings),
        ) as run:
            summary = evaluate(
                opened.answer,
                run,
                meter=meter,
                threads=threads,
                progress=progress,
                abandon=abandon,
            )
        if tracker is not None:
            track_run(summary, folder, tracker, program=opened.module)
        return summary


@contextmanager
def _watched(settings: Settings, shared: Shared | None) -> Iterator[tuple[Meter, Progress]]:
    """Give what is shared, else a meter with the budget of the settings and a bar."""
    if shared is not None:
        yield shared.meter, shared.progress
        return
    with Bar() as progress:
        yield Meter(settings.budget), progress


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
