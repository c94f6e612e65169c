"""Proposing, reviewing and revising triplets that no file states (ReGraM §3.3-3.4, figures 4-5)."""

from __future__ import annotations

import dspy
from pydantic import Field

from signatures.schema import Hypothesis, Record


class TripletProbability(Record):
    """How likely one triplet is true."""

    id: str = Field(description="id of the triplet, copied")
    probability: float = Field(description="0 surely false, 1 surely true")


class RevisedTriplet(Record):
    """The corrected form of one triplet."""

    id: str = Field(description="id of the triplet, copied")
    head: str = Field(description="one of the listed entities")
    relation: str = Field(description="one of the listed relations")
    tail: str = Field(description="one of the listed entities")


class ProposeTriplets(dspy.Signature):
    """State the triplets that are missing among the facts and would answer the sub-question.

    Join listed entities by listed relations only, copied as written. State only what is established
    medical knowledge and no fact says already.
    """

    # ReGraM figure 4.
    relations: str = dspy.InputField(desc="one per line, with the types it joins")
    sub_question: str = dspy.InputField()
    facts: str = dspy.InputField(desc="one per line, id first")
    entities: str = dspy.InputField(desc="one per line, with its type")
    # Asked for a list alone, a small model writes an empty one.
    gap: str = dspy.OutputField(desc="what the facts leave open, in a few words")
    triplets: list[Hypothesis] = dspy.OutputField(desc="at most four", min_length=1)


class ReviewTriplets(dspy.Signature):
    """Say for each triplet how likely it is true as medical knowledge.

    Judge each one alone. Below 0.5 means that it should not be used.
    """

    # ReGraM §3.4.
    question: str = dspy.InputField()
    triplets: str = dspy.InputField(desc="one per line, id first")
    reviews: list[TripletProbability] = dspy.OutputField(desc="one per triplet", min_length=1)


class ReviseTriplets(dspy.Signature):
    """Correct the rejected triplets, so that each is true and answers the sub-question.

    Change the relation or an end. Use listed entities and relations only, copied as written; leave
    out a triplet that cannot be corrected.
    """

    # ReGraM figure 5.
    relations: str = dspy.InputField(desc="one per line, with the types it joins")
    sub_question: str = dspy.InputField()
    entities: str = dspy.InputField(desc="one per line, with its type")
    rejected: str = dspy.InputField(desc="one per line: id, triplet, why it was rejected")
    triplets: list[RevisedTriplet] = dspy.OutputField(desc="at most one per id")


class AnswerFromHypotheses(dspy.Signature):
    """Answer the sub-question step by step from the few listed facts, in one to three sentences.

    The hypotheses fill gaps between the facts, but no file states them: use one only where the
    facts stop, and say "possibly" there. Cite the ids of all that you used.
    """

    # ReGraM figure 7.
    sub_question: str = dspy.InputField()
    facts: str = dspy.InputField(desc="one per line, id first")
    hypotheses: str = dspy.InputField(desc="one per line, id first")
    answer: str = dspy.OutputField()
    cited: list[str] = dspy.OutputField(desc="ids of facts and hypotheses")
