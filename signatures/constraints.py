"""Deciding whether a patient belongs to a ConstraintItem's group (QKG §3.2)."""

from __future__ import annotations

from typing import Literal

import dspy
from pydantic import Field

from signatures.schema import Record


class GroupVerdict(Record):
    """Whether the patient belongs to one group."""

    id: str = Field(description="id of the group, copied")
    verdict: Literal["MET", "NOT_MET", "INDETERMINATE"] = Field(
        description="INDETERMINATE when the text does not say"
    )


class MatchConstraint(dspy.Signature):
    """Decide for each group whether this patient belongs to it, from the text alone.

    What the text does not mention is INDETERMINATE, not NOT_MET.
    """

    patient: str = dspy.InputField()
    groups: str = dspy.InputField(desc="one per line, id first")
    verdicts: list[GroupVerdict] = dspy.OutputField(desc="one per group", min_length=1)
