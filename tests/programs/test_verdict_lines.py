"""A report as the model reads it: an option's standing first, whatever side its claims argue."""

from __future__ import annotations

import pytest

from programs.verdict_lines import report_lines
from signatures.schema import Claim, ClaimVerdict, Status

OPTIONS = {"A": "Metformin", "B": "Lina\ngliptin"}


def verdict(option: str, status: Status, *, supports: bool) -> ClaimVerdict:
    claim = Claim(option=option, head="x", predicate="treats", tail="y", supports=supports)
    return ClaimVerdict(claim=claim, status=status, reason="[e1]\nbecause")


@pytest.mark.parametrize(
    ("status", "supports", "words"),
    [
        ("SUPPORTED", True, "SUPPORTED"),
        ("SUPPORTED", False, "RULED OUT"),
        ("CONTRADICTED", True, "RULED OUT"),
        ("CONTRADICTED", False, "SUPPORTED"),
        ("NO_COVERAGE", True, "not covered"),
    ],
)
def test_the_standing_is_worked_out_for_the_model(
    status: Status, supports: bool, words: str
) -> None:
    first, second = report_lines([verdict("A", status, supports=supports)], OPTIONS).splitlines()
    assert first.startswith(f"A. Metformin: {words}")
    assert "[e1] because" in first
    assert second == "B. Lina gliptin: not covered by the graph."


def test_one_point_against_outweighs_all_for() -> None:
    both = [verdict("A", "SUPPORTED", supports=True), verdict("A", "CONTRADICTED", supports=True)]
    assert report_lines(both, OPTIONS).startswith("A. Metformin: RULED OUT")
