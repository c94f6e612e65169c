"""MedHallu: accuracy, similarity, hallucination and reasoning error of free answers (table 3)."""

from __future__ import annotations

from collections.abc import Iterable

from metrics.judged import YES, JudgedMean, JudgedRate, judged_rate, of_measure
from metrics.measures import Measure
from metrics.saq_similarity import saq_similarity
from signatures.schema import Record, Verdict

HALLUCINATION = Measure(
    name="hallucination_rate",
    low=0.0,
    high=1.0,
    direction="lower",
    unit="proportion",
    source="ReGraM table 3, MH-Hallu, and figure 11: unsupported claims or fabricated facts",
)

REASONING_ERROR = Measure(
    name="reasoning_error_rate",
    low=0.0,
    high=1.0,
    direction="lower",
    unit="proportion",
    source="ReGraM table 3, MH-RError",
)


class MedHallu(Record):
    """The four numbers of ReGraM's table 3, as shares; the paper prints them times 100."""

    accuracy: JudgedRate
    """Share of similarity ≥ 0.8."""
    similarity: JudgedMean
    hallucination: JudgedRate
    """Share of answers with a false or made-up statement. An abstention has none, and counts."""
    reasoning_error: JudgedRate
    """Share of answers with an error of reasoning; abstentions are not asked about."""


def medhallu(verdicts: Iterable[Verdict]) -> MedHallu:
    """Work out the four numbers from the verdicts of three measures on the same answers.

    >>> said = {"similarity": 0.9, "hallucination": 1, "reasoning_error": 0}
    >>> found = medhallu(Verdict(measure=m, kind="scored", score=s) for m, s in said.items())
    >>> found.accuracy.value, found.hallucination.value, found.reasoning_error.value
    (1.0, 1.0, 0.0)
    """
    given = tuple(verdicts)
    answers = saq_similarity(given)
    return MedHallu(
        accuracy=answers.accuracy,
        similarity=answers.similarity,
        hallucination=hallucination_rate(given),
        reasoning_error=reasoning_error_rate(given),
    )


def hallucination_rate(verdicts: Iterable[Verdict]) -> JudgedRate:
    """Share of answers that a judge says state something false.

    >>> says = [Verdict(measure="hallucination", kind="scored", score=s) for s in (0, 1, 1)]
    >>> hallucination_rate([*says, Verdict(measure="hallucination", kind="abstained")]).value
    0.5
    """
    return judged_rate(of_measure(verdicts, "hallucination"), at_least=YES)


def reasoning_error_rate(verdicts: Iterable[Verdict]) -> JudgedRate:
    """Share of answers whose reasoning a judge finds wrong, abstentions left out.

    >>> says = [Verdict(measure="reasoning_error", kind="scored", score=s) for s in (0, 1)]
    >>> reasoning_error_rate([*says, Verdict(measure="reasoning_error", kind="abstained")]).value
    0.5
    """
    own = of_measure(verdicts, "reasoning_error")
    return judged_rate(own, at_least=YES, with_abstained=False)
