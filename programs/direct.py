"""`direct`: the reasoner alone, with a chain of thought."""

from __future__ import annotations

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.synthesise import respond
from programs.wording import option_lines
from signatures.baseline import AnswerDirectly
from signatures.schema import Question


class Direct(dspy.Module):
    """Answer without the graph."""

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.answer = dspy.ChainOfThought(AnswerDirectly, max_tokens=caps.synthesis)

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response`."""
        with step("direct"):
            said = self.answer(question=question.text, options=option_lines(question.options))
        return dspy.Prediction(
            response=respond(said.answer, question.options, reasoning=said.reasoning)
        )
