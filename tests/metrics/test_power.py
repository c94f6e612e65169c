from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.power import minimal_detectable_effect
from metrics.significance import mcnemar


@pytest.mark.parametrize(("total", "discordant"), [(2788, 0.0265), (500, 0.2), (1000, 0.1)])
def test_the_effect_is_found_four_times_in_five(total: int, discordant: float) -> None:
    effect = minimal_detectable_effect(total, discordant)
    assert effect is not None
    rng = np.random.default_rng(11)
    fixed, broken = (discordant + effect) / 2, (discordant - effect) / 2
    draws = rng.multinomial(total, [fixed, broken, 1 - discordant], size=1500)
    found = np.mean([mcnemar(int(b), int(c)).p <= 0.05 for c, b, _ in draws])
    # The formula is for large samples; the exact test is a little weaker.
    assert 0.7 <= found <= 0.85


def test_more_questions_find_smaller_effects() -> None:
    effects = [minimal_detectable_effect(n, 0.1) for n in (200, 1000, 5000)]
    assert all(e is not None for e in effects)
    assert effects == sorted(effects, reverse=True)  # type: ignore[type-var]


@given(st.integers(0, 5000), st.floats(0, 1))
def test_an_effect_is_positive_and_no_greater_than_the_discordance(n: int, share: float) -> None:
    effect = minimal_detectable_effect(n, share)
    assert effect is None or 0 < effect <= share


@pytest.mark.parametrize(("total", "discordant"), [(0, 0.1), (100, 0.0), (8, 0.125)])
def test_too_little_to_find_anything(total: int, discordant: float) -> None:
    assert minimal_detectable_effect(total, discordant) is None


def test_values_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="wanted total"):
        minimal_detectable_effect(10, 1.5)
