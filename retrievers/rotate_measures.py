"""Pure arithmetic of the RotatE reviewer: score, ranking quality and calibration."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

STEEPEST_PENALTY = 1e6
"""Inverse of the ridge penalty of the calibration: next to none."""


class Calibration(NamedTuple):
    """Probability = 1 / (1 + exp(-(slope · score + intercept)))."""

    slope: float
    intercept: float


def rotate_score(
    head: npt.NDArray[np.complex64],
    relation: npt.NDArray[np.complex64],
    tail: npt.NDArray[np.complex64],
) -> Floats:
    """Return -‖h ∘ r - t‖₂ of each row (Sun et al. 2019, equation 3); all of shape (n, d).

    >>> one = np.ones((1, 2), np.complex64)
    >>> rotate_score(one, 1j * one, 1j * one).tolist() == [0.0]
    True
    >>> rotate_score(one, one, -one).round(3).tolist()
    [-2.828]
    """
    apart = head * relation - tail
    squares = np.square(apart.real).sum(axis=1) + np.square(apart.imag).sum(axis=1)
    scores: Floats = -np.sqrt(squares, dtype=np.float64)
    return scores


def auc(true: npt.NDArray[Any], false: npt.NDArray[Any]) -> float | None:
    """Return the chance that a true one scores above a false one; ties count half.

    `None` when either is empty.

    >>> auc(np.array([3.0, 1.0]), np.array([2.0, 1.0]))
    0.625
    >>> auc(np.array([]), np.array([1.0])) is None
    True
    """
    if not len(true) or not len(false):
        return None
    from scipy.stats import rankdata

    ranks = rankdata(np.concatenate([true, false]))[: len(true)]
    wins = ranks.sum() - len(true) * (len(true) + 1) / 2
    return float(wins / (len(true) * len(false)))


def platt(true: npt.NDArray[Any], false: npt.NDArray[Any]) -> Calibration | None:
    """Fit a logistic curve to scores of true and of corrupted triplets, both weighing the same.

    `None` when either is empty, or when a higher score does not mean a likelier triplet.

    >>> fit = platt(np.array([-1.0, -2.0, -4.0]), np.array([-3.0, -5.0, -6.0]))
    >>> fit is not None and fit.slope > 0
    True
    >>> platt(np.array([-5.0]), np.array([-1.0])) is None
    True
    """
    if not len(true) or not len(false):
        return None
    from sklearn.linear_model import LogisticRegression

    scores = np.concatenate([true, false]).reshape(-1, 1)
    labels = np.repeat([1, 0], [len(true), len(false)])
    model = LogisticRegression(C=STEEPEST_PENALTY, class_weight="balanced", max_iter=1000)
    model.fit(scores, labels)
    slope, intercept = float(model.coef_[0, 0]), float(model.intercept_[0])
    return Calibration(slope, intercept) if slope > 0 else None


def logistic(values: npt.NDArray[Any]) -> Floats:
    """Return 1 / (1 + exp(-value)), without overflow.

    >>> logistic(np.array([0.0, -1000.0])).tolist()
    [0.5, 0.0]
    """
    half: Floats = 0.5 * (1.0 + np.tanh(0.5 * np.asarray(values, dtype=np.float64)))
    return half


def brier(true: npt.NDArray[Any], false: npt.NDArray[Any]) -> float | None:
    """Return the mean squared error of probabilities, true and false weighing the same.

    0 is perfect, 0.5 throughout gives 0.25; `None` when either is empty.

    >>> brier(np.array([0.5]), np.array([0.5, 0.5]))
    0.25
    >>> brier(np.array([1.0]), np.array([0.0]))
    0.0
    """
    if not len(true) or not len(false):
        return None
    return float((np.mean(np.square(1.0 - true)) + np.mean(np.square(false))) / 2)
