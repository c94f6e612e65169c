"""`qkgram compile`: learn from a train split, keep it if dev agrees, report it on test."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from optimize.cli.options import PROGRAM_NAMES, JsonOption, takes_settings
from signatures.errors import InputError

if TYPE_CHECKING:
    import dspy

    from data.splits import Splits
    from optimize.settings import Settings
    from optimize.study import Compiled, Study
    from optimize.study_forecast import StudyForecast
    from signatures.schema import Question, Usage


_ON_THE_CARD = ("linking", "region", "reasks")
"""Settings that change what a program answers, besides its models and its own."""


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
    from optimize.tracking import open_tracker

    tracker = open_tracker(experiment, uri=tracking)
    splits = _splits(questions, train, dev, test, seed=seed)
    module, store = _build(program, settings, alone=predictor is not None)
    study = _study(
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
        overlap=_marked(splits, allow=allow_overlap),
        settings=_for_the_card(settings),
    )
    examples = {part: _examples(module, study, splits[part]) for part in ("train", "dev")}
    examples["test"] = _examples(module, study, splits.test) if report else []
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


def _build(program: str, settings: Settings, *, alone: bool) -> tuple[dspy.Module, str | None]:
    """Return the program and its graph's fingerprint; no graph is opened for one predictor."""
    from optimize.lone_predictor import closed_toolbox
    from optimize.toolbox import open_toolbox
    from programs.registry import build_program, program_spec

    if alone or not program_spec(program).needs_graph:
        made = build_program(program, tools=closed_toolbox(), settings=settings.program)
        return made, None
    tools = open_toolbox(settings)
    made = build_program(program, tools=tools, settings=settings.program)
    return made, tools.graph.fingerprint


def _study(
    module: dspy.Module, *, predictor: str | None, metric: str | None, **known: object
) -> Study:
    from optimize.dspy_metrics import METRICS, metric_for_field
    from optimize.study import Study, find_predictor, student_of

    full = None if predictor is None else find_predictor(module, predictor)
    if metric is None and full is None:
        metric = "exact_match"
    elif metric is None:
        outputs = list(student_of(module, full).signature.output_fields)
        judged = {spec.field for spec, _ in METRICS.values() if spec.of == "predictor"}
        metric = metric_for_field(next((name for name in outputs if name in judged), outputs[-1]))
    return Study.model_validate({**known, "predictor": full, "metric": metric})


def _for_the_card(settings: Settings) -> dict[str, JsonValue]:
    from optimize.rows import trace_of

    common = {name: getattr(settings, name) for name in _ON_THE_CARD}
    return trace_of({**common, "program": settings.program._asdict()})


def _splits(
    questions: Path | None, train: Path | None, dev: Path | None, test: Path | None, *, seed: int
) -> Splits:
    from data.paths import sample_dir
    from data.questions import read_questions, select
    from data.splits import Splits, split_questions

    apart = [path for path in (train, dev, test) if path is not None]
    if (train is None) != (dev is None) or (apart and (questions is not None or train is None)):
        raise InputError(
            "give --train and --dev together, with --test if you like, or --questions with one "
            "file for all"
        )
    if train is not None and dev is not None:
        return Splits(
            train=read_questions(train),
            dev=read_questions(dev),
            test=read_questions(test) if test is not None else (),
            origin="own",
        )
    splits = split_questions(
        read_questions(questions or sample_dir() / "questions.jsonl"), seed=seed
    )
    for part in ("train", "dev"):
        select((*splits.train, *splits.dev, *splits.test), split=part)
    return splits


def _marked(splits: Splits, *, allow: bool) -> tuple[str, ...]:
    """Return what is said of test questions in train or dev; refuse them without `allow`."""
    from optimize.examples import marked_as_test

    lines = marked_as_test((*splits.train, *splits.dev))
    if lines and not allow:
        raise InputError(
            f"{lines[0]}; take them out, or pass --allow-overlap, which is recorded on the card"
        )
    return lines


def _examples(
    module: dspy.Module, study: Study, questions: Sequence[Question]
) -> list[dspy.Example]:
    from optimize.dspy_metrics import METRICS
    from optimize.examples import predictor_examples, program_examples
    from optimize.study import student_of

    if study.metric not in METRICS:
        return []
    spec = METRICS[study.metric][0]
    if study.predictor is None:
        return program_examples(questions, needs=spec.needs)
    return predictor_examples(student_of(module, study.predictor), questions, field=spec.field)


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
