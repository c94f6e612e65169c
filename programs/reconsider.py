"""QKG's Reasoner, second turn: the answer in the light of the report (algorithm 1, line 19)."""

from __future__ import annotations

from collections.abc import Iterable

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.synthesise import respond
from programs.trimming import findings_beside
from programs.verdict_lines import report_lines
from programs.wording import option_lines
from signatures.claims import Reconsider as ReconsiderSignature
from signatures.schema import ClaimVerdict, QAResponse, Question


class Reconsider(dspy.Module):
    """Answer again, knowing which claims the graph refutes."""

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.predict = dspy.Predict(ReconsiderSignature, max_tokens=caps.synthesis)

    def forward(
        self, question: Question, first: QAResponse, report: tuple[ClaimVerdict, ...]
    ) -> QAResponse:
        """Return the final answer; its choice is the model's own text."""
        text, options = question.text, option_lines(question.options)
        with step("reconsider"):
            said = self.predict(
                question=text,
                options=options,
                first_answer=first.llm_answer_choice,
                report=findings_beside(report_lines(report, question.options), text, options),
            )
        return respond(said.answer, question.options, reasoning=said.reasoning)


def is_contradicted(report: Iterable[ClaimVerdict]) -> bool:
    """Say whether the report refutes any claim: the only reason to reconsider (line 18)."""
    return any(verdict.status == "CONTRADICTED" for verdict in report)
