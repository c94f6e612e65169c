"""`regram`: region-first reasoning, figure 1 of ReGraM."""

from __future__ import annotations

import dspy

from programs.answer_hop import AnswerHop
from programs.caps import Caps
from programs.decompose import MAX_HOPS, Decompose
from programs.synthesise import Synthesise
from programs.toolbox import Toolbox
from programs.type_domain import TypeDomain
from programs.wording import hop_lines
from signatures.schema import Question


class ReGraM(dspy.Module):
    """Domain, sub-questions, a region per hop, a mode per region, synthesis."""

    def __init__(
        self,
        tools: Toolbox,
        *,
        max_hops: int = MAX_HOPS,
        min_relevance: float = 0.0,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.tools = tools
        self.type_domain = TypeDomain(caps=caps)
        self.decompose = Decompose(max_hops=max_hops, caps=caps)
        self.answer_hop = AnswerHop(min_relevance=min_relevance, caps=caps)
        self.synthesise = Synthesise(caps=caps)

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response`, `domain`, `sub_questions`, `hops` and `not_covered`."""
        domain = self.type_domain(question.text)
        sub_questions = self.decompose(question.text, domain)
        options = tuple(question.options.values())
        regions = [
            self.tools.regions.build(q, domain=domain, options=options) for q in sub_questions
        ]
        hops = tuple(
            self.answer_hop(q, region) for q, region in zip(sub_questions, regions, strict=True)
        )
        response = self.synthesise(question, hop_lines(hops))
        return dspy.Prediction(
            response=response,
            domain=domain,
            sub_questions=sub_questions,
            hops=hops,
            not_covered=tuple(h.sub_question for h in hops if h.mode == "LLM-GUESS"),
        )
