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
    claims: list[Claim] = dspy.OutputField(desc="one per option", min_length=1)


class Reconsider(dspy.Signature):
    """Give your final answer, now that a knowledge graph has checked your claims for this patient.

    Choose an option that the report supports. Never choose an option that it rules out, not even
    your first answer. Where the report does not decide, keep your first answer.
    """

    # QKG algorithm 1, line 19.
    question: str = dspy.InputField()
    options: str = dspy.InputField()
    first_answer: str = dspy.InputField()
    report: str = dspy.InputField(desc="what the graph says of each claim")
    reasoning: str = dspy.OutputField(desc="two sentences at most")
    answer: str = dspy.OutputField(desc="letter of the best option")
