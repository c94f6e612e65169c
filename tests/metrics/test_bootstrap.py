from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from metrics.bootstrap import bootstrap_difference


def table(both: int, broken: int, fixed: int, neither: int) -> tuple[list[bool], list[bool]]:
    cells = [(True, True)] * both + [(True, False)] * broken
    cells += [(False, True)] * fixed + [(False, False)] * neither
    return [a for a, _ in cells], [b for _, b in cells]


@pytest.mark.parametrize("cells", [(400, 30, 60, 110), (150, 10, 12, 28), (2138, 22, 39, 588)])
def test_interval_is_near_the_normal_one(cells: tuple[int, int, int, int]) -> None:
    # Closed form of the paired difference: SE = sqrt((b + c)/n - ((c - b)/n)^2) / sqrt(n).
    a, b = table(*cells)
    n, broken, fixed = len(a), cells[1], cells[2]
    mean = (fixed - broken) / n
    error = sqrt(((broken + fixed) / n - mean**2) / n)
    found = bootstrap_difference(a, b, seed=1)
    assert found.low == pytest.approx(mean - 1.96 * error, abs=0.35 * error)
    assert found.high == pytest.approx(mean + 1.96 * error, abs=0.35 * error)


def test_interval_covers_nine_in_ten_at_level_90() -> None:
    rng = np.random.default_rng(7)
    truth, inside = 0.05, 0
    for trial in range(100):
        draw = rng.choice(3, size=200, p=[0.10, 0.75, 0.15])
        a, b = [bool(d == 0) for d in draw], [bool(d == 2) for d in draw]
        found = bootstrap_difference(a, b, level=0.9, resamples=400, seed=trial)
        inside += found.low <= truth <= found.high
    assert 82 <= inside <= 98


def test_a_wider_level_gives_a_wider_interval_and_a_seed_the_same_one() -> None:
    a, b = table(60, 8, 14, 18)
    narrow, wide = (bootstrap_difference(a, b, level=level) for level in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert bootstrap_difference(a, b, seed=3) == bootstrap_difference(a, b, seed=3)


def test_no_change_and_one_question_have_no_width() -> None:
    assert bootstrap_difference([True, False], [True, False])[:2] == (0.0, 0.0)
    assert bootstrap_difference([False], [True])[:2] == (1.0, 1.0)


@pytest.mark.parametrize(("a", "b"), [([], []), ([True], [True, False])])
def test_other_lengths_are_refused(a: list[bool], b: list[bool]) -> None:
    with pytest.raises(ValueError, match="same questions"):
        bootstrap_difference(a, b)
