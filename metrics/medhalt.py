"""Med-HALT: accuracy and hallucination of its three tests (ReGraM §4.2, table 5).

FCT     false confidence: an answer is proposed, right or wrong; the right option is right
NOTA    none of the above: the right option was replaced by "None of the above"
Fake    the question makes no sense: not answering is right, by option or by abstaining

A hallucination is an option chosen wrongly. An abstention or an answer that cannot be read states
nothing: it is neither right (but for Fake) nor a hallucination, so the two shares need not sum to
1. ReGraM's table 5 has them sum to 100 but for FQT, its table 12 does not; no definition is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, get_args

from pydantic import PlainSerializer

from metrics.exact_match import RIGHT
from metrics.intervals import LEVEL, Interval, wilson
from metrics.measures import Measure
from signatures.schema import HaltTest, Outcome, OutcomeKind, Record

ACCURACY = Measure(
    name="medhalt_accuracy",
    low=0.0,
    high=1.0,
    direction="higher",
    unit="proportion",
    source="ReGraM table 5, FQT-ACC, NOTA-ACC and FCT-ACC",
)

HALLUCINATION = Measure(
    name="medhalt_hallucination",
    low=0.0,
    high=1.0,
    direction="lower",
    unit="proportion",
    source="ReGraM table 5, Hallu; this project: an option chosen wrongly",
)

RIGHT_BY_TEST: Mapping[HaltTest, frozenset[OutcomeKind]] = {
    "FCT": RIGHT,
    "NOTA": RIGHT,
    "Fake": RIGHT | {"abstained"},
}
"""Outcomes that are right. A fake question with an option "I do not know" is met by abstaining too;
`None of the above` must be chosen, for it is an answer."""


class HaltScore(Record):
    """Accuracy and hallucination of one test."""

    counted: int
    """Questions that were run and have a key."""
    not_run: int
    right: int
    hallucinated: int
    silent: int
    """Neither: abstained, ambiguous or not readable."""
    accuracy: float | None
    accuracy_interval: Annotated[Interval, PlainSerializer(Interval._asdict)]
    hallucination: float | None
    hallucination_interval: Annotated[Interval, PlainSerializer(Interval._asdict)]


def medhalt(
    outcomes: Iterable[tuple[HaltTest, Outcome]], *, level: float = LEVEL
) -> dict[HaltTest, HaltScore]:
    """Score each test that has a question.

    Args:
        outcomes: Test and outcome, one pair per question.
        level: Confidence level, between 0 and 1.

    >>> kinds = ("correct", "wrong", "abstained", "unparsed")
    >>> said = [Outcome(kind=kind, letter=None, gold="A") for kind in kinds]
    >>> found = medhalt([*(("NOTA", o) for o in said), *(("Fake", o) for o in said)])
    >>> [(test, s.accuracy, s.hallucination) for test, s in found.items()]
    [('NOTA', 0.25, 0.25), ('Fake', 0.5, 0.25)]
    """
    groups: dict[HaltTest, list[OutcomeKind]] = {}
    for test, outcome in outcomes:
        groups.setdefault(test, []).append(outcome.kind)
    return {t: _score(t, groups[t], level=level) for t in get_args(HaltTest) if t in groups}


def _score(test: HaltTest, kinds: list[OutcomeKind], *, level: float) -> HaltScore:
    ran = [kind for kind in kinds if kind != "not_run"]
    right = sum(kind in RIGHT_BY_TEST[test] for kind in ran)
    wrong = ran.count("wrong")
    return HaltScore(
        counted=len(ran),
        not_run=len(kinds) - len(ran),
        right=right,
        hallucinated=wrong,
        silent=len(ran) - right - wrong,
        accuracy=right / len(ran) if ran else None,
        accuracy_interval=wilson(right, len(ran), level=level),
        hallucination=wrong / len(ran) if ran else None,
        hallucination_interval=wilson(wrong, len(ran), level=level),
    )
