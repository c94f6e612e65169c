"""The reasoner alone: what every other program must beat."""

from __future__ import annotations

import dspy


class AnswerDirectly(dspy.Signature):
    """Answer the medical question."""

    question: str = dspy.InputField()
    options: str = dspy.InputField()
    answer: str = dspy.OutputField(desc="letter of the best option")
