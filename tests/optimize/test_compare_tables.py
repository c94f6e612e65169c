from __future__ import annotations

import pytest

from optimize.compare_tables import p_text, points


@pytest.mark.parametrize(
    ("p", "text"),
    [(1.0, "1"), (0.050250895, "0.05025"), (1.635e-35, "1.635e-35"), (0.0, "< 1e-300")],
)
def test_a_p_value_is_never_written_as_zero(p: float, text: str) -> None:
    assert p_text(p) == text


def test_a_difference_keeps_its_sign() -> None:
    assert (points(0.0140), points(-0.0065), points(None)) == ("+1.40", "-0.65", "—")
