"""One test for every measure: best case, worst case, range and direction."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from metrics.calibration import calibration
from metrics.domain_coverage import CoverageItem, covered_hops, domain_coverage
from metrics.inconsistency import inconsistency
from metrics.kappa import cohen_kappa
from metrics.leakage_adjusted import adjusted_accuracy
from metrics.medhallu import hallucination_rate, reasoning_error_rate
from metrics.medhalt import HaltScore, medhalt
from metrics.mismatch import mismatches
from metrics.power import minimal_detectable_effect
from metrics.registry import MEASURES, RUN_MEASURES, Answers
from metrics.risk_coverage import area_under, risk_coverage
from metrics.saq_similarity import saq_similarity
from metrics.significance import mcnemar, paired_test
from signatures.schema import JudgedMeasure, Mode, Outcome, Verdict

RIGHT = Outcome(kind="correct", letter="B", gold="B")
WRONG = Outcome(kind="wrong", letter="A", gold="B")
UNPARSED = Outcome(kind="unparsed", letter=None, gold="B")


def of_run(name: str, rows: list[Answers]) -> float | None:
    return RUN_MEASURES[name].value(rows)


def difference(*pairs: tuple[bool, bool]) -> float | None:
    keyed = {str(n): pair for n, pair in enumerate(pairs)}
    return paired_test(
        {k: a for k, (a, _) in keyed.items()}, {k: b for k, (_, b) in keyed.items()}
    ).difference


def said(measure: JudgedMeasure, *scores: float) -> list[Verdict]:
    return [Verdict(measure=measure, kind="scored", score=score) for score in scores]


def own_evidence(*scores: float) -> float | None:
    verdicts = said("evidence_inconsistency", *scores)
    return inconsistency(verdicts, measure="evidence_inconsistency").value


def halt(*outcomes: Outcome) -> HaltScore:
    return medhalt(("NOTA", outcome) for outcome in outcomes)["NOTA"]


def kappa(one: str, other: str) -> float | None:
    return cohen_kappa(dict(enumerate_keys(one)), dict(enumerate_keys(other))).value


def enumerate_keys(labels: str) -> list[tuple[str, str]]:
    return [(str(n), label) for n, label in enumerate(labels)]


def coverage(*modes: Mode) -> float | None:
    item = CoverageItem("INTEGRATED", covered_hops(modes), None)
    return domain_coverage([item])["INTEGRATED"].coverage


class Case(NamedTuple):
    """Values at the two ends of what can happen, and one between; `best` is the better end."""

    best: Callable[[], float | None]
    worst: Callable[[], float | None]
    between: Callable[[], float | None]


CASES = {
    "accuracy": Case(
        lambda: of_run("accuracy", [(None, RIGHT)]),
        lambda: of_run("accuracy", [(None, WRONG), (None, UNPARSED)]),
        lambda: of_run("accuracy", [(None, RIGHT), (None, WRONG), (None, UNPARSED)]),
    ),
    "wrong_to_correct": Case(
        lambda: of_run("wrong_to_correct", [(WRONG, RIGHT)]),
        lambda: of_run("wrong_to_correct", [(RIGHT, WRONG), (RIGHT, RIGHT)]),
        lambda: of_run("wrong_to_correct", [(WRONG, RIGHT), (WRONG, WRONG)]),
    ),
    "correct_to_wrong": Case(
        lambda: of_run("correct_to_wrong", [(WRONG, RIGHT), (RIGHT, RIGHT)]),
        lambda: of_run("correct_to_wrong", [(RIGHT, UNPARSED)]),
        lambda: of_run("correct_to_wrong", [(RIGHT, WRONG), (WRONG, WRONG)]),
    ),
    "change_rate": Case(
        lambda: of_run("change_rate", [(WRONG, UNPARSED)]),
        lambda: of_run("change_rate", [(RIGHT, RIGHT)]),
        lambda: of_run("change_rate", [(RIGHT, RIGHT), (WRONG, RIGHT)]),
    ),
    "flip_rate": Case(
        lambda: of_run("flip_rate", [(WRONG, RIGHT), (RIGHT, WRONG)]),
        lambda: of_run("flip_rate", [(WRONG, UNPARSED)]),
        lambda: of_run("flip_rate", [(WRONG, RIGHT), (RIGHT, RIGHT)]),
    ),
    "leakage_adjusted_accuracy": Case(
        lambda: adjusted_accuracy(3, 5, leaked=0, context=2),
        lambda: adjusted_accuracy(2, 5, leaked=2, context=0),
        lambda: adjusted_accuracy(3, 5, leaked=1, context=1),
    ),
    "mcnemar_p": Case(lambda: mcnemar(0, 0).p, lambda: mcnemar(0, 1000).p, lambda: mcnemar(3, 9).p),
    "accuracy_difference": Case(
        lambda: difference((False, True)),
        lambda: difference((True, False)),
        lambda: difference((True, True), (False, True)),
    ),
    "saq_accuracy": Case(
        lambda: saq_similarity(said("similarity", 0.8)).accuracy.value,
        lambda: saq_similarity(said("similarity", 0.79)).accuracy.value,
        lambda: saq_similarity(said("similarity", 0.8, 0.79)).accuracy.value,
    ),
    "saq_similarity": Case(
        lambda: saq_similarity(said("similarity", 1)).similarity.value,
        lambda: saq_similarity(said("similarity", 0)).similarity.value,
        lambda: saq_similarity(said("similarity", 0.8, 0)).similarity.value,
    ),
    "inconsistency": Case(
        lambda: inconsistency(said("inconsistency", 0)).value,
        lambda: inconsistency(said("inconsistency", 1)).value,
        lambda: inconsistency(said("inconsistency", 0, 0.4)).value,
    ),
    "evidence_inconsistency": Case(
        lambda: own_evidence(0),
        lambda: own_evidence(1),
        lambda: own_evidence(0, 1, 1),
    ),
    "hallucination_rate": Case(
        lambda: hallucination_rate(said("hallucination", 0)).value,
        lambda: hallucination_rate(said("hallucination", 1)).value,
        lambda: hallucination_rate(said("hallucination", 0, 1)).value,
    ),
    "reasoning_error_rate": Case(
        lambda: reasoning_error_rate(said("reasoning_error", 0)).value,
        lambda: reasoning_error_rate(said("reasoning_error", 1)).value,
        lambda: reasoning_error_rate(said("reasoning_error", 0, 1)).value,
    ),
    "medhalt_accuracy": Case(
        lambda: halt(RIGHT).accuracy,
        lambda: halt(WRONG, UNPARSED).accuracy,
        lambda: halt(RIGHT, WRONG).accuracy,
    ),
    "medhalt_hallucination": Case(
        lambda: halt(RIGHT, UNPARSED).hallucination,
        lambda: halt(WRONG).hallucination,
        lambda: halt(WRONG, UNPARSED).hallucination,
    ),
    "kappa": Case(
        lambda: kappa("yynn", "yynn"),
        lambda: kappa("yynn", "nnyy"),
        lambda: kappa("yynn", "ynyn"),
    ),
    "kg_coverage": Case(
        lambda: coverage("KG-STRICT"),
        lambda: coverage("LLM-GUESS"),
        lambda: coverage("HYBRID", "LLM-GUESS"),
    ),
    "expected_calibration_error": Case(
        lambda: calibration([(1.0, True)]).ece,
        lambda: calibration([(1.0, False)]).ece,
        lambda: calibration([(0.9, True), (0.9, False)]).ece,
    ),
    "area_under_risk_coverage": Case(
        lambda: area_under(risk_coverage([(0.9, True)])),
        lambda: area_under(risk_coverage([(0.9, False)])),
        lambda: area_under(risk_coverage([(0.9, True), (0.1, False)])),
    ),
    "decision_mismatch_rate": Case(
        lambda: mismatches([(False, True), (None, False)]).rate,
        lambda: mismatches([(True, False), (True, True)]).rate,
        lambda: mismatches([(True, False), (False, True)]).rate,
    ),
    "minimal_detectable_effect": Case(
        lambda: minimal_detectable_effect(10**14, 1e-6),
        lambda: minimal_detectable_effect(4, 1.0),
        lambda: minimal_detectable_effect(2788, 0.03),
    ),
}


def test_every_measure_has_a_case() -> None:
    assert CASES.keys() == MEASURES.keys()


@pytest.mark.parametrize("name", MEASURES)
def test_best_worst_range_and_direction(name: str) -> None:
    measure, case = MEASURES[name], CASES[name]
    best, worst, between = case.best(), case.worst(), case.between()
    assert best is not None
    assert worst is not None
    assert between is not None
    assert all(measure.holds(value) for value in (best, worst, between))
    low, high = sorted((best, worst))
    assert low < between < high
    if measure.direction == "higher":
        assert best > worst
    elif measure.direction == "lower":
        assert best < worst
    if name != "minimal_detectable_effect":  # its ends are limits, not values
        assert (low, high) == pytest.approx((measure.low, measure.high))


@pytest.mark.parametrize("name", RUN_MEASURES)
def test_a_run_without_questions_has_no_value(name: str) -> None:
    assert of_run(name, []) is None


@pytest.mark.parametrize("name", MEASURES)
def test_unit_and_source_are_said(name: str) -> None:
    assert MEASURES[name].unit
    assert MEASURES[name].source
    assert MEASURES[name].name == name
