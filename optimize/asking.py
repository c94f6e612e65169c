"""Ask one question: build the program, run it under its models, count what it spent."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import dspy

from optimize.language_models import use_models
from optimize.meter import Meter
from optimize.settings import Settings
from optimize.toolbox import open_program
from signatures.errors import InputError
from signatures.schema import Question, Usage

CHOOSES_ONLY = frozenset({"adjacency"})
"""Programs that choose among options and have no answer of their own words."""


class Answered(NamedTuple):
    """A program's prediction and its cost."""

    prediction: dspy.Prediction
    usage: Usage
    seconds: float
    stages: Mapping[str, Usage] = {}
    """What each stage spent."""


def ask(
    question: Question, *, program: str, settings: Settings, compiled: Path | None = None
) -> Answered:
    """Answer `question` with `program`.

    Raises:
        InputError: The program is unknown.
        MissingError: The graph store or a model file is absent.
        ModelCallError: The model could not be reached.
    """
    opened = open_program(program, settings, compiled=compiled)
    meter = Meter(settings.budget)
    start = time.monotonic()
    with use_models(settings, meter, asks=opened.asks):
        prediction = opened.answer(question=question)
    return Answered(prediction, meter.usage(), time.monotonic() - start, meter.by_stage())


def check_options(question: Question, *, program: str) -> None:
    """Raise `InputError` when a program can only choose and the question has no options."""
    if program in CHOOSES_ONLY and not question.options:
        raise InputError(
            f"{program} chooses among options and the question has none: write each at its end on "
            "a line, `A. …`, or pass it with -o; or ask another program, such as qkgram"
        )
