"""Weighted MMR: equation 1 by hand, and the degenerate inputs of known failure K11."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from retrievers.mmr import weighted_mmr


def test_no_candidates() -> None:
    assert weighted_mmr([], [], vectors=np.zeros((0, 3))) == []


def test_fewer_candidates_than_k() -> None:
    assert sorted(weighted_mmr([0.1, 0.3, 0.2], [1, 1, 1], vectors=np.eye(3), k=15)) == [0, 1, 2]


def test_equal_scores_are_taken_in_order_of_position() -> None:
    assert weighted_mmr([0.5] * 4, [1] * 4, similarity=np.ones((4, 4)), k=3) == [0, 1, 2]


def test_identical_items_are_not_chosen_twice() -> None:
    chosen = weighted_mmr([1, 1, 1], [1, 1, 1], vectors=np.ones((3, 1)), k=3)
    assert sorted(chosen) == [0, 1, 2]


def test_an_item_that_is_not_a_number_comes_last_and_does_not_poison_the_rest() -> None:
    vectors = np.eye(3)
    vectors[1] = np.nan
    assert weighted_mmr([0.2, np.nan, 0.9], [1, 1, 1], vectors=vectors) == [2, 0, 1]


def test_all_not_numbers_is_still_an_order() -> None:
    assert weighted_mmr([np.nan] * 3, [1] * 3, vectors=np.full((3, 2), np.nan)) == [0, 1, 2]


def test_weights_scale_relevance_and_leave_redundancy_alone() -> None:
    # Second pick: 0.7 * 0.5 * 1.5 - 0.3 * 0.5 = 0.375 against 0.7 * 0.6 - 0 = 0.42.
    alike = [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    assert weighted_mmr([1, 0.5, 0.6], [1, 1.5, 1], similarity=alike, k=2) == [0, 2]
    # With redundancy weighted too, or a weight of 1.8, the other one would win: 0.48 > 0.42.
    assert weighted_mmr([1, 0.5, 0.6], [1, 1.8, 1], similarity=alike, k=2) == [0, 1]


def test_trade_off_of_one_is_plain_relevance() -> None:
    relevance = [0.1, 0.9, 0.5]
    assert weighted_mmr(relevance, [1] * 3, similarity=np.ones((3, 3)), trade_off=1) == [1, 2, 0]


def test_both_forms_of_similarity_agree() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((40, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    relevance, weights = rng.random(40), rng.choice([0.5, 1.0, 1.5], 40)
    by_vectors = weighted_mmr(relevance, weights, vectors=vectors)
    assert by_vectors == weighted_mmr(relevance, weights, similarity=vectors @ vectors.T)


@given(
    st.integers(0, 12).flatmap(
        lambda n: st.tuples(
            arrays(np.float64, n, elements=st.floats(-1, 1) | st.just(np.nan)),
            arrays(np.float64, (n, 3), elements=st.floats(-1, 1)),
        )
    ),
    st.integers(1, 15),
)
def test_always_a_set_of_the_right_size(case: tuple[np.ndarray, np.ndarray], k: int) -> None:
    relevance, vectors = case
    chosen = weighted_mmr(relevance, np.ones(len(relevance)), vectors=vectors, k=k)
    assert len(chosen) == len(set(chosen)) == min(k, len(relevance))
    assert chosen == weighted_mmr(relevance, np.ones(len(relevance)), vectors=vectors, k=k)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_larger_k_only_adds(k: int) -> None:
    relevance, vectors = [0.9, 0.8, 0.7, 0.1], np.eye(4)
    assert weighted_mmr(relevance, [1] * 4, vectors=vectors, k=k) == [0, 1, 2][:k]
