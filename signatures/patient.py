"""Reading the patient out of a question where rules found nothing (QKG algorithm 1, line 3)."""

from __future__ import annotations

from typing import Literal

import dspy
from pydantic import Field

from signatures.schema import Assertion, Record


class StatedValue(Record):
    """A number that the text states of the patient."""

    name: str = Field(description="age, or the laboratory value or vital sign")
    value: float
    unit: str = Field(description="as written; empty if none")
    quote: str = Field(description="the words of the text, copied exactly")


class StatedFact(Record):
    """Something that the text states of the patient."""

    name: str = Field(description="in the words of the quote")
    kind: Literal["diagnosis", "medication", "habit", "sex", "pregnancy"]
    assertion: Assertion
    quote: str = Field(description="the words of the text, copied exactly")


class ReadPatient(dspy.Signature):
    """List what the text states of the patient and is not yet known.

    Copy, never infer. What is only asked about, planned or true of someone else's health is left
    out, but for family history.
    """

    text: str = dspy.InputField()
    known: str = dspy.InputField(desc="already read, one per line")
    numbers: list[StatedValue] = dspy.OutputField(desc="empty if none")
    facts: list[StatedFact] = dspy.OutputField(desc="everything else; empty if none")
