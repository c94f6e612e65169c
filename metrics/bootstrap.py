"""A confidence interval for the difference in accuracy of two runs, by paired resampling."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.intervals import LEVEL, Interval

RESAMPLES = 9_999
"""Resamples drawn; scipy's own default."""

_BATCH = 256
"""Resamples held in memory at a time: 256 × 2,788 numbers are 6 MB."""


def bootstrap_difference(
    a: Sequence[bool],
    b: Sequence[bool],
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Percentile interval of accuracy(B) - accuracy(A), each from -1 to 1.

    Questions are resampled, not answers: both answers to a question travel together.

    Args:
        a: (n,) was each question right under A.
        b: (n,) the same questions in the same order under B.
        level: Confidence level, between 0 and 1.
        resamples: How many resamples are drawn.
        seed: The same seed gives the same interval.

    >>> bootstrap_difference([True, False], [True, False])
    Interval(low=0.0, high=0.0, level=0.95)

    Raises:
        ValueError: the lengths differ, or there is no question.
    """
    if len(a) != len(b) or not a:
        raise ValueError(f"wanted the same questions under A and B, got {len(a)} and {len(b)}")
    import numpy as np
    from scipy.stats import bootstrap

    change = np.asarray(b, dtype=np.int8) - np.asarray(a, dtype=np.int8)
    if len(a) == 1 or not change.any():
        return Interval(float(change.mean()), float(change.mean()), level)
    found = bootstrap(
        (change,),
        np.mean,
        n_resamples=resamples,
        batch=_BATCH,
        vectorized=True,
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(found.low), float(found.high), level)
