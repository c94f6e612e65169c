"""From an answer to an outcome: what became of one question."""

from __future__ import annotations

from metrics.answers import Reading, read_answer
from signatures.errors import InputError
from signatures.schema import Outcome, OutcomeKind, Question


def is_scored(question: Question) -> bool:
    """Tell whether the question has a gold to compare with: a letter, or "no option is right".

    >>> is_scored(Question(id="q", source="user", text="?"))
    False
    >>> is_scored(Question(id="q", source="test", text="?", options={"A": "x"}, labelled=True))
    True
    """
    return question.labelled or question.gold is not None


def outcome(question: Question, answer_text: str | None) -> Outcome:
    """Compare an answer with the gold of its question.

    >>> question = Question(
    ...     id="q", source="test", text="?", options={"A": "x", "B": "y"}, gold="B", labelled=True
    ... )
    >>> [outcome(question, text).kind for text in ("B", "A", "abstain", "A or B", "E", "hm")]
    ['correct', 'wrong', 'abstained', 'ambiguous', 'out_of_range', 'unparsed']
    >>> no_option = question.model_copy(update={"gold": None})
    >>> [outcome(no_option, text).kind for text in ("B", "abstain")]
    ['wrong', 'correct_abstention']

    Raises:
        InputError: The question has no gold; `is_scored` tells.
    """
    if not is_scored(question):
        raise InputError(
            f"question {question.id!r} has no gold to score against: "
            "give it a gold letter, or labelled=true when no option is right"
        )
    reading = read_answer(answer_text, question.options)
    return Outcome(kind=_kind(reading, question), letter=reading.letter, gold=question.gold)


def not_run(question: Question) -> Outcome:
    """The outcome of a question that was not answered: an outage, a blank text. Never wrong."""
    return Outcome(kind="not_run", letter=None, gold=question.gold)


def _kind(reading: Reading, question: Question) -> OutcomeKind:
    if reading.kind == "letter":
        return "correct" if reading.letter == question.gold else "wrong"
    if reading.kind == "abstained":
        return "abstained" if question.gold is not None else "correct_abstention"
    return reading.kind
