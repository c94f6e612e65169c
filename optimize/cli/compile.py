"""`qkgram compile`: learn demonstrations from a train split, keep them if the dev split agrees."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from optimize.cli.options import ConfigOption, GraphOption, JsonOption, ModelOption
from signatures.errors import InputError

if TYPE_CHECKING:
    import dspy

    from optimize.scoring import Progress
    from optimize.study import Compiled, Study
    from signatures.schema import Question, Usage


_ON_THE_CARD = {"linking", "region", "reasks"}
"""Settings that change what a program answers, besides its models."""


def compile_command(
    program: Annotated[str, typer.Option(help="Program to compile.")] = "qkgram",
    predictor: Annotated[
        str | None,
        typer.Option(help="Compile this predictor alone, such as type_domain; default: all."),
    ] = None,
    optimizer: Annotated[
        str, typer.Option(help="labeled, bootstrap or random-search.")
    ] = "bootstrap",
    option: Annotated[
        list[str] | None,
        typer.Option("--set", help="Option of the optimizer, NAME=VALUE; repeat for more."),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(help="exact_match, grounded_exact_match; of a predictor: domain_match."),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(help="Question file with train and dev splits; default: the packaged sample."),
    ] = None,
    train: Annotated[Path | None, typer.Option(help="Questions to learn from.")] = None,
    dev: Annotated[Path | None, typer.Option(help="Questions that decide.")] = None,
    out: Annotated[Path, typer.Option(help="File of the compiled program.")] = Path(
        "compiled.json"
    ),
    force: Annotated[bool, typer.Option("--force", help="Replace a finished --out.")] = False,
    experiment: Annotated[
        str | None, typer.Option(help="Follow the study in this MLflow experiment.")
    ] = None,
    tracking: Annotated[
        str | None,
        typer.Option(help="Tracking address; default: MLFLOW_TRACKING_URI or ./mlflow.db."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Order of the training questions.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Dev questions asked at a time.")] = 1,
    max_calls: Annotated[int | None, typer.Option(help="Stop before this many calls.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop at this many tokens.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="Stop at this many US dollars.")] = None,
    max_minutes: Annotated[float | None, typer.Option(help="Stop after this long.")] = None,
    graph: GraphOption = None,
    model: ModelOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compile a program, or one predictor of it, and save it as JSON.

    Example: qkgram compile --predictor type_domain --out domain.json --experiment type-domain
    """
    from optimize.compile import compile_program
    from optimize.language_models import use_models
    from optimize.meter import Meter
    from optimize.settings import load_settings
    from optimize.tracking import open_tracker

    tracker = open_tracker(experiment, uri=tracking)
    flags = {
        "graph": graph,
        "model": model,
        "budget.max_calls": max_calls,
        "budget.max_tokens": max_tokens,
        "budget.max_cost": max_cost,
        "budget.max_minutes": max_minutes,
    }
    settings = load_settings(config, flags)
    module = _build(program, settings)
    study = _study(
        module,
        program=program,
        predictor=predictor,
        optimizer=optimizer,
        options=_options(option or ()),
        metric=metric,
        seed=seed,
        threads=threads,
    )
    splits = _splits(questions, train, dev)
    examples = [_examples(module, study, split) for split in splits]
    meter = Meter(settings.budget)
    with use_models(settings, meter) as roles, _progress(show=not as_json) as progress:
        compiled = compile_program(
            module,
            study.model_copy(
                update={
                    "models": {role: lm.model for role, lm in roles.items()},
                    "settings": settings.model_dump(mode="json", include=_ON_THE_CARD),
                }
            ),
            train=examples[0],
            dev=examples[1],
            out=out,
            tracker=tracker,
            meter=meter,
            progress=progress,
            overwrite=force,
        )
    _report(compiled, out, meter.usage(), as_json=as_json)


def _build(program: str, settings: object) -> dspy.Module:
    from optimize.toolbox import open_toolbox
    from programs.registry import build_program, program_spec

    tools = open_toolbox(settings) if program_spec(program).needs_graph else None  # type: ignore[arg-type]
    return build_program(program, tools=tools)


def _study(
    module: dspy.Module,
    *,
    program: str,
    predictor: str | None,
    optimizer: str,
    options: dict[str, JsonValue],
    metric: str | None,
    seed: int,
    threads: int,
) -> Study:
    from optimize.study import Study, find_predictor

    full = None if predictor is None else find_predictor(module, predictor)
    return Study(
        program=program,
        predictor=full,
        optimizer=optimizer,
        options=options,
        metric=metric or ("exact_match" if full is None else "domain_match"),
        seed=seed,
        threads=threads,
    )


def _options(given: Sequence[str]) -> dict[str, JsonValue]:
    """Read NAME=VALUE pairs; a value that is JSON is read as such.

    >>> _options(["max_rounds=2", "init_temperature=0.7", "auto=light"])
    {'max_rounds': 2, 'init_temperature': 0.7, 'auto': 'light'}
    """
    options: dict[str, JsonValue] = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise InputError(f"--set takes NAME=VALUE, got {pair!r}; for example max_rounds=2")
        try:
            options[name.strip()] = json.loads(text)
        except ValueError:
            options[name.strip()] = text.strip()
    return options


def _splits(
    questions: Path | None, train: Path | None, dev: Path | None
) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    from data.paths import sample_dir
    from data.questions import read_questions, select

    if (train is None) != (dev is None) or (train is not None and questions is not None):
        raise InputError(
            "give --train and --dev together, or --questions with a file that has both splits"
        )
    if train is not None and dev is not None:
        return read_questions(train), read_questions(dev)
    everything = read_questions(questions or sample_dir() / "questions.jsonl")
    return select(everything, split="train"), select(everything, split="dev")


def _examples(
    module: dspy.Module, study: Study, questions: Sequence[Question]
) -> list[dspy.Example]:
    from optimize.dspy_metrics import METRICS
    from optimize.examples import predictor_examples, program_examples
    from optimize.study import student_of

    if study.predictor is None:
        return program_examples(questions)
    if study.metric not in METRICS:
        return []
    field = METRICS[study.metric][0].field
    return predictor_examples(student_of(module, study.predictor), questions, field=field)


@contextmanager
def _progress(*, show: bool) -> Iterator[Progress | None]:
    if not show:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    # The stream is named: what optimizers print to standard error is caught, this is not.
    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description:8}"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, TimeElapsedColumn(), console=console) as bars:
        tasks: dict[str, TaskID] = {}

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage)
            bars.update(tasks[stage], completed=done, total=total)

        yield advance


def _report(compiled: Compiled, out: Path, usage: Usage, *, as_json: bool) -> None:
    if as_json:
        document = {
            "out": str(out),
            "before": compiled.before.model_dump(),
            "after": compiled.after.model_dump(),
            "kept": compiled.card.kept,
            "demos": compiled.demos,
            "usage": usage.model_dump(),
        }
        sys.stdout.write(json.dumps(document) + "\n")
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        "", "dev score", "questions", "unreadable", title="Compiled", title_justify="left"
    )
    for name, score in (("before", compiled.before), ("after", compiled.after)):
        table.add_row(name, f"{score.value:.3f}", str(score.n), str(score.failed))
    console = Console()
    console.print(table)
    learnt = ", ".join(f"{name} {n}" for name, n in compiled.demos.items() if n)
    console.print(Text(f"demonstrations: {learnt or 'none'}"))
    console.print(Text(f"kept: {compiled.card.kept}, saved at {out}; {usage.calls} calls"))
