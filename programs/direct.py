"""`direct`: the reasoner alone, with a chain of thought."""

from __future__ import annotations

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.short_answer import withheld
from programs.synthesise import respond
from programs.wording import option_lines
from signatures.baseline import AnswerDirectly, AnswerInWords
from signatures.schema import Question


class Direct(dspy.Module):
    """Answer without the graph.

    Args:
        withhold_options: answer a multiple-choice question in words, its options unseen.
        caps: tokens per call.
    """

    def __init__(self, *, withhold_options: bool = False, caps: Caps = Caps()) -> None:
        super().__init__()
        self.withhold_options = withhold_options
        self.answer = dspy.ChainOfThought(AnswerDirectly, max_tokens=caps.synthesis)
        self.in_words = dspy.ChainOfThought(AnswerInWords, max_tokens=caps.synthesis)

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response`; a question without options is answered in words."""
        asked = withheld(question) if self.withhold_options else question
        with step("direct"):
            said = (
                self.answer(question=asked.text, options=option_lines(asked.options))
                if asked.options
                else self.in_words(question=asked.text)
            )
        return dspy.Prediction(
            response=respond(said.answer, asked.options, reasoning=said.reasoning)
        )
