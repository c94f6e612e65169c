"""Confidence intervals of a proportion."""

from __future__ import annotations

from typing import NamedTuple

LEVEL = 0.95
"""Confidence level where none is given."""


class Interval(NamedTuple):
    """Both ends of a confidence interval, from 0 to 1, and its level."""

    low: float
    high: float
    level: float = LEVEL


def wilson(right: int, total: int, *, level: float = LEVEL) -> Interval:
    """Wilson's score interval of `right` out of `total`.

    With nothing counted nothing is known: the interval is 0 to 1.

    >>> interval = wilson(8, 10)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.49, 0.943)
    >>> wilson(0, 0)
    Interval(low=0.0, high=1.0, level=0.95)

    Raises:
        ValueError: `right` is not between 0 and `total`.
    """
    if not 0 <= right <= total:
        raise ValueError(f"wanted 0 <= right <= total, got right={right}, total={total}")
    if total == 0:
        return Interval(0.0, 1.0, level)
    from scipy.stats import binomtest

    found = binomtest(right, total).proportion_ci(confidence_level=level, method="wilson")
    return Interval(float(found.low), float(found.high), level)
