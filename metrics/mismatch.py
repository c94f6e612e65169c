"""Answers that go against their own evidence: "evidence says B, answer says C" (ReGraM C.9)."""

from __future__ import annotations

from collections.abc import Iterable

from metrics.measures import Measure
from signatures.schema import Record

MEASURE = Measure(
    name="decision_mismatch_rate",
    low=0.0,
    high=1.0,
    direction="lower",
    unit="proportion",
    source="ReGraM §7 and C.9, example 2; ours as a count",
)


class Mismatches(Record):
    """Questions by whether the evidence decided, agreed, and whether the answer was right."""

    right_agreeing: int = 0
    right_against: int = 0
    """The evidence was wrong, or it was right and overruled the model."""
    wrong_agreeing: int = 0
    wrong_against: int = 0
    """C.9: the evidence was for another option than the wrong answer."""
    undecided_right: int = 0
    undecided_wrong: int = 0
    """The evidence favoured no option."""

    @property
    def decided(self) -> int:
        """Questions whose evidence favoured an option."""
        agreeing = self.right_agreeing + self.wrong_agreeing
        return agreeing + self.right_against + self.wrong_against

    @property
    def rate(self) -> float | None:
        """Share of the decided questions with a mismatch, 0 to 1; `None` when none was decided."""
        against = self.right_against + self.wrong_against
        return against / self.decided if self.decided else None

    @property
    def among_wrong(self) -> float | None:
        """Share of all wrong answers that went against their evidence; `None` without any."""
        wrong = self.wrong_agreeing + self.wrong_against + self.undecided_wrong
        return self.wrong_against / wrong if wrong else None


def mismatches(pairs: Iterable[tuple[bool | None, bool]]) -> Mismatches:
    """Count mismatches among right and wrong answers.

    Args:
        pairs: `mismatch` of a row, and whether its answer is right; questions that were not run are
            left out by the caller.

    >>> found = mismatches([(True, False), (False, True), (None, False)])
    >>> found.wrong_against, found.decided, found.rate, found.among_wrong
    (1, 2, 0.5, 0.5)
    """
    names = {
        (False, True): "right_agreeing",
        (True, True): "right_against",
        (False, False): "wrong_agreeing",
        (True, False): "wrong_against",
        (None, True): "undecided_right",
        (None, False): "undecided_wrong",
    }
    counts = dict.fromkeys(names.values(), 0)
    for pair in pairs:
        counts[names[pair]] += 1
    return Mismatches(**counts)
