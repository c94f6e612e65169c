"""An answer in words, no options: a template per mode, as ReGraM §3.5 has them."""

from __future__ import annotations

from collections.abc import Sequence

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.trimming import findings_beside
from programs.wording import hop_lines
from signatures.schema import Hop, Mode, QAResponse, Question
from signatures.synthesis import WriteFactualAnswer, WriteStepwiseAnswer, WriteUncertainAnswer


class ShortAnswer(dspy.Module):
    """Write the answer that the hops give, in the mode of the hop that it follows.

    KG-STRICT answers from the facts, HYBRID step by step, LLM-GUESS says what evidence is missing.
    """

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.strict = dspy.Predict(WriteFactualAnswer, max_tokens=caps.synthesis)
        self.hybrid = dspy.Predict(WriteStepwiseAnswer, max_tokens=caps.synthesis)
        self.guess = dspy.Predict(WriteUncertainAnswer, max_tokens=caps.synthesis)

    def forward(self, question: Question, hops: Sequence[Hop]) -> QAResponse:
        """Return the response; its reasoning names the missing evidence where the graph is silent.

        Args:
            question: asked in words; its options are not looked at.
            hops: the evidence map, at least one.
        """
        findings = findings_beside(hop_lines(hops), question.text)
        asked = {"question": question.text, "findings": findings}
        mode = followed(hops)
        with step("synthesise"):
            if mode == "LLM-GUESS":
                said = self.guess(**asked)
                reasoning = f"No fact of the graph covers this. Missing evidence: {said.missing}"
            else:
                said = (self.strict if mode == "KG-STRICT" else self.hybrid)(**asked)
                reasoning = said.reasoning
        return QAResponse(
            llm_answer_choice=said.answer, selected_option_text=None, reasoning=reasoning
        )


def followed(hops: Sequence[Hop]) -> Mode:
    """Return the mode of the last hop, the one that the answer follows; a guess without hops."""
    return hops[-1].mode if hops else "LLM-GUESS"


def withheld(question: Question) -> Question:
    """Return a multiple-choice question as a short-answer one.

    >>> withheld(Question(id="q", source="s", text="Which?", options={"A": "x"})).options
    {}
    """
    return question.model_copy(update={"options": {}})
