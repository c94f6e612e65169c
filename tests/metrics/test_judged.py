"""Judged measures: the unscored and the abstained are counted, and are never 0 or 1."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from metrics.inconsistency import inconsistency
from metrics.judged import judged_mean, judged_rate
from metrics.medhallu import medhallu
from metrics.saq_similarity import saq_similarity
from signatures.schema import JudgedMeasure, Verdict


def verdicts(measure: JudgedMeasure, *said: float | str) -> list[Verdict]:
    """A number is a score, a word a kind."""
    return [
        Verdict(measure=measure, kind=s)  # type: ignore[arg-type]
        if isinstance(s, str)
        else Verdict(measure=measure, kind="scored", score=s)
        for s in said
    ]


def test_an_unscored_answer_is_in_no_numerator_and_no_denominator() -> None:
    found = saq_similarity(verdicts("similarity", 1.0, 0.2, "unscored", "unscored"))
    assert (found.accuracy.value, found.accuracy.counted, found.accuracy.unscored) == (0.5, 2, 2)
    assert (found.accuracy.low, found.accuracy.high) == (0.25, 0.75)
    assert found.similarity.value == pytest.approx(0.6)


def test_an_abstention_is_not_correct_and_has_no_similarity() -> None:
    found = saq_similarity(verdicts("similarity", 0.9, "abstained"))
    assert found.accuracy.value == 0.5
    assert (found.similarity.value, found.similarity.abstained) == (0.9, 1)


@pytest.mark.parametrize(("score", "right"), [(0.8, 1), (0.7999, 0)])
def test_correct_begins_at_0_8(score: float, right: int) -> None:
    assert saq_similarity(verdicts("similarity", score)).accuracy.count == right


def test_nothing_scored_has_no_value_and_an_open_interval() -> None:
    rate = judged_rate(verdicts("similarity", "unscored"), at_least=0.8)
    assert (rate.value, rate.low, rate.high) == (None, 0.0, 1.0)
    assert rate.interval[:2] == (0.0, 1.0)
    mean = judged_mean([])
    assert (mean.value, mean.interval) == (None, None)
    assert judged_mean(verdicts("similarity", 0.4)).interval is None


def test_the_interval_of_a_mean_worked_out_by_hand() -> None:
    """Mean 0.5, sample variance 1/3, n 4: 0.5 ± 1.96 · 0.2887, cut to 0 and 1."""
    interval = judged_mean(verdicts("similarity", 0, 0, 1, 1)).interval
    assert interval is not None
    assert interval.low == pytest.approx(0.0)
    interval = judged_mean(verdicts("similarity", 0.4, 0.4, 0.6, 0.6)).interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((0.3868, 0.6132), abs=1e-4)


def test_a_score_out_of_range_is_no_verdict() -> None:
    for score in (1.1, -0.1, float("nan")):
        with pytest.raises(ValidationError):
            Verdict(measure="similarity", kind="scored", score=score)


def test_measures_are_never_mixed() -> None:
    given = [*verdicts("inconsistency", 0.2), *verdicts("evidence_inconsistency", 0.8)]
    assert inconsistency(given).value == pytest.approx(0.2)
    assert inconsistency(given, measure="evidence_inconsistency").value == pytest.approx(0.8)


def test_medhallu_counts_an_abstention_as_no_hallucination_and_asks_nothing_of_its_reasoning() -> (
    None
):
    found = medhallu(
        [
            *verdicts("similarity", 0.9, 0.1, "abstained"),
            *verdicts("hallucination", 0, 1, "abstained", "unscored"),
            *verdicts("reasoning_error", 1, "abstained"),
        ]
    )
    assert found.accuracy.value == pytest.approx(1 / 3)
    assert found.hallucination.value == pytest.approx(1 / 3)
    assert (found.hallucination.low, found.hallucination.high) == (0.25, 0.5)
    assert found.reasoning_error.value == 1.0


def test_records_are_written_as_json_with_named_ends() -> None:
    text = saq_similarity(verdicts("similarity", 0.9, 0.7)).model_dump_json()
    assert set(json.loads(text)["accuracy"]["interval"]) == {"low", "high", "level"}
