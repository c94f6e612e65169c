"""Step 4 of ReGraM's figure 1: a sub-question is answered inside its region, in its mode."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.wording import fact_lines
from retrievers.modes import facts_above, mode_for
from signatures.schema import Hop, Region
from signatures.synthesis import AnswerFromFacts, AnswerFromKnowledge, AnswerFromPartialFacts


class Citations(NamedTuple):
    """Cited triplet ids, split by whether the region holds them."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]


class AnswerHop(dspy.Module):
    """Answer one sub-question from its region: KG-STRICT, HYBRID or LLM-GUESS (ReGraM §3.3).

    HYBRID answers from the partial facts alone; hypotheses and their review are not part of it.
    """

    def __init__(self, *, min_relevance: float, caps: Caps = Caps()) -> None:
        super().__init__()
        self.min_relevance = min_relevance
        self.strict = dspy.Predict(AnswerFromFacts, max_tokens=caps.synthesis)
        self.hybrid = dspy.Predict(AnswerFromPartialFacts, max_tokens=caps.synthesis)
        self.guess = dspy.Predict(AnswerFromKnowledge, max_tokens=caps.synthesis)

    def forward(self, sub_question: str, region: Region) -> Hop:
        """Return the hop with its answer; ids outside the region are dropped and kept apart."""
        mode = mode_for(facts_above(region, self.min_relevance))
        with step("answer_hop"):
            if mode == "LLM-GUESS":
                said = self.guess(sub_question=sub_question)
                return _hop(sub_question, region, mode, f"{said.answer} Missing: {said.missing}")
            predict = self.strict if mode == "KG-STRICT" else self.hybrid
            said = predict(sub_question=sub_question, facts=fact_lines(region.triplets))
        return _hop(sub_question, region, mode, said.answer, cited=said.cited)


def _hop(sub_question, region, mode, answer, *, cited=()) -> Hop:  # type: ignore[no-untyped-def]
    kept, dropped = sort_citations(cited, region)
    return Hop(
        sub_question=sub_question,
        region=region,
        mode=mode,
        answer=answer,
        cited=kept,
        dropped=dropped,
    )


def sort_citations(cited: Iterable[str], region: Region) -> Citations:
    """Split cited ids into those of the region's triplets and the rest, each once."""
    ids = tuple(dict.fromkeys(text.strip().strip("[]") for text in cited))
    return Citations(
        kept=tuple(i for i in ids if i in region.ids),
        dropped=tuple(i for i in ids if i not in region.ids),
    )
