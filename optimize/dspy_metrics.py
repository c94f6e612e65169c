"""Metrics in the shape that DSPy's optimizers call: `metric(example, pred, trace=None)`.

Evaluating (`trace is None`) gives a float from 0 to 1. Bootstrapping (`trace` given) gives a bool:
may this run become a demonstration? A metric never returns `None`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import dspy

from metrics.exact_match import RIGHT
from metrics.outcomes import outcome
from signatures.errors import InputError
from signatures.schema import Hop, QAResponse, Question, Record

Metric = Callable[..., float | bool]
"""Called with an example, a prediction and, while bootstrapping, a trace."""


def exact_match(
    example: dspy.Example, pred: dspy.Prediction | None, trace: object | None = None
) -> float | bool:
    """Is the program's answer right? Range 0 to 1, higher is better.

    `example.question` is the `Question`; `pred.response` the `QAResponse`.
    """
    return _as_asked(_is_right(example, pred), trace)


def grounded_exact_match(
    example: dspy.Example, pred: dspy.Prediction | None, trace: object | None = None
) -> float | bool:
    """Is the answer right, and does every citation lie in the region it was answered from?

    Every hop that had facts must cite at least one, and cite nothing outside its region
    (ReGraM §3.2: the region is a hard boundary). An answer guessed without facts is not grounded.
    """
    return _as_asked(_is_right(example, pred) and _is_grounded(_hops(pred)), trace)


def domain_match(
    example: dspy.Example, pred: dspy.Prediction | None, trace: object | None = None
) -> float | bool:
    """Is the predicted domain the gold domain of ReGraM §3.1?"""
    said = getattr(pred, "domain", None)
    return _as_asked(said is not None and said == example.domain, trace)


class MetricSpec(Record):
    """A metric by its name on the command line."""

    name: str
    of: Literal["program", "predictor"]
    """What it judges: a whole program's answer, or one predictor's output."""
    field: str
    """Output field of the prediction that it reads."""
    about: str


METRICS: Mapping[str, tuple[MetricSpec, Metric]] = MappingProxyType(
    {
        spec.name: (spec, metric)
        for spec, metric in (
            (
                MetricSpec(
                    name="exact_match", of="program", field="response", about="the answer is right"
                ),
                exact_match,
            ),
            (
                MetricSpec(
                    name="grounded_exact_match",
                    of="program",
                    field="response",
                    about="the answer is right and every citation lies in its region",
                ),
                grounded_exact_match,
            ),
            (
                MetricSpec(
                    name="domain_match",
                    of="predictor",
                    field="domain",
                    about="the predicted domain is the gold domain",
                ),
                domain_match,
            ),
        )
    }
)
"""Every metric that a program can be compiled for."""


def as_number(value: object, *, metric: str, strict: bool) -> float | bool:
    """Check what a metric returned; with `strict`, turn it into a bool (1 or more is true).

    Raises:
        InputError: the metric returned something that is not a number, `None` for instance.

    >>> as_number(0.4, metric="f1", strict=True), as_number(True, metric="f1", strict=False)
    (False, 1.0)
    """
    if not isinstance(value, bool | int | float):
        raise InputError(
            f"metric {metric} must return a number, it returned {type(value).__name__}; "
            "return 0.0 on the branch that has no score"
        )
    return float(value) >= 1.0 if strict else float(value)


def _as_asked(right: bool, trace: object | None) -> float | bool:
    return float(right) if trace is None else right


def _is_right(example: dspy.Example, pred: dspy.Prediction | None) -> bool:
    response = getattr(pred, "response", None)
    question = example.question
    if not isinstance(response, QAResponse) or not isinstance(question, Question):
        return False
    return outcome(question, response.llm_answer_choice).kind in RIGHT


def _hops(pred: dspy.Prediction | None) -> tuple[Hop, ...]:
    return tuple(getattr(pred, "hops", None) or ())


def _is_grounded(hops: tuple[Hop, ...]) -> bool:
    answered = [hop for hop in hops if hop.mode != "LLM-GUESS"]
    return bool(answered) and all(
        hop.cited and not hop.dropped and set(hop.cited) <= hop.region.ids for hop in answered
    )
