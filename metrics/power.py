"""How small a difference a comparison could have found."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt

from metrics.measures import Measure

ALPHA = 0.05
"""Two-sided level of the test."""

POWER = 0.8
"""Chance of finding a difference that is there."""

MEASURE = Measure(
    name="minimal_detectable_effect",
    low=0,
    high=1,
    direction="lower",
    unit="proportion",
    source="Connor 1987, Biometrics 43:207, solved for the difference",
)


def minimal_detectable_effect(
    total: int, discordant: float, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """Return the least difference in accuracy that McNemar's test would find, 0 to 1.

    Solves N δ² = (z_{1-α/2} √ψ + z_{power} √(ψ - δ²))² for δ, with ψ the share of questions on
    which exactly one run is right (Connor 1987, *Biometrics* 43:207). `None`: no difference that
    this ψ allows would be found, so the test could not have told the runs apart.

    Args:
        total: N, questions in both runs.
        discordant: ψ, from 0 to 1.
        alpha: Two-sided level.
        power: Chance of finding it.

    >>> round(minimal_detectable_effect(2788, 61 / 2787), 4)
    0.0078
    >>> minimal_detectable_effect(8, 0.125) is None
    True

    Raises:
        ValueError: a value is outside its range.
    """
    if total < 0 or not 0 <= discordant <= 1 or not 0 < alpha < 1 or not 0 < power < 1:
        raise ValueError(
            "wanted total >= 0, discordant in [0, 1], alpha and power in (0, 1); got "
            f"{total}, {discordant}, {alpha}, {power}"
        )
    if total == 0 or discordant == 0:
        return None
    from scipy.special import ndtri

    level, strength = float(ndtri(1 - alpha / 2)), float(ndtri(power))
    needed = _needed(discordant, level, strength)
    enough = sqrt(total)
    if needed(discordant) > enough:
        return None
    low, high = 0.0, discordant
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if needed(middle) <= enough else (middle, high)
    return high


def _needed(discordant: float, level: float, strength: float) -> Callable[[float], float]:
    """Square root of the questions needed for a difference: less for a greater one."""

    def root(difference: float) -> float:
        if difference == 0:
            return inf
        rest = sqrt(max(0.0, discordant - difference**2))
        return (level * sqrt(discordant) + strength * rest) / difference

    return root
