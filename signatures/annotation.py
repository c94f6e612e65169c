"""Saying for which patients a relation holds (QKG §3.1.2)."""

from __future__ import annotations

import dspy
from pydantic import Field

from signatures.schema import Applicability, Record


class StatedGroup(Record):
    """A group of patients and how far the fact applies to them."""

    # First what says so: a small model then names the group that it has just written.
    evidence: str = Field(description="one sentence that says so")
    patient_characteristics: str = Field(
        description="the group in a few words, with number and unit where there is one"
    )
    applicability: Applicability = Field(description="of the fact as it is stated")


class QuotedGroup(StatedGroup):
    """A group that a label names."""

    evidence: str = Field(description="passage of the label, copied word for word")


class AnnotateRelation(dspy.Signature):
    """List the patient groups for which this fact applies more or less than in general.

    Name one condition per group, as a label does: `eGFR < 30 mL/min/1.73 m²`, `pregnant`, `taking
    warfarin`, `severe hepatic impairment`. The level says how far the fact applies to patients of
    the group. Begin with `general population`.
    """

    fact: str = dspy.InputField()
    groups: list[StatedGroup] = dspy.OutputField(desc="at most six", min_length=1)


class AnnotateFromLabel(dspy.Signature):
    """List the patient groups that this drug label names, and how far the fact applies to each.

    Take nothing from outside the label. Name one condition per group. Begin with `general
    population` if the label states the fact without a condition.
    """

    fact: str = dspy.InputField()
    label: str = dspy.InputField()
    groups: list[QuotedGroup] = dspy.OutputField(desc="at most six", min_length=1)
