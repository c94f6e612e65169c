from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.significance import holm, mcnemar, paired_test

COUNTS = st.integers(0, 400)
P_VALUES = st.lists(st.floats(0, 1, allow_nan=False), max_size=12)


def closed_form(b: int, c: int) -> float:
    """QKG §3.3, as printed."""
    n = b + c
    tail = sum(comb(n, k) for k in range(max(b, c), n + 1))
    return min(1.0, 2 * tail / 2**n)


@pytest.mark.parametrize(
    ("b", "c", "p"),
    # QKG figure 2, table 1 and §3.3; the release's significance_results.csv
    [
        (22, 39, "0.03962"),
        (16, 55, "3.753e-06"),
        (26, 48, "0.01408"),
        (16, 177, "1.635e-35"),
        (38, 204, "1.186e-28"),
        (65, 70, "0.7308"),
        (33, 52, "0.05025"),
    ],
)
def test_mcnemar_golden(b: int, c: int, p: str) -> None:
    assert f"{mcnemar(b, c).p:.4g}" == p


def test_equal_counts_give_p_of_one_and_not_more() -> None:
    assert mcnemar(5, 5).p == 1.0


def test_no_discordant_pair_is_identical() -> None:
    found = mcnemar(0, 0)
    assert (found.p, found.identical, found.words) == (
        1.0,
        True,
        "no difference: B fixes 0, breaks 0",
    )


def test_direction_is_in_words() -> None:
    assert mcnemar(breaks=22, fixes=39).words == "B fixes 39, breaks 22"


@given(COUNTS, COUNTS)
def test_mcnemar_is_the_closed_form_symmetric_and_in_range(b: int, c: int) -> None:
    found = mcnemar(b, c).p
    assert found == pytest.approx(closed_form(b, c), rel=1e-9, abs=1e-300)
    assert found == pytest.approx(mcnemar(c, b).p, rel=1e-12)
    assert 0 <= found <= 1


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="breaks=-1"):
        mcnemar(-1, 2)


@given(P_VALUES)
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values: list[float]) -> None:
    alpha = 0.05
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    rejected: set[int] = set()
    for rank, place in enumerate(order):
        if min(1.0, p_values[place] * (len(p_values) - rank)) > alpha:
            break
        rejected.add(place)
    adjusted = holm(p_values)
    assert {place for place, p in enumerate(adjusted) if p <= alpha} == rejected
    assert all(0 <= p <= now <= 1 for p, now in zip(p_values, adjusted, strict=True))
    in_order = [adjusted[place] for place in order]
    assert in_order == sorted(in_order)


def test_holm_by_hand() -> None:
    # The three Haiku comparisons: 3 × 3.753e-06, 2 × 0.01408, 1 × 0.03962.
    adjusted = holm([0.03962, 3.753e-06, 0.01408])
    assert adjusted == pytest.approx((0.03962, 1.1259e-05, 0.02816))


def test_holm_never_falls_below_a_smaller_p() -> None:
    # 0.03 × 2 = 0.06 and 0.04 × 1 = 0.04: the greater p keeps 0.06.
    assert holm([0.04, 0.01, 0.03]) == pytest.approx((0.06, 0.03, 0.06))


def test_holm_refuses_what_is_no_p_value() -> None:
    with pytest.raises(ValueError, match=r"1\.2"):
        holm([0.1, 1.2])


RUNS = st.dictionaries(st.sampled_from([f"q{n}" for n in range(12)]), st.booleans())


@given(RUNS, RUNS)
def test_paired_test_names_every_key_once(a: dict[str, bool], b: dict[str, bool]) -> None:
    test = paired_test(a, b)
    pairing = test.pairing
    assert sorted(pairing.both + pairing.only_a + pairing.only_b) == sorted(a.keys() | b.keys())
    assert test.right_b - test.right_a == test.mcnemar.fixes - test.mcnemar.breaks
    assert paired_test(b, a).fixed == test.broken


def test_keys_left_out_are_no_unmatched_keys() -> None:
    test = paired_test({"x": True, "y": True}, {"y": False}, without=["x"])
    assert (test.pairing.only_a, test.total, test.broken) == ((), 1, ("y",))


def test_nothing_shared_has_no_difference() -> None:
    assert paired_test({"x": True}, {"y": True}).difference is None
