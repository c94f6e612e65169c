"""Every comparison that a study allows; what cannot be compared is said, not raised."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from optimize.comparing import Comparison, compare, with_holm
from optimize.results import Results
from signatures.errors import InputError


class Paired(NamedTuple):
    """Comparisons of one family, and why others are absent."""

    comparisons: tuple[Comparison, ...]
    notes: tuple[str, ...]


def compare_all(runs: Sequence[Results], *, seed: int = 0) -> Paired:
    """Compare each run with its own first answers, and every two runs.

    Runs of different questions stand in one report: such pairs are named in the notes. Holm's
    adjustment is over all comparisons that were made.
    """
    found: list[Comparison] = []
    notes: list[str] = []
    for results in runs:
        if any(row.first is not None for row in results.once):
            found += compare([results], within=True, seed=seed)
    for pair in combinations(runs, 2):
        try:
            found += compare(pair, seed=seed)
        except InputError as error:
            notes.append(f"not compared: {error}")
    return Paired(with_holm(found), tuple(notes))
