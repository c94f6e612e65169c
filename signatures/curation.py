"""Naming the medical entities of a question and of its options (QKG A.1, stage 1)."""

from __future__ import annotations

import dspy
from pydantic import Field

from signatures.schema import Record, SaidLetter


class OptionEntities(Record):
    """The entities of one option."""

    option: SaidLetter
    entities: list[str] = Field(description="copied from the option; empty if it names none")


class NameEntities(dspy.Signature):
    """List the medical entities that the question and each option name.

    Entities are diseases, symptoms, findings, drugs, genes, proteins, pathways and exposures. Copy
    each as it is written. Leave out ages, numbers, procedures and general words.
    """

    question: str = dspy.InputField()
    options: str = dspy.InputField()
    question_entities: list[str] = dspy.OutputField()
    option_entities: list[OptionEntities] = dspy.OutputField()
