"""The risk-coverage curve: ties are one step, order changes nothing, the ends are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.risk_coverage import MEASURE, Pair, area_under, risk_coverage, threshold_for

some = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()), min_size=1, max_size=30
)


def test_equal_confidences_are_one_step_whatever_their_order() -> None:
    for rights in ([True, False], [False, True]):
        steps = risk_coverage([(0.5, right) for right in rights])
        assert [(s.coverage, s.risk, s.answered) for s in steps] == [(1.0, 0.5, 2)]


@given(pairs=some, shuffled=st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_nothing(pairs: list[Pair], shuffled: object) -> None:
    mixed = list(pairs)
    shuffled.shuffle(mixed)  # type: ignore[attr-defined]
    assert risk_coverage(mixed) == risk_coverage(pairs)


@given(pairs=some)
def test_the_curve_ends_at_everything(pairs: list[Pair]) -> None:
    steps = risk_coverage(pairs)
    wrong = sum(not right for _, right in pairs)
    assert steps[-1].coverage == 1
    assert steps[-1].risk == wrong / len(pairs)
    assert [s.threshold for s in steps] == sorted({c for c, _ in pairs}, reverse=True)
    assert all(a.coverage < b.coverage for a, b in zip(steps, steps[1:], strict=False))


@given(pairs=some)
def test_the_area_is_a_proportion_between_the_extremes(pairs: list[Pair]) -> None:
    steps = risk_coverage(pairs)
    area = area_under(steps)
    assert area is not None
    assert MEASURE.holds(area)
    risks = [step.risk for step in steps]
    assert min(risks) - 1e-12 <= area <= max(risks) + 1e-12


def test_the_right_order_has_less_area_than_the_wrong_one() -> None:
    good = area_under(risk_coverage([(0.9, True), (0.6, True), (0.1, False)]))
    bad = area_under(risk_coverage([(0.1, True), (0.6, True), (0.9, False)]))
    assert good == pytest.approx((0 + 0 + 1 / 3) / 3)
    assert bad == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def test_nothing_answered_has_no_curve() -> None:
    assert risk_coverage([]) == ()
    assert area_under(()) is None
    assert threshold_for([], risk=0.5) is None


def test_a_threshold_skips_a_bad_start() -> None:
    """The most confident answer is wrong; further down the share of wrong ones falls below 0.3."""
    pairs = [(0.9, False), (0.8, True), (0.7, True), (0.6, True)]
    assert threshold_for(pairs, risk=0.3) == 0.6
    assert threshold_for(pairs, risk=0.2) is None


@pytest.mark.parametrize("risk", [-0.1, 1.1])
def test_a_risk_is_a_share(risk: float) -> None:
    with pytest.raises(ValueError, match="risk from 0 to 1"):
        threshold_for([(0.5, True)], risk=risk)


def test_a_confidence_is_a_number() -> None:
    with pytest.raises(ValueError, match="NaN"):
        risk_coverage([(float("nan"), True), (0.5, True)])
