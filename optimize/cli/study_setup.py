"""What `qkgram compile` needs before a model is called: splits, program, study and examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import dspy
from pydantic import JsonValue

from data.paths import sample_dir
from data.questions import read_questions, select
from data.splits import Splits, split_questions
from optimize.dspy_metrics import METRICS, metric_for_field
from optimize.examples import marked_as_test, predictor_examples, program_examples
from optimize.lone_predictor import closed_toolbox
from optimize.rows import trace_of
from optimize.settings import Settings
from optimize.study import Study, find_predictor, student_of
from optimize.toolbox import open_toolbox
from programs.registry import build_program, program_spec
from signatures.errors import InputError
from signatures.schema import Question

_ON_THE_CARD = ("linking", "region", "reasks")
"""Settings that change what a program answers, besides its models and its own."""


class Prepared(NamedTuple):
    """A study before its first call."""

    module: dspy.Module
    study: Study
    examples: dict[str, list[dspy.Example]]
    """Of train, dev and test."""

    @property
    def sizes(self) -> dict[str, int]:
        """How many examples each part has."""
        return {part: len(held) for part, held in self.examples.items()}


def prepare(
    splits: Splits,
    settings: Settings,
    *,
    program: str,
    predictor: str | None,
    metric: str | None,
    report: bool,
    allow_overlap: bool,
    **known: object,
) -> Prepared:
    """Build the program and its study.

    Args:
        splits: Questions of each part.
        settings: Graph, models and the program's own.
        program: Its name.
        predictor: The one that is compiled; `None` compiles all.
        metric: Its name; `None` takes the one that fits.
        report: Whether the test questions are asked.
        allow_overlap: Whether test questions may be compiled on; the card says so.
        **known: Further fields of the `Study`.

    Raises:
        InputError: A name is unknown, or test questions are in train or dev.
        StoreNotFound: There is no graph.
    """
    module, store = build_student(program, settings, alone=predictor is not None)
    study = make_study(
        module,
        program=program,
        predictor=predictor,
        metric=metric,
        graph=store,
        splits=splits.fingerprint,
        allow_overlap=allow_overlap,
        overlap=marked(splits, allow=allow_overlap),
        settings=for_the_card(settings),
        **known,
    )
    return Prepared(module, study, study_examples(module, study, splits, report=report))


def read_splits(
    questions: Path | None, train: Path | None, dev: Path | None, test: Path | None, *, seed: int
) -> Splits:
    """Return the splits that the flags name: files of their own, or one file with its splits.

    Raises:
        InputError: --train and --dev do not come together, or a split is empty.
    """
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


def marked(splits: Splits, *, allow: bool) -> tuple[str, ...]:
    """Return what is said of test questions in train or dev; refuse them without `allow`."""
    lines = marked_as_test((*splits.train, *splits.dev))
    if lines and not allow:
        raise InputError(
            f"{lines[0]}; take them out, or pass --allow-overlap, which is recorded on the card"
        )
    return lines


def study_examples(
    module: dspy.Module, study: Study, splits: Splits, *, report: bool
) -> dict[str, list[dspy.Example]]:
    """Return the examples of each part; none of test where it is not reported."""
    held = {part: _examples(module, study, splits[part]) for part in ("train", "dev")}
    return {**held, "test": _examples(module, study, splits.test) if report else []}


def _examples(
    module: dspy.Module, study: Study, questions: Sequence[Question]
) -> list[dspy.Example]:
    if study.metric not in METRICS:
        return []
    spec = METRICS[study.metric][0]
    if study.predictor is None:
        return program_examples(questions, needs=spec.needs)
    return predictor_examples(student_of(module, study.predictor), questions, field=spec.field)


def build_student(
    program: str, settings: Settings, *, alone: bool
) -> tuple[dspy.Module, str | None]:
    """Return the program and its graph's fingerprint; no graph is opened for one predictor."""
    if alone or not program_spec(program).needs_graph:
        made = build_program(program, tools=closed_toolbox(), settings=settings.program)
        return made, None
    tools = open_toolbox(settings)
    made = build_program(program, tools=tools, settings=settings.program)
    return made, tools.graph.fingerprint


def make_study(
    module: dspy.Module, *, predictor: str | None, metric: str | None, **known: object
) -> Study:
    """Return the study that the flags name; without a metric, the one that fits the predictor."""
    full = None if predictor is None else find_predictor(module, predictor)
    if metric is None and full is None:
        metric = "exact_match"
    elif metric is None:
        outputs = list(student_of(module, full).signature.output_fields)
        judged = {spec.field for spec, _ in METRICS.values() if spec.of == "predictor"}
        metric = metric_for_field(next((name for name in outputs if name in judged), outputs[-1]))
    return Study.model_validate({**known, "predictor": full, "metric": metric})


def for_the_card(settings: Settings) -> dict[str, JsonValue]:
    """Return the settings that say how the program answered when it was compiled."""
    common = {name: getattr(settings, name) for name in _ON_THE_CARD}
    return trace_of({**common, "program": settings.program._asdict()})
