from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.leakage import Direction, LabelledCase
from metrics.leakage_adjusted import (
    adjusted_accuracy,
    adjusted_paired_test,
    adjusted_run,
    flagged_keys,
)
from signatures.schema import LeakageLabel


def labelled(
    key: str, direction: Direction, label: LeakageLabel, *, context: bool = False
) -> LabelledCase:
    return LabelledCase(
        key=key,
        direction=direction,
        original="A",
        final="B",
        gold="B",
        rule_label=label,
        label=label,
        context_driven=context,
        reason="r",
    )


@pytest.mark.parametrize(
    ("right", "total", "leaked", "context", "percent"),
    [
        (2321, 2788, 60, 0, 82.88),  # table 1, KG w/o context: as printed
        (2327, 2788, 55, 20, 83.74),  # table 1, QKG w/ context: printed 83.75, it is 83.745
        (2321, 2787, 60, 0, 82.91),  # the released file's own N
        (2324, 2783, 55, 20, 83.79),  # the released file's own N
    ],
)
def test_eq_1(right: int, total: int, leaked: int, context: int, percent: float) -> None:
    found = adjusted_accuracy(right, total, leaked=leaked, context=context)
    assert found is not None
    assert round(100 * found, 2) == percent


def test_eq_1_differs_from_the_printed_figure_in_the_last_digit_only() -> None:
    found = adjusted_accuracy(2327, 2788, leaked=55, context=20)
    assert found == pytest.approx(0.8375, abs=1e-4)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_eq_1_stays_in_range(leaked: int, kept: int, context: int, wrong: int) -> None:
    found = adjusted_accuracy(
        leaked + kept, leaked + kept + context + wrong, leaked=leaked, context=context
    )
    assert found is None if kept + wrong == 0 else 0 <= (found or 0) <= 1


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="leaked=3"):
        adjusted_accuracy(2, 4, leaked=3, context=0)


CASES = (
    labelled("leak", "wrong_to_correct", "LIKELY_LEAKAGE"),
    labelled("mixed", "wrong_to_correct", "MIXED"),
    labelled("supported", "wrong_to_correct", "LIKELY_KG_SUPPORTED", context=True),
    labelled("regressed", "correct_to_wrong", "LIKELY_KG_SUPPORTED", context=True),
    labelled("plain", "correct_to_wrong", "LIKELY_KG_SUPPORTED"),
    labelled("mixed-ctx", "correct_to_wrong", "MIXED", context=True),
    labelled("leak-back", "correct_to_wrong", "LIKELY_LEAKAGE"),
)


def test_only_leaked_gains_and_context_driven_losses_are_flagged() -> None:
    assert flagged_keys(CASES) == {"leak", "regressed"}


def test_adjusted_run_counts_the_cases_of_its_own_rows() -> None:
    right = {"leak": True, "regressed": False, "x": True, "y": False}
    assert adjusted_run(right, CASES) == pytest.approx((2 - 1) / (4 - 1 - 1))


def test_what_is_flagged_in_either_run_leaves_both() -> None:
    a = {"leak": False, "regressed": True, "x": True}
    b = {"leak": True, "regressed": False, "x": False}
    test = adjusted_paired_test(a, b, cases_a=(), cases_b=CASES)
    assert (test.total, test.mcnemar.words) == (1, "B fixes 0, breaks 1")
    assert test.pairing.complete
