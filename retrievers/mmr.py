"""Weighted maximal marginal relevance (ReGraM §3.2, equation 1).

    MMR(t) = λ · Sim(q, t) · w_r − (1 − λ) · max over t' in S of Sim(t, t')

S holds what is already chosen. The weight scales relevance only, and the first pick, whose S is
empty, has no redundancy to pay.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

K = 15
"""Triplets in a region (ReGraM §3.2)."""

TRADE_OFF = 0.7
"""λ of equation 1 (ReGraM §3.2)."""


def weighted_mmr(
    relevance: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    similarity: npt.ArrayLike | None = None,
    vectors: npt.ArrayLike | None = None,
    k: int = K,
    trade_off: float = TRADE_OFF,
) -> list[int]:
    """Choose up to `k` of n items, relevant and unlike each other, best first.

    Args:
        relevance: Sim(q, t), shape (n,). An item whose relevance is not a number comes last.
        weights: w_r of each item, shape (n,).
        similarity: Sim(t, t'), shape (n, n); or else
        vectors: unit rows, shape (n, d), whose products are the similarities.
        k: how many to choose; fewer when n is smaller.
        trade_off: λ, from 0 (only unlike) to 1 (only relevant).

    Returns:
        Positions of the chosen items; equal scores are taken in order of position.

    By hand, λ = 0.7: the second item is as relevant as the first and equal to it, so the third,
    half as relevant and unlike both, comes second (0.7·1 − 0.3·1 = 0.4 < 0.7·0.6 = 0.42).

    >>> weighted_mmr([1, 1, 0.6], [1, 1, 1], similarity=[[1, 1, 0], [1, 1, 0], [0, 0, 1]], k=2)
    [0, 2]
    >>> weighted_mmr([0.5, 0.4], [1.0, 1.5], similarity=[[1, 0], [0, 1]], k=1)
    [1]
    >>> weighted_mmr([], [], similarity=[])
    []
    """
    score = _numbers(relevance) * _numbers(weights)
    score[~np.isfinite(score)] = -np.inf
    alike = _similarities(len(score), similarity, vectors)
    free = np.ones(len(score), dtype=bool)
    redundancy = np.zeros(len(score))
    chosen: list[int] = []
    for _ in range(min(k, len(score))):
        gain = trade_off * score - (1 - trade_off) * redundancy
        gain[~free] = -np.inf
        best = int(np.argmax(gain)) if np.isfinite(gain).any() else int(np.argmax(free))
        free[best] = False
        redundancy = np.maximum(redundancy, alike[best]) if chosen else alike[best]
        chosen.append(best)
    return chosen


def _numbers(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    return np.array(values, dtype=np.float64).reshape(-1)


def _similarities(
    size: int, similarity: npt.ArrayLike | None, vectors: npt.ArrayLike | None
) -> npt.NDArray[np.float64]:
    """Return Sim(t, t'), shape (n, n); what is not a number reads as 0."""
    if size == 0:
        return np.zeros((0, 0))
    if similarity is not None:
        table = np.array(similarity, dtype=np.float64).reshape(size, size)
    elif vectors is not None:
        rows = np.array(vectors, dtype=np.float64).reshape(size, -1)
        table = rows @ rows.T
    else:
        table = np.zeros((size, size))
    return np.nan_to_num(table)
