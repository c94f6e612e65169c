"""The reasoner alone: what every other program must beat. And KGARevion, the papers' baseline."""

from __future__ import annotations

from typing import Any

import dspy
from pydantic import Field, model_validator

from signatures.schema import Hypothesis, Record


class AnswerDirectly(dspy.Signature):
    """Answer the medical question."""

    question: str = dspy.InputField()
    options: str = dspy.InputField()
    answer: str = dspy.OutputField(desc="letter of the best option")


class AnswerInWords(dspy.Signature):
    """Answer the medical question in a few words."""

    question: str = dspy.InputField()
    answer: str = dspy.OutputField(desc="the name or phrase asked for")


# KGARevion (Su et al. 2024), the baseline of ReGraM §4: generate, review, revise, answer. The two
# papers name its steps and print none of its prompts, so these are ours.


class OptionTriplet(Record):
    """A triplet that bears on one option."""

    # The letter is not used: it makes a small model go through all options.
    option: str = Field(description="letter of the option")
    head: str
    relation: str = Field(description="one of the listed relations")
    tail: str

    @model_validator(mode="before")
    @classmethod
    def _without_letter(cls, said: Any) -> Any:
        """Read a triplet without its letter too."""
        return {"option": "", **said} if isinstance(said, dict) else said


# Asked for triplets alone, the packaged 1.5B model writes an empty list; after a first field it
# writes one per option. KGARevion too names medical terms first, in a call of its own.


class ProposeFromOptions(dspy.Signature):
    """Check each option of the question by one to three triplets of a knowledge graph.

    The head is the option's own drug, disease, finding or gene. The tail is what the question is
    about. One of the listed relations joins them.
    """

    relations: str = dspy.InputField()
    question: str = dspy.InputField()
    options: str = dspy.InputField()
    topic: str = dspy.OutputField(desc="the disease, finding or gene that the question is about")
    triplets: list[OptionTriplet] = dspy.OutputField(desc="one to three per option", min_length=1)


class ProposeFromStem(dspy.Signature):
    """Answer the question by one to three triplets of a knowledge graph.

    A triplet joins two named things, such as drugs, diseases, findings or genes, by one of the
    listed relations.
    """

    relations: str = dspy.InputField()
    question: str = dspy.InputField()
    topic: str = dspy.OutputField(desc="the disease, finding or gene that the question is about")
    triplets: list[Hypothesis] = dspy.OutputField(desc="one to three", min_length=1)


class Correction(Record):
    """A rejected triplet, corrected."""

    id: str = Field(description="id of the rejected triplet, copied")
    head: str
    relation: str = Field(description="one of the listed relations")
    tail: str


class ReviseRejected(dspy.Signature):
    """Correct each rejected triplet so that it is true and helps to answer the question.

    Change its head, its relation or its tail. Leave out a triplet that nothing can correct.
    """

    relations: str = dspy.InputField()
    question: str = dspy.InputField()
    options: str = dspy.InputField()
    rejected: str = dspy.InputField(desc="one per line: id, triplet, why it was rejected")
    corrections: list[Correction] = dspy.OutputField(desc="at most one per id")


class AnswerFromVerified(dspy.Signature):
    """Answer the medical question from the verified facts and what you know.

    Where a fact bears on the question, follow it.
    """

    question: str = dspy.InputField()
    options: str = dspy.InputField()
    facts: str = dspy.InputField(desc="verified, one per line")
    reasoning: str = dspy.OutputField(desc="two sentences at most")
    answer: str = dspy.OutputField(desc="letter of the best option; a few words if there are none")
