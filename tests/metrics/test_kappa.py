"""Cohen's kappa: known tables, what has no value, and the interval against resampling."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from metrics.kappa import Kappa, cohen_kappa


def kappa(pairs: Sequence[tuple[object, object]]) -> Kappa:
    numbered = {str(n): pair for n, pair in enumerate(pairs)}
    return cohen_kappa(
        {k: str(a) for k, (a, _) in numbered.items()}, {k: str(b) for k, (_, b) in numbered.items()}
    )


def table(*rows: Sequence[int]) -> list[tuple[object, object]]:
    return [(i, j) for i, row in enumerate(rows) for j, n in enumerate(row) for _ in range(n)]


@pytest.mark.parametrize(
    ("rows", "value"),
    [
        (([45, 15], [25, 15]), 0.1304),
        (([25, 35], [5, 35]), 0.2593),
        (([88, 14, 18], [10, 40, 10], [2, 6, 12]), 0.4915),
    ],
)
def test_tables_worked_out_by_hand(rows: tuple[list[int], ...], value: float) -> None:
    assert kappa(table(*rows)).value == pytest.approx(value, abs=1e-4)


def test_agrees_with_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = random.Random(3)
    for _ in range(20):
        pairs = [(rng.randrange(3), rng.randrange(3)) for _ in range(40)]
        a, b = zip(*pairs, strict=True)
        assert kappa(pairs).value == pytest.approx(metrics.cohen_kappa_score(a, b))


def test_the_interval_is_about_the_one_of_resampling() -> None:
    pairs, rng = table([40, 9], [6, 45]), random.Random(1)
    found = kappa(pairs)
    values = sorted(kappa(rng.choices(pairs, k=len(pairs))).value or 0 for _ in range(600))
    assert found.interval is not None
    assert found.interval.low == pytest.approx(values[15], abs=0.04)
    assert found.interval.high == pytest.approx(values[584], abs=0.04)


def test_full_agreement_and_full_disagreement() -> None:
    assert kappa([("y", "y"), ("n", "n")]).value == 1
    assert kappa([("y", "n"), ("n", "y")]).value == -1


def test_only_items_that_both_scored_count() -> None:
    found = cohen_kappa({"p": 1, "q": 0, "r": 1}, {"q": 0, "r": 1, "s": 1})
    assert (found.shared, found.agreed, found.agreement) == (2, 2, 1.0)


def test_undefined_is_none_with_a_reason() -> None:
    same = kappa([("y", "y")] * 5)
    assert (same.value, same.interval, same.agreement) == (None, None, 1.0)
    assert same.reason is not None
    assert "chance agreement is 1" in same.reason
    none = kappa([])
    assert (none.value, none.shared, none.agreement) == (None, 0, None)


def test_a_judge_that_always_says_yes_agrees_by_chance_only() -> None:
    found = kappa([("y", "y"), ("y", "n"), ("y", "y")])
    assert found.value == pytest.approx(0)
