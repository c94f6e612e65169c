"""Every measure that qkgram reports, by name: range, direction, unit and source in one place.

A new measure is a file of `metrics` with its `Measure`, a line here, and a best and a worst case in
the shared test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from metrics import (
    calibration,
    domain_coverage,
    exact_match,
    inconsistency,
    kappa,
    leakage_adjusted,
    medhallu,
    medhalt,
    mismatch,
    power,
    revisions,
    risk_coverage,
    saq_similarity,
    significance,
)
from metrics.exact_match import accuracy
from metrics.measures import Measure
from signatures.schema import Outcome

Answers = tuple[Outcome | None, Outcome]
"""A question's first answer, where the program has one, and its final answer."""


class RunMeasure(NamedTuple):
    """A measure of one run, and how it is worked out."""

    measure: Measure
    value: Callable[[Sequence[Answers]], float | None]
    """`None` when the run has nothing to measure."""


def _by_name(*measures: Measure) -> dict[str, Measure]:
    return {measure.name: measure for measure in measures}


RUN_MEASURES: Mapping[str, RunMeasure] = {
    found.measure.name: found
    for found in (
        RunMeasure(exact_match.MEASURE, lambda rows: accuracy(final for _, final in rows).value),
        RunMeasure(
            revisions.WRONG_TO_CORRECT, lambda rows: revisions.revisions(rows).wrong_to_correct
        ),
        RunMeasure(
            revisions.CORRECT_TO_WRONG, lambda rows: revisions.revisions(rows).correct_to_wrong
        ),
        RunMeasure(revisions.CHANGE_RATE, lambda rows: revisions.revisions(rows).change_rate),
        RunMeasure(revisions.FLIP_RATE, lambda rows: revisions.revisions(rows).flip_rate),
    )
}
"""Measures of one run's answers."""

MEASURES: Mapping[str, Measure] = {
    **{name: found.measure for name, found in RUN_MEASURES.items()},
    **_by_name(
        leakage_adjusted.MEASURE, significance.P_VALUE, significance.DIFFERENCE, power.MEASURE
    ),
    **_by_name(
        saq_similarity.ACCURACY,
        saq_similarity.SIMILARITY,
        inconsistency.MEASURE,
        inconsistency.EVIDENCE,
        medhallu.HALLUCINATION,
        medhallu.REASONING_ERROR,
        medhalt.ACCURACY,
        medhalt.HALLUCINATION,
        kappa.MEASURE,
        domain_coverage.MEASURE,
        risk_coverage.MEASURE,
        calibration.MEASURE,
        mismatch.MEASURE,
    ),
}
"""All measures: those of one run, of a run with its audit, and of two runs."""


def measure_run(rows: Sequence[Answers]) -> dict[str, float | None]:
    """Work out every measure of one run.

    >>> right = Outcome(kind="correct", letter="A", gold="A")
    >>> measure_run([(None, right)])["accuracy"]
    1.0
    """
    return {name: found.value(rows) for name, found in RUN_MEASURES.items()}
