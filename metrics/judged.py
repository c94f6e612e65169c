"""Verdicts of a judge, counted: what every judged measure shares."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import PlainSerializer

from metrics.intervals import LEVEL, Interval, wilson
from signatures.schema import JudgedMeasure, Record, Verdict

YES = 0.5
"""Score from which a yes-or-no verdict is yes; the judges give 0 and 1."""

Ends = Annotated[Interval, PlainSerializer(Interval._asdict)]


class Judged(Record):
    """How many answers a judge scored, and how many it did not."""

    scored: int
    unscored: int
    """The judge's reply had no reading or was out of range: in no numerator, in no denominator."""
    abstained: int
    """The answer states nothing."""


class JudgedRate(Judged):
    """A share of answers."""

    count: int
    counted: int
    """Denominator: the scored, and the abstained where the measure says so."""
    value: float | None
    """`count / counted`; `None` when nothing was counted."""
    interval: Ends
    """Wilson's interval of `value`."""
    low: float | None
    """`value` if no unscored answer counted."""
    high: float | None
    """`value` if every unscored answer counted."""


class JudgedMean(Judged):
    """A mean score over the scored answers."""

    value: float | None
    interval: Ends | None
    """Normal interval of the mean; `None` below two scores."""


def of_measure(verdicts: Iterable[Verdict], measure: JudgedMeasure) -> tuple[Verdict, ...]:
    """Keep the verdicts of one measure."""
    return tuple(verdict for verdict in verdicts if verdict.measure == measure)


def judged_rate(
    verdicts: Sequence[Verdict],
    *,
    at_least: float,
    with_abstained: bool = True,
    level: float = LEVEL,
) -> JudgedRate:
    """Share of answers whose score is `at_least` so much; an abstention never is.

    Args:
        verdicts: One per answer, of one measure.
        at_least: Score from which an answer is in the numerator.
        with_abstained: Whether abstentions are in the denominator.
        level: Confidence level, between 0 and 1.

    >>> scores = [Verdict(measure="similarity", kind="scored", score=s) for s in (1, 0.8, 0.5)]
    >>> others = [Verdict(measure="similarity", kind=k) for k in ("abstained", "unscored")]
    >>> found = judged_rate([*scores, *others], at_least=0.8)
    >>> found.count, found.counted, found.value, found.low, found.high
    (2, 4, 0.5, 0.4, 0.6)
    """
    counts = _counts(verdicts)
    count = sum(score >= at_least for score in _scores(verdicts))
    counted = counts.scored + (counts.abstained if with_abstained else 0)
    total = counted + counts.unscored
    return JudgedRate(
        **counts.model_dump(),
        count=count,
        counted=counted,
        value=_share(count, counted),
        interval=wilson(count, counted, level=level),
        low=_share(count, total),
        high=_share(count + counts.unscored, total),
    )


def judged_mean(verdicts: Sequence[Verdict], *, level: float = LEVEL) -> JudgedMean:
    """Mean score, with the normal interval of a mean cut to 0 to 1.

    >>> scores = [Verdict(measure="inconsistency", kind="scored", score=s) for s in (0, 0.5, 1)]
    >>> found = judged_mean([*scores, Verdict(measure="inconsistency", kind="unscored")])
    >>> found.value, round(found.interval.low, 3), found.unscored
    (0.5, 0.0, 1)
    """
    scores = _scores(verdicts)
    value = math.fsum(scores) / len(scores) if scores else None
    return JudgedMean(
        **_counts(verdicts).model_dump(),
        value=value,
        interval=None if value is None else _mean_interval(scores, value, level=level),
    )


def _mean_interval(scores: Sequence[float], mean: float, *, level: float) -> Interval | None:
    n = len(scores)
    if n < 2:
        return None
    from statistics import NormalDist

    z = NormalDist().inv_cdf((1 + level) / 2)
    error = z * math.sqrt(math.fsum((s - mean) ** 2 for s in scores) / (n - 1) / n)
    return Interval(max(0.0, mean - error), min(1.0, mean + error), level)


def _counts(verdicts: Iterable[Verdict]) -> Judged:
    kinds = Counter(verdict.kind for verdict in verdicts)
    return Judged(scored=kinds["scored"], unscored=kinds["unscored"], abstained=kinds["abstained"])


def _scores(verdicts: Iterable[Verdict]) -> list[float]:
    return [verdict.score for verdict in verdicts if verdict.score is not None]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
