"""Questions as examples: for programs, for one predictor; train and dev kept apart."""

from __future__ import annotations

import dspy
import pytest

from optimize.examples import (
    check_disjoint,
    fingerprint,
    predictor_examples,
    program_examples,
)
from signatures.errors import InputError
from tests.support.toy_program import Toy, toy_questions


def test_only_questions_with_a_gold_become_program_examples() -> None:
    questions = toy_questions(0, 3)
    unlabelled = questions[0].model_copy(update={"labelled": False, "gold": None})
    made = program_examples([unlabelled, *questions[1:]])
    assert [example.question.id for example in made] == ["q1", "q2"]
    assert list(made[0].inputs().keys()) == ["question"]


def test_predictor_examples_hold_the_predictor_s_own_fields() -> None:
    questions = toy_questions(0, 3)
    unknown = questions[0].model_copy(update={"domain": None})
    made = predictor_examples(Toy().type_domain.predict, [unknown, *questions[1:]], field="domain")
    assert [example.toDict() for example in made] == [
        {"question": q.text, "domain": q.domain} for q in questions[1:]
    ]
    assert list(made[0].inputs().keys()) == ["question"]


def test_a_predictor_that_needs_an_earlier_step_is_refused_by_field_name() -> None:
    predictor = dspy.Predict("findings, question -> domain")
    with pytest.raises(InputError, match=r"reads findings, question and writes domain"):
        predictor_examples(predictor, toy_questions(0, 1), field="domain")


def test_train_and_dev_may_share_no_question_even_under_another_id() -> None:
    train = program_examples(toy_questions(0, 4))
    twin = toy_questions(3, 4)[0].model_copy(update={"id": "other"})
    with pytest.raises(InputError, match="they share 1"):
        check_disjoint(train, program_examples([twin]))
    check_disjoint(train, program_examples(toy_questions(4, 6)))


@pytest.mark.parametrize("empty", ["train", "dev"])
def test_an_empty_split_is_named(empty: str) -> None:
    some = program_examples(toy_questions(0, 1))
    splits = {"train": some, "dev": some, empty: []}
    with pytest.raises(InputError, match=f"at least one {empty} example"):
        check_disjoint(splits["train"], splits["dev"])


def test_the_fingerprint_sees_content_and_not_order() -> None:
    examples = program_examples(toy_questions(0, 3))
    other = program_examples([q.model_copy(update={"gold": "C"}) for q in toy_questions(0, 3)])
    assert fingerprint(examples) == fingerprint(examples[::-1])
    assert fingerprint(examples) != fingerprint(other)


def test_near_duplicates_and_test_questions_are_refused_and_told_when_allowed() -> None:
    words = " ".join(f"word{n}" for n in range(30))
    one, near = (
        toy_questions(9, 10)[0].model_copy(update={"id": i, "text": f"{words} {i}"}) for i in "ab"
    )
    train, dev = program_examples([one]), program_examples(toy_questions(4, 6))
    with pytest.raises(InputError, match="train and test must not nearly share a question"):
        check_disjoint(train, dev, program_examples([near]))
    told = check_disjoint(train, dev, program_examples([near]), allow=True)
    assert told == ("train and test must not nearly share a question, they nearly share 1",)
    reported = program_examples([one.model_copy(update={"split": "test"})])
    with pytest.raises(
        InputError, match="no question of the test split, they hold 1.*--allow-over"
    ):
        check_disjoint(reported, dev)
    assert check_disjoint(train, dev) == ()


def test_predictor_examples_are_compared_by_their_inputs() -> None:
    predictor = Toy().type_domain.predict
    same = predictor_examples(predictor, toy_questions(0, 3), field="domain")
    with pytest.raises(InputError, match="train and test must not share a question, they share 3"):
        check_disjoint(
            same, predictor_examples(predictor, toy_questions(4, 6), field="domain"), same
        )


def test_a_metric_may_need_another_field_than_a_gold() -> None:
    assert program_examples(toy_questions(0, 3), needs="gold_claims") == []
    assert len(program_examples(toy_questions(0, 3), needs="domain")) == 3


def test_a_predictor_s_answer_is_filled_from_the_gold() -> None:
    predictor = dspy.Predict("question, options -> answer")
    made = predictor_examples(predictor, toy_questions(0, 2), field="answer")
    assert [example.answer for example in made] == ["A", "B"]
    assert made[0].options == "A. first 0\nB. second 0\nC. third 0"
