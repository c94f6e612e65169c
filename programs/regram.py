"""`regram`: region-first reasoning, figure 1 of ReGraM."""

from __future__ import annotations

import dspy

from programs.answer_hop import AnswerHop, answer_hops, hop_notes
from programs.caps import Caps
from programs.decompose import MAX_HOPS, Decompose
from programs.hypothesise import MAX_REVISIONS, THRESHOLD, Hypothesise
from programs.review import Reviewer
from programs.short_answer import ShortAnswer, withheld
from programs.synthesise import Synthesise
from programs.toolbox import Toolbox
from programs.type_domain import TypeDomain
from programs.wording import hop_lines
from signatures.schema import Question


class ReGraM(dspy.Module):
    """Domain, sub-questions, a region per hop, a mode per region, synthesis.

    Args:
        tools: graph and tools over it.
        max_hops: H of §3.3.
        min_relevance: cosine from which a triplet counts as a fact.
        reviewer: who checks the hypotheses of a HYBRID hop; `None` leaves them unchecked (C.4).
        threshold: probability from which a hypothesis is accepted (§3.4).
        max_revisions: rounds of revision at most (§3.4).
        withhold_options: answer a multiple-choice question in words, its options unseen.
        caps: tokens per call.
    """

    def __init__(
        self,
        tools: Toolbox,
        *,
        max_hops: int = MAX_HOPS,
        min_relevance: float = 0.0,
        reviewer: Reviewer | None = None,
        threshold: float = THRESHOLD,
        max_revisions: int = MAX_REVISIONS,
        withhold_options: bool = False,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.reviewer_id = None if reviewer is None else reviewer.id
        self.tools, self.withhold_options = tools, withhold_options
        self.type_domain = TypeDomain(caps=caps)
        self.decompose = Decompose(max_hops=max_hops, caps=caps)
        hypothesise = Hypothesise(
            tools,
            reviewer=reviewer,
            threshold=threshold,
            max_revisions=max_revisions,
            caps=caps,
        )
        self.answer_hop = AnswerHop(min_relevance=min_relevance, hypothesise=hypothesise, caps=caps)
        self.synthesise = Synthesise(caps=caps)
        self.short_answer = ShortAnswer(caps=caps)

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response`, `domain`, `sub_questions`, `hops`, `reviewer` and what is missing."""
        asked = withheld(question) if self.withhold_options else question
        domain = self.type_domain(asked.text)
        sub_questions = self.decompose(asked.text, domain)
        options = tuple(asked.options.values())
        regions = [
            self.tools.regions.build(q, domain=domain, options=options) for q in sub_questions
        ]
        hops = answer_hops(self.answer_hop, regions)
        response = (
            self.synthesise(asked, hop_lines(hops))
            if asked.options
            else self.short_answer(asked, hops)
        )
        return dspy.Prediction(
            response=response,
            domain=domain,
            sub_questions=sub_questions,
            hops=hops,
            not_covered=tuple(h.sub_question for h in hops if h.mode == "LLM-GUESS"),
            reviewer=self.reviewer_id,
            notes=hop_notes(hops, reviewer=self.reviewer_id),
        )
