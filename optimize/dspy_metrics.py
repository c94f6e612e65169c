"""Metrics in the shape that DSPy's optimizers call: `metric(example, pred, trace=None)`.

Evaluating (`trace is None`) gives a float from 0 to 1. Bootstrapping (`trace` given) gives a bool:
may this run become a demonstration? A metric never returns `None`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import dspy

from metrics.answers import read_answer
from metrics.claim_agreement import claim_agreement
from metrics.exact_match import RIGHT
from metrics.outcomes import outcome
from signatures.errors import InputError
from signatures.schema import ClaimVerdict, Hop, QAResponse, Question, Record, Region

Metric = Callable[..., float | bool]
"""Called with an example, a prediction and, while bootstrapping, a trace."""

Same = Callable[[dspy.Example, object], bool]
"""Given an example and what was said: is it the gold?"""


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
    (ReGraM §3.2: the region is a hard boundary). A program without hops rests on its report: some
    claim must have evidence, and all evidence must lie in its regions. An answer guessed without
    facts is not grounded.
    """
    hops = _hops(pred)
    grounded = _is_grounded(hops) if hops else _is_reported(pred)
    return _as_asked(_is_right(example, pred) and grounded, trace)


def claim_status_agreement(
    example: dspy.Example, pred: dspy.Prediction | None, trace: object | None = None
) -> float | bool:
    """Share of the question's gold claims to which the report gives their status, 0 to 1.

    While bootstrapping, all of them must agree. A question without gold claims scores 0.
    """
    question, report = example.question, getattr(pred, "report", None)
    gold = question.gold_claims if isinstance(question, Question) else ()
    share = claim_agreement(gold, tuple(report or ())) or 0.0
    return share if trace is None else share >= 1.0


def field_match(field: str, *, same: Same | None = None) -> Metric:
    """Return the metric "is this output field the gold one?" of a single predictor.

    Args:
        field: Output field; its gold comes from `optimize.examples.FIELDS`.
        same: Whether what was said is the gold, given the example too; default: equality.

    >>> metric = field_match("domain")
    >>> metric(dspy.Example(domain="INTEGRATED"), dspy.Prediction(domain="INTEGRATED"))
    1.0
    >>> metric(dspy.Example(domain="INTEGRATED"), None, trace=[])
    False
    """

    def metric(
        example: dspy.Example, pred: dspy.Prediction | None, trace: object | None = None
    ) -> float | bool:
        said, gold = getattr(pred, field, None), example.get(field)
        right = said is not None and (same(example, said) if same else said == gold)
        return _as_asked(right, trace)

    metric.__name__ = metric.__qualname__ = f"{field}_match"
    return metric


def same_letter(example: dspy.Example, said: object) -> bool:
    r"""Is the option that was said the gold one, in whatever words?

    >>> asked = dspy.Example(options="A. Metformin\nB. Linagliptin", answer="B")
    >>> same_letter(asked, "(b) Linagliptin"), same_letter(asked, "A")
    (True, False)
    """
    options = dict(
        line.split(". ", 1) for line in str(example.options).splitlines() if ". " in line
    )
    return bool(read_answer(str(said), options).letter == example.answer)


domain_match = field_match("domain")
"""Is the predicted domain the gold domain of ReGraM §3.1?"""

answer_match = field_match("answer", same=same_letter)
"""Is the option that a single predictor chose the gold one?"""


class MetricSpec(Record):
    """A metric by its name on the command line."""

    name: str
    of: Literal["program", "predictor"]
    """What it judges: a whole program's answer, or one predictor's output."""
    field: str
    """Output field of the prediction that it reads."""
    needs: str = "gold"
    """Field of a question without which it cannot be judged."""
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
                    name="claim_status_agreement",
                    of="program",
                    field="report",
                    needs="gold_claims",
                    about="share of the gold claims to which the report gives their status",
                ),
                claim_status_agreement,
            ),
            (
                MetricSpec(
                    name="domain_match",
                    of="predictor",
                    field="domain",
                    needs="domain",
                    about="the predicted domain is the gold domain",
                ),
                domain_match,
            ),
            (
                MetricSpec(
                    name="answer_match",
                    of="predictor",
                    field="answer",
                    about="the option that the predictor chose is the gold one",
                ),
                answer_match,
            ),
        )
    }
)
"""Every metric that a program can be compiled for. For another output field of a single predictor,
add its gold to `optimize.examples.FIELDS` and one `field_match` here."""


def metric_for_field(field: str) -> str:
    """Return the name of the metric that judges an output field of a predictor.

    Raises:
        InputError: no metric does; the message lists the fields that have one.

    >>> metric_for_field("domain")
    'domain_match'
    """
    fields = {spec.field: name for name, (spec, _) in METRICS.items() if spec.of == "predictor"}
    if field not in fields:
        raise InputError(
            f"no metric judges the output {field!r} of a single predictor; one judges "
            f"{', '.join(fields)}"
        )
    return fields[field]


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


def _is_reported(pred: dspy.Prediction | None) -> bool:
    report: tuple[ClaimVerdict, ...] = tuple(getattr(pred, "report", None) or ())
    regions: tuple[Region, ...] = tuple(getattr(pred, "regions", None) or ())
    held = frozenset().union(*(region.ids for region in regions))
    cited = {evidence.triplet.id for verdict in report for evidence in verdict.evidence}
    return bool(cited) and cited <= held


def _is_grounded(hops: tuple[Hop, ...]) -> bool:
    answered = [hop for hop in hops if hop.mode != "LLM-GUESS"]
    return bool(answered) and all(
        hop.cited and not hop.dropped and set(hop.cited) <= hop.region.ids for hop in answered
    )
