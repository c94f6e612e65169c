"""Calibration: does a confidence of 0.8 mean right in 8 of 10? Reliability bins and their error."""

from __future__ import annotations

import math
from collections.abc import Iterable

from metrics.measures import Measure
from signatures.schema import Record

MEASURE = Measure(
    name="expected_calibration_error",
    low=0.0,
    high=1.0,
    direction="lower",
    unit="proportion",
    source="Naeini, Cooper & Hauskrecht 2015: gap of confidence and accuracy, weighted by bin size",
)

BINS = 10
"""Bins of equal width where no number is given, as is usual (Guo et al. 2017, §2)."""


class ReliabilityBin(Record):
    """Answers whose confidence lies between `low` and `high`; the last bin holds 1 too."""

    low: float
    high: float
    count: int
    confidence: float | None
    """Mean confidence, 0 to 1; `None` when the bin is empty."""
    accuracy: float | None
    """Share that is right, 0 to 1; `None` when the bin is empty."""


class Calibration(Record):
    """Reliability bins, in order of confidence, and what follows from them."""

    bins: tuple[ReliabilityBin, ...]
    total: int
    ece: float | None
    """Expected calibration error, 0 to 1; `None` without answers."""
    brier: float | None
    """Mean squared difference of confidence and rightness, 0 to 1; `None` without answers."""


def calibration(pairs: Iterable[tuple[float, bool]], *, bins: int = BINS) -> Calibration:
    """Sort answers into bins of equal width and compare confidence with accuracy in each.

    Args:
        pairs: Confidence from 0 to 1 and whether the answer is right, one pair per answer.
        bins: How many bins, at least 1.

    >>> found = calibration([(0.9, True), (0.9, True), (0.9, False), (0.2, False)], bins=2)
    >>> [(b.count, b.accuracy if b.accuracy is None else round(b.accuracy, 3)) for b in found.bins]
    [(1, 0.0), (3, 0.667)]
    >>> round(found.ece, 3), round(found.brier, 4)
    (0.225, 0.2175)
    >>> calibration([]).ece is None
    True

    Raises:
        ValueError: A confidence is not between 0 and 1, or there is no bin.
    """
    if bins < 1:
        raise ValueError(f"wanted at least 1 bin, got {bins}")
    parts: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, right in pairs:
        if not 0 <= confidence <= 1:
            raise ValueError(f"wanted a confidence from 0 to 1, got {confidence}")
        parts[bin_of(confidence, bins)].append((confidence, right))
    made = tuple(_bin(number, part, bins) for number, part in enumerate(parts))
    total = sum(part.count for part in made)
    return Calibration(bins=made, total=total, ece=_ece(made, total), brier=_brier(parts, total))


def bin_of(confidence: float, bins: int) -> int:
    """Return the number of the bin that holds a confidence, from 0; 1 belongs to the last.

    >>> [bin_of(c, 10) for c in (0.0, 0.1, 0.3, 0.99, 1.0)]
    [0, 1, 3, 9, 9]
    """
    # 0.3 * 10 is 2.9999999999999996 for some writings of 0.3: round before cutting off.
    return min(bins - 1, math.floor(round(confidence * bins, 9)))


def _bin(number: int, part: list[tuple[float, bool]], bins: int) -> ReliabilityBin:
    count = len(part)
    return ReliabilityBin(
        low=number / bins,
        high=(number + 1) / bins,
        count=count,
        confidence=math.fsum(c for c, _ in part) / count if count else None,
        accuracy=sum(right for _, right in part) / count if count else None,
    )


def _ece(bins: tuple[ReliabilityBin, ...], total: int) -> float | None:
    if not total:
        return None
    return math.fsum(
        b.count * abs(b.accuracy - b.confidence) / total
        for b in bins
        if b.accuracy is not None and b.confidence is not None
    )


def _brier(parts: list[list[tuple[float, bool]]], total: int) -> float | None:
    if not total:
        return None
    return math.fsum((c - right) ** 2 for part in parts for c, right in part) / total
