"""`qkgram evaluate`: a program over a file of questions, kept as a run that can be resumed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from optimize.cli.options import (
    PROGRAM_NAMES,
    JsonOption,
    QuestionsOption,
    SampleOption,
    SeedOption,
    SplitOption,
    ThreadsOption,
    choose_questions,
    takes_settings,
)

if TYPE_CHECKING:
    from optimize.settings import Settings
    from optimize.summary import Summary

ValidatorChoice = Literal["none", "direct", "agent"]


@takes_settings()
def evaluate_command(
    program: Annotated[str, typer.Argument(help=f"{PROGRAM_NAMES}.")],
    questions: QuestionsOption = None,
    split: SplitOption = None,
    sample: SampleOption = None,
    seed: SeedOption = 0,
    repeats: Annotated[
        int, typer.Option(min=1, help="Times each question is answered; see the temperature.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the run; the same one resumes. Default: below runs/."),
    ] = None,
    compiled: Annotated[Path | None, typer.Option(help="A program saved by `compile`.")] = None,
    max_hops: Annotated[
        int | None, typer.Option(min=1, help="Sub-questions at most: H of ReGraM.")
    ] = None,
    context: Annotated[
        bool | None, typer.Option("--context/--no-context", help="Check facts for the patient.")
    ] = None,
    validator: Annotated[
        ValidatorChoice | None, typer.Option(help="Who checks the claims of qkg.")
    ] = None,
    threads: ThreadsOption = 1,
    track: Annotated[
        str | None,
        typer.Option(metavar="EXPERIMENT", help="Log the run to this MLflow experiment."),
    ] = None,
    tracking: Annotated[
        str | None, typer.Option(help="MLflow's address; default: ./mlflow.db.")
    ] = None,
    as_json: JsonOption = False,
    *,
    settings: Settings,
) -> None:
    """Answer every question of a file, one row on disk each, and report accuracy and cost.

    Exit code 2: incomplete (interrupted, budget spent, model away); the same command goes on.

    Example: qkgram evaluate direct --split test --sample 8 --out runs/direct
    """
    from optimize.running import check_complete, run_program
    from optimize.settings import changed
    from optimize.tracking import open_tracker

    chosen, selection = choose_questions(questions, split=split, sample=sample, seed=seed)
    named = {"max_hops": max_hops, "use_context": context, "validator": validator}
    flags = {f"program.{name}": value for name, value in named.items() if value is not None}
    summary = run_program(
        program,
        chosen,
        settings=changed(settings, flags),
        selection=selection,
        compiled=compiled,
        repeats=repeats,
        out=out,
        threads=threads,
        tracker=None if track is None else open_tracker(track, uri=tracking),
    )
    _report(summary, as_json=as_json)
    check_complete(summary)


def _report(summary: Summary, *, as_json: bool) -> None:
    from rich.console import Console

    from optimize.summary_text import show_summary

    if as_json:
        sys.stdout.write(summary.model_dump_json(indent=2) + "\n")
    else:
        show_summary(summary, Console())
