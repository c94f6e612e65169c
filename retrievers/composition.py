"""Vectors of triplets composed from those of their parts: A·e_h + R_r + B·e_t.

The three tables are fitted by ridge regression on a sample of a store's own triplets whose texts
were embedded, then applied to every name once. A score is then two products with the whole table
and a look-up per edge, and stands much nearer the exact cosine than the plain sum of vectors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Codes = npt.NDArray[np.integer[Any]]

SAMPLE = 3_000
"""Triplets that are fitted on; 2,500 gave a mean cosine of .95 with the exact vectors."""

RIDGE = 1.0
"""Weight of the squared coefficients."""


class Parts(NamedTuple):
    """What a triplet is composed of: unit rows (n, d) of both names, and n relation codes."""

    head: Vectors
    relation: Codes
    tail: Vectors


class Composition(NamedTuple):
    """The fitted tables."""

    of_head: Vectors
    """A, shape (d, d): applied as e_h @ A."""
    of_relation: Vectors
    """R, shape (relations, d)."""
    of_tail: Vectors
    """B, shape (d, d)."""

    def __call__(self, parts: Parts) -> Vectors:
        """Return composed vectors, shape (n, d), not normalised."""
        composed: Vectors = (
            parts.head @ self.of_head + self.of_relation[parts.relation] + parts.tail @ self.of_tail
        )
        return composed


def fit(parts: Parts, exact: Vectors, *, relations: int, ridge: float = RIDGE) -> Composition:
    """Fit the tables so that composed vectors are near the exact ones.

    Args:
        parts: the parts of n triplets.
        exact: unit vectors of the triplets' texts, shape (n, d).
        relations: number of relation codes; one without a triplet gets a row of zeros.
        ridge: weight of the squared coefficients, above 0.

    >>> rows = np.eye(2, dtype=np.float32)
    >>> parts = Parts(rows, np.array([0, 0]), rows[::-1])
    >>> found = fit(parts, (rows + rows[::-1]) / 2, relations=1, ridge=1e-6)
    >>> np.allclose(found(parts), 0.5, atol=1e-3)
    True
    """
    kinds = np.eye(relations, dtype=np.float64)[parts.relation]
    seen = np.hstack([parts.head, parts.tail, kinds]).astype(np.float64)
    normal = seen.T @ seen + ridge * np.eye(seen.shape[1])
    table = np.linalg.solve(normal, seen.T @ exact.astype(np.float64)).astype(np.float32)
    size = exact.shape[1]
    return Composition(table[:size], table[2 * size :], table[size : 2 * size])


def spread(relation: Codes, *, size: int, seed: int = 0) -> npt.NDArray[np.intp]:
    """Choose up to `size` edges so that rare relations are not lost; ascending, deterministic.

    Half of the places go to edges at random; the rest are dealt evenly among relations.

    >>> codes = np.array([0] * 96 + [1] * 4)
    >>> chosen = spread(codes, size=20)
    >>> len(chosen), int((codes[chosen] == 1).sum())
    (20, 4)
    """
    if len(relation) <= size:
        return np.arange(len(relation))
    order = np.random.default_rng(seed).permutation(len(relation))
    kinds = np.asarray(relation)[order]
    turns = np.empty(len(order), dtype=np.int64)
    for kind in np.unique(kinds):
        turns[kinds == kind] = np.arange(np.count_nonzero(kinds == kind))
    dealt = order[np.argsort(turns, kind="stable")[: size // 2]]
    rest = order[~np.isin(order, dealt)][: size - len(dealt)]
    chosen: npt.NDArray[np.intp] = np.sort(np.concatenate([dealt, rest]))
    return chosen
