"""`qkgram compile`: learn from a train split, keep it if dev agrees, report it on test."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from optimize.cli.options import PROGRAM_NAMES, JsonOption, takes_settings

if TYPE_CHECKING:
    from optimize.settings import Settings


@takes_settings(undotted="options", about=" Without a dot: an option of the optimizer.")
def compile_command(
    program: Annotated[str, typer.Option(help=f"{PROGRAM_NAMES}.")] = "qkgram",
    predictor: Annotated[
        str | None,
        typer.Option(help="Compile this predictor alone, such as type_domain; default: all."),
    ] = None,
    optimizer: Annotated[
        str,
        typer.Option(help="labeled, bootstrap, random-search, mipro-zero, mipro or gepa."),
    ] = "bootstrap",
    component: Annotated[
        list[str] | None,
        typer.Option(help="gepa: rewrite this predictor's instructions only; repeat for more."),
    ] = None,
    teacher: Annotated[
        str | None, typer.Option(help="Role whose model answers while bootstrapping: proposer …")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            help="exact_match, grounded_exact_match, claim_status_agreement; of a predictor: "
            "domain_match, answer_match."
        ),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(help="Question file; its own splits are kept. Default: the packaged sample."),
    ] = None,
    train: Annotated[Path | None, typer.Option(help="Questions to learn from.")] = None,
    dev: Annotated[Path | None, typer.Option(help="Questions that decide.")] = None,
    test: Annotated[Path | None, typer.Option(help="Questions that are reported.")] = None,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Ask the test questions, before and after.")
    ] = True,
    allow_overlap: Annotated[
        bool,
        typer.Option("--allow-overlap", help="Compile on what is reported; the card says so."),
    ] = False,
    out: Annotated[Path, typer.Option(help="File of the compiled program.")] = Path(
        "compiled.json"
    ),
    force: Annotated[bool, typer.Option("--force", help="Replace a finished --out.")] = False,
    forecast_only: Annotated[
        bool, typer.Option("--forecast-only", help="Say what it takes at most; call no model.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask after the forecast.")] = False,
    experiment: Annotated[
        str | None, typer.Option(help="Follow the study in this MLflow experiment.")
    ] = None,
    tracking: Annotated[
        str | None,
        typer.Option(help="Tracking address; default: MLFLOW_TRACKING_URI or ./mlflow.db."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the splits, the order and the optimizer.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Dev questions asked at a time.")] = 1,
    as_json: JsonOption = False,
    *,
    options: dict[str, JsonValue],
    settings: Settings,
) -> None:
    """Compile a program, or one predictor of it, and save it as JSON.

    A study that was stopped or killed goes on with the same command: nothing is paid for twice.

    Example: qkgram compile --predictor type_domain --optimizer gepa --max-calls 150 --out d.json
    """
    from optimize.cli.study_run import run_study, show_forecast, show_study
    from optimize.cli.study_setup import prepare, read_splits
    from optimize.tracking import open_tracker

    tracker = open_tracker(experiment, uri=tracking)
    prepared = prepare(
        read_splits(questions, train, dev, test, seed=seed),
        settings,
        program=program,
        predictor=predictor,
        metric=metric,
        report=report,
        allow_overlap=allow_overlap,
        optimizer=optimizer,
        options=options,
        components=tuple(component or ()),
        teacher=teacher,
        seed=seed,
        threads=threads,
    )
    if forecast_only:
        show_forecast(prepared, settings=settings, as_json=as_json)
        return
    compiled, usage = run_study(
        prepared,
        settings=settings,
        out=out,
        tracker=tracker,
        overwrite=force,
        ask=not yes and sys.stdin.isatty() and not as_json,
        show=not as_json,
    )
    show_study(compiled, out, usage, as_json=as_json)
