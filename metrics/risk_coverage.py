"""Selective answering: what is risked at each share of questions that is answered.

A program that gives its answers with a confidence may withhold the least confident ones. Coverage
is the share it answers, risk the share of these that is wrong (El-Yaniv and Wiener 2010, JMLR 11).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from metrics.measures import Measure

MEASURE = Measure(
    name="area_under_risk_coverage",
    low=0.0,
    high=1.0,
    direction="lower",
    unit="proportion",
    source="Geifman and El-Yaniv 2017, Selective classification for deep neural networks, §2",
)

Pair = tuple[float, bool]
"""Confidence of an answer, and whether it is right."""


class Step(NamedTuple):
    """What happens when answers are given from this confidence on."""

    threshold: float
    """The least confidence that is answered, inclusive."""
    coverage: float
    """Share of the questions that is answered, above 0 to 1."""
    risk: float
    """Share of the answered that is wrong, 0 to 1."""
    answered: int


def risk_coverage(pairs: Iterable[Pair]) -> tuple[Step, ...]:
    """Return the curve from the most confident answers to all; equal confidences are one step.

    No rule on confidence can answer one of two equally confident questions and not the other, so
    the order of the pairs changes nothing.

    Args:
        pairs: Confidence and correctness of each answer.

    >>> for step in risk_coverage([(0.9, True), (0.5, True), (0.5, False), (0.1, False)]):
    ...     print(step.threshold, step.coverage, round(step.risk, 3))
    0.9 0.25 0.0
    0.5 0.75 0.333
    0.1 1.0 0.5

    Raises:
        ValueError: A confidence is not a number.
    """
    ranked = sorted(pairs, key=lambda pair: -pair[0])
    if any(confidence != confidence for confidence, _ in ranked):
        raise ValueError("wanted a number as every confidence, got NaN; leave such answers out")
    steps: list[Step] = []
    answered = wrong = 0
    for threshold, group in groupby(ranked, key=lambda pair: pair[0]):
        rights = [right for _, right in group]
        answered += len(rights)
        wrong += rights.count(False)
        steps.append(Step(threshold, answered / len(ranked), wrong / answered, answered))
    return tuple(steps)


def area_under(steps: Sequence[Step]) -> float | None:
    """Return the area under the risk-coverage curve (AURC), 0 to 1; `None` without a step.

    The mean over all answers of the risk at the step on which each is first given.

    >>> area_under(risk_coverage([(0.9, True), (0.5, False)]))
    0.25
    >>> area_under(risk_coverage([(0.5, True), (0.5, False)]))
    0.5
    >>> area_under(()) is None
    True
    """
    if not steps:
        return None
    before = (0, *(step.answered for step in steps))
    new = (step.answered - start for step, start in zip(steps, before, strict=False))
    return sum(step.risk * count for step, count in zip(steps, new, strict=True)) / before[-1]


def threshold_for(pairs: Iterable[Pair], *, risk: float) -> float | None:
    """Return the confidence from which to answer, so that no more than `risk` of it is wrong.

    The lowest such threshold, so the most is answered; `None` when no part is that safe. Choose it
    on questions of the dev split and report the risk of others: on these it is met by choice.

    >>> pairs = [(0.9, True), (0.5, True), (0.5, False), (0.1, False)]
    >>> threshold_for(pairs, risk=0.4), threshold_for(pairs, risk=0.1)
    (0.5, 0.9)
    >>> threshold_for([(0.9, False)], risk=0.5) is None
    True

    Raises:
        ValueError: `risk` is not between 0 and 1.
    """
    if not 0 <= risk <= 1:
        raise ValueError(f"wanted a risk from 0 to 1, got {risk}")
    safe = [step.threshold for step in risk_coverage(pairs) if step.risk <= risk]
    return min(safe, default=None)
