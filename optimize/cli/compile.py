"""`qkgram compile`: learn from a train split, keep it if dev agrees, report it on test."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from optimize.cli.options import PROGRAM_NAMES, JsonOption, takes_settings

if TYPE_CHECKING:
    import dspy

    from optimize.settings import Settings
    from optimize.study import Compiled, Study
    from optimize.study_forecast import StudyForecast
    from signatures.schema import Usage


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
    from optimize.cli.study_setup import (
        build_student,
        for_the_card,
        make_study,
        marked,
        read_splits,
        study_examples,
    )
    from optimize.tracking import open_tracker

    tracker = open_tracker(experiment, uri=tracking)
    splits = read_splits(questions, train, dev, test, seed=seed)
    module, store = build_student(program, settings, alone=predictor is not None)
    study = make_study(
        module,
        program=program,
        predictor=predictor,
        optimizer=optimizer,
        options=options,
        components=tuple(component or ()),
        teacher=teacher,
        metric=metric,
        seed=seed,
        threads=threads,
        graph=store,
        splits=splits.fingerprint,
        allow_overlap=allow_overlap,
        overlap=marked(splits, allow=allow_overlap),
        settings=for_the_card(settings),
    )
    examples = study_examples(module, study, splits, report=report)
    if forecast_only:
        _show_forecast(module, study, examples, settings=settings, as_json=as_json)
        return
    compiled, usage = _compile(
        module,
        study,
        examples,
        settings=settings,
        out=out,
        tracker=tracker,
        force=force,
        ask=not yes and sys.stdin.isatty() and not as_json,
        show=not as_json,
    )
    _report(compiled, out, usage, as_json=as_json)


def _compile(  # type: ignore[no-untyped-def]
    module, study, examples, *, settings, out, tracker, force, ask, show
) -> tuple[Compiled, Usage]:
    from optimize.cli.study_bars import study_bars
    from optimize.compile import compile_program, forecast_calls
    from optimize.language_models import use_models
    from optimize.meter import Meter

    meter = Meter(settings.budget)
    with use_models(settings, meter) as roles, study_bars(show=show, spent=meter.usage) as bars:
        sizes = {part: len(held) for part, held in examples.items()}
        bars.note(f"forecast: {forecast_calls(module, study, **sizes)}")

        def confirm(forecast: StudyForecast) -> bool:
            return not ask or bars.ask(f"{forecast}. Go on?")

        compiled = compile_program(
            module,
            study.model_copy(update={"models": {role: lm.model for role, lm in roles.items()}}),
            **examples,
            out=out,
            tracker=tracker,
            meter=meter,
            progress=bars.advance,
            note=bars.note,
            confirm=confirm,
            overwrite=force,
        )
    return compiled, meter.usage()


def _show_forecast(
    module: dspy.Module,
    study: Study,
    examples: dict[str, list[dspy.Example]],
    *,
    settings: Settings,
    as_json: bool,
) -> None:
    import dspy as dspy_library

    from optimize.compile import forecast_calls
    from optimize.language_models import build_adapter

    sizes = {part: len(held) for part, held in examples.items()}
    with dspy_library.context(adapter=build_adapter(settings)):
        found = forecast_calls(module, study, **sizes)
    said = found.model_dump_json() if as_json else str(found)
    sys.stdout.write(said + "\n")


def _report(compiled: Compiled, out: Path, usage: Usage, *, as_json: bool) -> None:
    from optimize.cli.study_bars import show_compiled

    if not as_json:
        show_compiled(compiled, out, usage)
        return
    document = {
        "out": str(out),
        "before": compiled.before.model_dump(exclude={"values"}),
        "after": compiled.after.model_dump(exclude={"values"}),
        "test": compiled.test.model_dump() if compiled.test else None,
        "kept": compiled.card.kept,
        "demos": compiled.demos,
        "resumed": compiled.resumed,
        "usage": usage.model_dump(),
    }
    sys.stdout.write(json.dumps(document) + "\n")
