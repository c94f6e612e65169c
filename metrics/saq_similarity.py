"""Short answers: how many mean what the reference means, by a judge's similarity (ReGraM §4.2)."""

from __future__ import annotations

from collections.abc import Iterable

from metrics.judged import JudgedMean, JudgedRate, judged_mean, judged_rate, of_measure
from metrics.measures import Measure
from signatures.schema import Record, Verdict

CORRECT = 0.8
"""Similarity from which an answer is correct (ReGraM §4.2)."""

ACCURACY = Measure(
    name="saq_accuracy",
    low=0.0,
    high=1.0,
    direction="higher",
    unit="proportion",
    source="ReGraM §4.2: outputs with a similarity score of at least 0.8 are correct",
)

SIMILARITY = Measure(
    name="saq_similarity",
    low=0.0,
    high=1.0,
    direction="higher",
    unit="mean score",
    source="ReGraM §4.2: semantic alignment of generated and reference answer, by a judge",
)


class SaqSimilarity(Record):
    """Accuracy and mean similarity of short answers."""

    accuracy: JudgedRate
    """Share of similarity ≥ 0.8. An abstention is not correct; the unscored are left out, and
    `low` and `high` say what they could change."""
    similarity: JudgedMean
    """Of the scored answers."""


def saq_similarity(verdicts: Iterable[Verdict]) -> SaqSimilarity:
    """Work out accuracy and mean from verdicts; those of other measures are passed over.

    >>> says = [Verdict(measure="similarity", kind="scored", score=s) for s in (0.9, 0.8, 0.79)]
    >>> found = saq_similarity([*says, Verdict(measure="similarity", kind="abstained")])
    >>> found.accuracy.value, round(found.similarity.value, 3)
    (0.5, 0.83)
    """
    own = of_measure(verdicts, "similarity")
    return SaqSimilarity(accuracy=judged_rate(own, at_least=CORRECT), similarity=judged_mean(own))
