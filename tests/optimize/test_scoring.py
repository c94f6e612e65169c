"""The dev score: every example once, in the caller's context, nothing excused or blamed."""

from __future__ import annotations

import threading

import dspy
import pytest

from optimize.dspy_metrics import domain_match, exact_match
from optimize.examples import predictor_examples, program_examples
from optimize.scoring import score_program
from optimize.watch import Halt, Watch
from signatures.errors import InputError
from tests.support.toy_program import Toy, toy_answer, toy_lm, toy_questions

EXAMPLES = program_examples(toy_questions(0, 6))


@pytest.mark.parametrize("threads", [1, 3])
def test_the_score_is_the_mean_in_any_number_of_threads(threads: int) -> None:
    seen: list[tuple[str, int, int]] = []
    with dspy.context(lm=toy_lm()):
        score = score_program(
            Toy(),
            EXAMPLES,
            exact_match,
            name="exact_match",
            stage="before",
            watch=Watch(),
            threads=threads,
            progress=lambda *step: seen.append(step),
        )
    assert (score.value, score.n, score.failed) == (2 / 6, 6, 0)
    assert sorted(seen) == [("before", done, 6) for done in range(1, 7)]


def test_threads_see_the_model_of_the_context_they_are_called_in() -> None:
    for constant, expected in (("DRUG_THERAPY", 2 / 6), ("INTEGRATED", 0.0)):
        lm = toy_lm(lambda everything, last, d=constant: f"[[ ## domain ## ]]\n{d}")
        predictor = Toy().type_domain.predict
        examples = predictor_examples(predictor, toy_questions(0, 6), field="domain")
        with dspy.context(lm=lm):
            score = score_program(
                predictor, examples, domain_match, name="d", stage="s", watch=Watch(), threads=2
            )
        assert score.value == expected


def test_an_unreadable_answer_scores_zero_and_is_counted() -> None:
    def sometimes(everything: str, last: str) -> str:
        return "mumble" if "Question 0?" in last else toy_answer(everything, last)

    with dspy.context(
        lm=toy_lm(sometimes), adapter=dspy.ChatAdapter(use_json_adapter_fallback=False)
    ):
        score = score_program(
            Toy(), EXAMPLES, exact_match, name="exact_match", stage="s", watch=Watch()
        )
    assert (score.value, score.failed) == (1 / 6, 1)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_outage_halts_the_score(threads: int) -> None:
    lock, left = threading.Lock(), [3]

    def dies(everything: str, last: str) -> str:
        with lock:
            left[0] -= 1
            if left[0] < 0:
                raise dspy.LMServerError("503")
        return toy_answer(everything, last)

    watch, lm = Watch(), toy_lm(dies)
    with dspy.context(lm=lm, callbacks=[watch]), pytest.raises(Halt):
        score_program(
            Toy(), EXAMPLES, exact_match, name="m", stage="s", watch=watch, threads=threads
        )
    assert watch.error is not None
    assert len(lm.engine.requests) <= 3 + threads


def test_a_metric_without_a_value_is_found_at_the_first_example() -> None:
    lm = toy_lm()
    with dspy.context(lm=lm), pytest.raises(InputError, match="it returned NoneType"):
        score_program(
            Toy(), EXAMPLES, lambda example, pred: None, name="m", stage="s", watch=Watch()
        )
    assert len(lm.engine.requests) == 2


def test_a_bug_of_a_program_is_not_a_wrong_answer() -> None:
    class Broken(dspy.Module):
        def forward(self, question: object) -> dspy.Prediction:
            raise KeyError("typo")

    with dspy.context(lm=toy_lm()), pytest.raises(KeyError):
        score_program(Broken(), EXAMPLES, exact_match, name="m", stage="s", watch=Watch())
