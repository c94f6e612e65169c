"""What every measure must declare, and the interval."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from metrics.intervals import wilson
from metrics.measures import Measure
from metrics.registry import MEASURES


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES.keys())
def test_a_measure_declares_itself(measure: Measure) -> None:
    assert measure.unit
    assert measure.source
    assert measure.holds(measure.low)
    assert measure.holds(measure.high)
    assert not measure.holds(float("nan"))


def test_a_range_has_two_ends() -> None:
    with pytest.raises(ValidationError, match="not below"):
        Measure(name="m", low=1, high=1, direction="higher", unit="-", source="-")


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    # Closed form of Wilson's interval, worked out by hand with z = 1.959964.
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (2324, 2783, 0.8209, 0.8484),
    ],
)
def test_wilson(right: int, total: int, low: float, high: float) -> None:
    interval = wilson(right, total)
    assert interval.low == pytest.approx(low, abs=5e-4)
    assert interval.high == pytest.approx(high, abs=5e-4)


def test_wilson_refuses_more_right_than_there_are() -> None:
    with pytest.raises(ValueError, match="right=3, total=2"):
        wilson(3, 2)
