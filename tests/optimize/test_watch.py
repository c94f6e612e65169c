"""An outage stops a study, also one that the program swallows; a bad answer does not."""

from __future__ import annotations

import dspy
import pytest

from optimize.call_errors import BudgetStop
from optimize.watch import Halt, Watch, fatal
from signatures.errors import BudgetExceeded, ModelCallError, ParseError
from tests.support.toy_program import toy_lm


def failing(error: Exception):  # type: ignore[no-untyped-def]
    def answer(everything: str, last: str) -> str:
        raise error

    return toy_lm(answer)


class Swallows(dspy.Module):
    """A program that hides every failure of its model."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict("question -> answer")

    def forward(self, question: str) -> dspy.Prediction:
        try:
            return self.predict(question=question)
        except Exception:
            return dspy.Prediction(answer="A")


def test_an_outage_leaves_a_program_that_hides_it() -> None:
    watch = Watch()
    with (
        dspy.context(lm=failing(dspy.LMServerError("503")), callbacks=[watch]),
        pytest.raises(Halt),
    ):
        Swallows()(question="q")
    assert isinstance(watch.error, ModelCallError)


def test_no_call_is_made_after_the_first_fatal_one() -> None:
    watch, lm = Watch(), failing(dspy.LMServerError("503"))
    with dspy.context(lm=lm, callbacks=[watch]):
        for _ in range(3):
            with pytest.raises(Halt):
                Swallows()(question="q")
    assert len(lm.engine.requests) == 1


def test_an_answer_without_a_reading_is_the_example_s_own() -> None:
    watch = Watch()
    with dspy.context(lm=toy_lm(lambda everything, last: "mumble"), callbacks=[watch]):
        assert Swallows()(question="q").answer == "A"
    assert watch.error is None


def test_a_spent_budget_is_found_under_the_errors_that_wrap_it() -> None:
    spent = BudgetStop("the budget of 5 calls is spent")
    wrapped = RuntimeError("step failed")
    wrapped.__cause__ = spent
    assert fatal(wrapped) is spent
    assert isinstance(fatal(spent), BudgetExceeded)


@pytest.mark.parametrize(
    "error",
    [None, ParseError("x"), ValueError("x"), dspy.ContextWindowExceededError(message="long")],
)
def test_what_belongs_to_one_example_is_not_fatal(error: Exception | None) -> None:
    assert fatal(error) is None


def test_a_key_in_a_provider_s_message_is_not_repeated() -> None:
    said = str(fatal(dspy.LMAuthError("Incorrect API key provided: sk-test-12345678abcd")))
    assert "sk-test" not in said
