"""Outcomes and accuracy."""

from __future__ import annotations

import pytest

from metrics.exact_match import accuracy, accuracy_by
from metrics.outcomes import is_scored, not_run, outcome
from signatures.errors import InputError
from signatures.schema import Outcome, OutcomeKind, Question

QUESTION = Question(
    id="q1", source="test", text="Which?", options={"A": "x", "B": "y"}, gold="B", labelled=True
)


def made(*kinds: OutcomeKind) -> list[Outcome]:
    return [Outcome(kind=kind, letter=None, gold="A") for kind in kinds]


def test_no_option_is_right() -> None:
    question = QUESTION.model_copy(update={"gold": None})
    assert outcome(question, "abstain").kind == "correct_abstention"
    assert outcome(question, "B").kind == "wrong"
    assert outcome(question, None).kind == "unparsed"


def test_a_question_without_gold_is_refused() -> None:
    question = QUESTION.model_copy(update={"gold": None, "labelled": False})
    assert not is_scored(question)
    with pytest.raises(InputError, match="q1"):
        outcome(question, "B")
    assert not_run(question).kind == "not_run"


def test_everything_but_not_run_is_counted() -> None:
    found = accuracy(
        made("correct", "correct_abstention", "wrong", "ambiguous", "unparsed", "unparsed",
             "out_of_range", "abstained", "not_run", "not_run")
    )  # fmt: skip
    assert (found.right, found.counted, found.not_run) == (2, 8, 2)
    assert found.value == 0.25
    assert found.parsed_only == pytest.approx(2 / 6)
    assert found.interval.low < 0.25 < found.interval.high
    assert found.incomplete


def test_nothing_run_has_no_value() -> None:
    found = accuracy(made("not_run"))
    assert (found.value, found.parsed_only) == (None, None)
    assert found.interval[:2] == (0.0, 1.0)
    assert accuracy([]).counted == 0


def test_groups() -> None:
    right, wrong = made("correct", "wrong")
    groups = accuracy_by([("y", right), ("x", wrong), ("y", wrong)])
    assert list(groups) == ["x", "y"]
    assert groups["y"].value == 0.5
