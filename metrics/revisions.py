"""What validation changes: the reasoner's first answer against the final answer, in one run.

QKG's *no validator* condition is this first answer, not a run of its own (QKG §3.3, §4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import get_args

from metrics.exact_match import RIGHT
from metrics.measures import Measure
from signatures.schema import Outcome, Record, RevisionKind

WRONG_TO_CORRECT = Measure(
    name="wrong_to_correct",
    low=0,
    high=1,
    direction="higher",
    unit="proportion of questions",
    source="QKG §5.1, figure 2b",
)
CORRECT_TO_WRONG = Measure(
    name="correct_to_wrong",
    low=0,
    high=1,
    direction="lower",
    unit="proportion of questions",
    source="QKG §5.1, figure 2b",
)
CHANGE_RATE = Measure(
    name="change_rate",
    low=0,
    high=1,
    direction="neither",
    unit="proportion of questions",
    source="QKG §4.2: cases whose answers change after validation",
)
FLIP_RATE = Measure(
    name="flip_rate",
    low=0,
    high=1,
    direction="neither",
    unit="proportion of questions",
    source="QKG §5.1: W→C and C→W together, printed there as the share of answers changed",
)


class Revisions(Record):
    """Counts of how final answers differ from first answers, over questions that were run."""

    counts: dict[RevisionKind, int]
    """Every kind is a key."""
    total: int
    """Questions with a first and a final answer."""
    skipped: int
    """Questions without: not run, or the program has no first answer."""

    @property
    def wrong_to_correct(self) -> float | None:
        """Share of questions that a revision put right; `None` without questions."""
        return self._share("wrong_to_correct")

    @property
    def correct_to_wrong(self) -> float | None:
        """Share of questions that a revision spoilt."""
        return self._share("correct_to_wrong")

    @property
    def change_rate(self) -> float | None:
        """Share of questions whose answer changed at all, from one wrong letter to another too."""
        return self._share(*(kind for kind in self.counts if kind != "unchanged"))

    @property
    def flip_rate(self) -> float | None:
        """Share of questions whose rightness changed."""
        return self._share("wrong_to_correct", "correct_to_wrong")

    def _share(self, *kinds: RevisionKind) -> float | None:
        return sum(self.counts[kind] for kind in kinds) / self.total if self.total else None


def revision(first: Outcome, final: Outcome) -> RevisionKind:
    """Name the difference between a first and a final answer.

    >>> a, b = (Outcome(kind=k, letter=x, gold="B") for k, x in (("wrong", "A"), ("correct", "B")))
    >>> revision(a, b), revision(b, a), revision(a, a)
    ('wrong_to_correct', 'correct_to_wrong', 'unchanged')
    """
    was, now = first.kind in RIGHT, final.kind in RIGHT
    if was != now:
        return "wrong_to_correct" if now else "correct_to_wrong"
    if (first.kind, first.letter) == (final.kind, final.letter):
        return "unchanged"
    return "correct_to_correct" if now else "wrong_to_wrong"


def revisions(pairs: Iterable[tuple[Outcome | None, Outcome]]) -> Revisions:
    """Count revisions over pairs of first and final outcome.

    >>> a, b, c = (
    ...     Outcome(kind=k, letter=x, gold="B")
    ...     for k, x in (("wrong", "A"), ("correct", "B"), ("wrong", "C"))
    ... )
    >>> found = revisions([(a, b), (a, c), (b, b), (None, b)])
    >>> found.total, found.skipped, found.flip_rate == 1 / 3, found.change_rate == 2 / 3
    (3, 1, True, True)
    """
    given = list(pairs)
    kinds = [
        revision(first, final)
        for first, final in given
        if first is not None and "not_run" not in (first.kind, final.kind)
    ]
    seen = Counter(kinds)
    return Revisions(
        counts={kind: seen[kind] for kind in get_args(RevisionKind)},
        total=len(kinds),
        skipped=len(given) - len(kinds),
    )
