"""Step 4 of ReGraM's figure 1: a sub-question is answered inside its region, in its mode."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import dspy

from programs.caps import Caps
from programs.hypothesise import Hypothesise, counts, hypothesis_lines
from programs.roles import step
from programs.together import together
from programs.trimming import EVIDENCE_TOKENS, keep_ranked
from programs.wording import fact_lines
from retrievers.modes import facts_above, mode_for
from signatures.hypotheses import AnswerFromHypotheses
from signatures.schema import Hop, Region, ReviewedTriplet, Triplet
from signatures.synthesis import AnswerFromFacts, AnswerFromKnowledge, AnswerFromPartialFacts


class Citations(NamedTuple):
    """Cited ids: of facts that were shown, of anything else, and of hypotheses that were shown."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    hypotheses: tuple[str, ...] = ()


class AnswerHop(dspy.Module):
    """Answer one sub-question from its region: KG-STRICT, HYBRID or LLM-GUESS (ReGraM §3.3).

    Args:
        min_relevance: cosine from which a triplet counts as a fact.
        hypothesise: completes the facts of a HYBRID hop; `None` answers from the facts alone.
        evidence_tokens: of the facts in one prompt; those of lowest rank are left out.
        caps: tokens per call.
    """

    def __init__(
        self,
        *,
        min_relevance: float,
        hypothesise: Hypothesise | None = None,
        evidence_tokens: int = EVIDENCE_TOKENS,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.min_relevance, self.evidence_tokens = min_relevance, evidence_tokens
        self.strict = dspy.Predict(AnswerFromFacts, max_tokens=caps.synthesis)
        self.hybrid = dspy.Predict(AnswerFromPartialFacts, max_tokens=caps.synthesis)
        self.guess = dspy.Predict(AnswerFromKnowledge, max_tokens=caps.synthesis)
        self.hypothesise = hypothesise
        if hypothesise is not None:
            self.complete = dspy.Predict(AnswerFromHypotheses, max_tokens=caps.synthesis)

    def forward(self, sub_question: str, region: Region) -> Hop:
        """Return the hop with its answer; cited ids that were not shown are kept apart."""
        mode = mode_for(facts_above(region, self.min_relevance))
        hop = Hop(sub_question=sub_question, region=region, mode=mode, answer="")
        if mode == "LLM-GUESS":
            return self._guessed(hop)
        if mode == "HYBRID" and self.hypothesise is not None:
            proposed = self.hypothesise(sub_question, region)
            hop = hop.model_copy(update={"hypotheses": proposed})
        return self._answered(hop)

    def _guessed(self, hop: Hop) -> Hop:
        with step("answer_hop"):
            said = self.guess(sub_question=hop.sub_question)
        return hop.model_copy(update={"answer": f"{said.answer} Missing: {said.missing}"})

    def _answered(self, hop: Hop) -> Hop:
        facts = keep_ranked(fact_lines(hop.region.triplets), budget=self.evidence_tokens)
        asked = {"sub_question": hop.sub_question, "facts": facts.text}
        predict = self.strict if hop.mode == "KG-STRICT" else self.hybrid
        if hypotheses := hypothesis_lines(hop.hypotheses):
            predict, asked = self.complete, {**asked, "hypotheses": hypotheses}
        with step("answer_hop"):
            said = predict(**asked)
        shown = hop.region.triplets[: len(hop.region.triplets) - facts.left_out]
        cited = sort_citations(said.cited, shown, hop.hypotheses)
        return hop.model_copy(
            update={
                "answer": said.answer,
                "cited": cited.kept,
                "dropped": cited.dropped,
                "cited_hypotheses": cited.hypotheses,
                "left_out": facts.left_out,
            }
        )


def sort_citations(
    cited: Iterable[str], shown: Iterable[Triplet], hypotheses: Sequence[ReviewedTriplet] = ()
) -> Citations:
    """Split cited ids into those of shown facts, of used hypotheses (`h1` …), and the rest."""
    ids = tuple(dict.fromkeys(text.strip().strip("[]") for text in cited))
    facts = {triplet.id for triplet in shown}
    used = {f"h{n}" for n, triplet in enumerate(hypotheses, start=1) if triplet.used}
    return Citations(
        kept=tuple(i for i in ids if i in facts),
        dropped=tuple(i for i in ids if i not in facts | used),
        hypotheses=tuple(i for i in ids if i in used),
    )


def answer_hops(answer_hop: Callable[..., Any], regions: Sequence[Region]) -> tuple[Hop, ...]:
    """Answer each region's own query, all at once: hops do not wait for each other."""
    return tuple(together([partial(answer_hop, region.query, region) for region in regions]))


def hop_notes(hops: Sequence[Hop], *, reviewer: str | None = None) -> tuple[str, ...]:
    """Say what became of hypotheses, and how many facts did not fit a prompt."""
    counted = counts([triplet for hop in hops for triplet in hop.hypotheses])
    left_out = sum(hop.left_out for hop in hops)
    said = (
        (counted, f"hypotheses: {counted} (reviewer: {reviewer or 'none'})"),
        (left_out, f"{left_out} facts of lower rank did not fit the prompts"),
    )
    return tuple(text for holds, text in said if holds)
