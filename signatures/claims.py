"""Answering with checkable claims (QKG §3.2, the Reasoner of algorithm 1)."""

from __future__ import annotations

import dspy

from signatures.schema import Claim


class EmitClaims(dspy.Signature):
    """Answer the question and state, for every option, the one claim that decides it.

    A claim is a short fact that a medical knowledge graph can confirm or refute. Its head is the
    option's own drug, gene or finding; its tail is the patient's disease, finding or target.
    """

    question: str = dspy.InputField()
    options: str = dspy.InputField()
    answer: str = dspy.OutputField(desc="letter of the best option")
    claims: list[Claim] = dspy.OutputField(desc="one per option")
