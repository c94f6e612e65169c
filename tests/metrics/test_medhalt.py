"""Med-HALT: which outcome is right in which test, and what a hallucination is."""

from __future__ import annotations

import pytest

from metrics.medhalt import medhalt
from metrics.outcomes import outcome
from signatures.schema import HaltTest, Outcome, OutcomeKind, Question


def score(test: HaltTest, kind: OutcomeKind) -> tuple[float | None, float | None]:
    found = medhalt([(test, Outcome(kind=kind, letter=None, gold="A"))])[test]
    return found.accuracy, found.hallucination


@pytest.mark.parametrize(
    ("test", "kind", "right", "hallucinated"),
    [
        ("FCT", "correct", 1, 0),
        ("FCT", "wrong", 0, 1),
        ("FCT", "abstained", 0, 0),
        ("NOTA", "abstained", 0, 0),
        ("NOTA", "unparsed", 0, 0),
        ("NOTA", "out_of_range", 0, 0),
        ("Fake", "correct", 1, 0),
        ("Fake", "abstained", 1, 0),
        ("Fake", "correct_abstention", 1, 0),
        ("Fake", "ambiguous", 0, 0),
        ("Fake", "wrong", 0, 1),
    ],
)
def test_right_and_hallucinated(
    test: HaltTest, kind: OutcomeKind, right: int, hallucinated: int
) -> None:
    assert score(test, kind) == (right, hallucinated)


def test_what_was_not_run_does_not_count() -> None:
    kinds: list[OutcomeKind] = ["not_run", "wrong", "correct", "correct"]
    found = medhalt(("NOTA", Outcome(kind=kind, letter=None, gold="A")) for kind in kinds)["NOTA"]
    assert (found.counted, found.not_run) == (3, 1)
    assert found.accuracy == pytest.approx(2 / 3)
    nothing = medhalt([("FCT", Outcome(kind="not_run", letter=None, gold="A"))])["FCT"]
    assert (nothing.accuracy, nothing.hallucination) == (None, None)


def test_refusing_a_fake_question_in_words_or_by_its_option_is_right() -> None:
    """C28: `None of these are correct` is the option of a NOTA question that says so."""
    options = {"A": "By song", "B": "I do not know."}
    fake = Question(id="f", source="s", text="?", options=options, gold="B", labelled=True)
    for text in ("B", "I do not know", "abstain"):
        assert medhalt([("Fake", outcome(fake, text))])["Fake"].accuracy == 1
    assert medhalt([("Fake", outcome(fake, "A"))])["Fake"].hallucination == 1
    options = {"A": "Iron", "B": "None of the above"}
    nota = Question(id="n", source="s", text="?", options=options, gold="B", labelled=True)
    said = outcome(nota, "None of these are correct")
    assert medhalt([("NOTA", said)])["NOTA"].accuracy == 1


def test_only_tests_with_questions_are_named() -> None:
    assert medhalt([]) == {}
