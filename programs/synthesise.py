"""The last step of both papers: findings become one answer (ReGraM §3.5, QKG algorithm 1)."""

from __future__ import annotations

from collections.abc import Mapping

import dspy

from metrics.answers import read_answer
from programs.caps import Caps
from programs.roles import step
from programs.trimming import findings_beside
from programs.wording import option_lines
from signatures.schema import QAResponse, Question
from signatures.synthesis import SynthesizeAnswer


class Synthesise(dspy.Module):
    """Choose the answer that the findings support."""

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.predict = dspy.Predict(SynthesizeAnswer, max_tokens=caps.synthesis)

    def forward(self, question: Question, findings: str) -> QAResponse:
        """Return the response; its choice is the model's own text.

        Findings too long for the prompt are each cut short, so that no hop and no option is lost.
        """
        text, options = question.text, option_lines(question.options)
        with step("synthesise"):
            said = self.predict(
                question=text,
                options=options,
                findings=findings_beside(findings, text, options),
            )
        return respond(said.answer, question.options, reasoning=said.reasoning)


def respond(answer: str, options: Mapping[str, str], *, reasoning: str) -> QAResponse:
    """Make the response of QKG A.2 from a model's answer text.

    >>> respond("(b)", {"A": "Metformin", "B": "Linagliptin"}, reasoning="…").selected_option_text
    'Linagliptin'
    """
    letter = read_answer(answer, options).letter
    return QAResponse(
        llm_answer_choice=answer,
        selected_option_text=options[letter] if letter else None,
        reasoning=reasoning,
    )
