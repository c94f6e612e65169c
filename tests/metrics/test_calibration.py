from __future__ import annotations

import pytest

from metrics.calibration import BINS, bin_of, calibration


def test_a_confidence_that_means_what_it_says_has_no_error() -> None:
    found = calibration([(0.75, True)] * 3 + [(0.75, False)])
    assert found.ece == pytest.approx(0)
    assert found.brier == pytest.approx(0.1875)
    assert [b.count for b in found.bins if b.count] == [4]
    assert len(found.bins) == BINS


def test_sure_and_wrong_is_the_worst() -> None:
    found = calibration([(1.0, False), (0.0, True)])
    assert (found.ece, found.brier) == (1.0, 1.0)


def test_without_answers_nothing_is_known() -> None:
    found = calibration([])
    assert (found.ece, found.brier, found.total) == (None, None, 0)


@pytest.mark.parametrize(
    ("confidence", "number"), [(0.1 * 3, 3), (0.7, 7), (0.6999999, 6), (1.0, 9), (0.0, 0)]
)
def test_an_end_belongs_to_the_bin_above(confidence: float, number: int) -> None:
    assert bin_of(confidence, 10) == number


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
def test_what_is_no_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        calibration([(confidence, True)])


def test_no_bin_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 bin"):
        calibration([], bins=0)
