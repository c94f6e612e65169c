"""Step 2 of ReGraM's figure 1: at most H sub-questions."""

from __future__ import annotations

import re
from collections.abc import Sequence

import dspy

from programs.caps import Caps
from programs.roles import step
from signatures.decomposition import WORKED_DEMONSTRATION, DecomposeQuestion
from signatures.schema import Domain

MAX_HOPS = 3
"""H of ReGraM §3.3."""

_NUMBERING = re.compile(
    r"^\s*(?:[-*•]|\(?\d{1,2}[.):]|(?:sub-?question|hop|step)\s*\d*\s*[.:)-])\s*", re.I
)


class Decompose(dspy.Module):
    """Split a question into at most `max_hops` sub-questions (ReGraM §3.1).

    With `ask` off, the paper's ablation of multi-hop reasoning (§4.6), the question is its own only
    sub-question and no model is called. H = 1 is another thing: one sub-question by the model.
    """

    def __init__(self, *, max_hops: int = MAX_HOPS, caps: Caps = Caps()) -> None:
        super().__init__()
        self.max_hops = max_hops
        self.ask = True
        self.predict = dspy.Predict(DecomposeQuestion, max_tokens=caps.reasoning)
        self.predict.demos = [WORKED_DEMONSTRATION]

    def forward(self, question: str, domain: Domain) -> tuple[str, ...]:
        """Return 1 to `max_hops` sub-questions; the question itself if the model gives none."""
        if not self.ask:
            return (question,)
        with step("decompose"):
            said = self.predict(question=question, domain=domain).sub_questions
        return tidy(said, question=question, limit=self.max_hops)


def tidy(said: Sequence[str], *, question: str, limit: int) -> tuple[str, ...]:
    r"""Drop numbering, blanks, lead-ins and repeats; keep `limit`; fall back to the question.

    >>> tidy(["1. Which drugs treat gout?\n2) Which harm?", "which drugs treat gout?"],
    ...      question="Q", limit=3)
    ('Which drugs treat gout?', 'Which harm?')
    >>> tidy(["", " ", "Sub-questions:"], question="Q", limit=3)
    ('Q',)
    """
    kept: dict[str, str] = {}
    for line in (line for text in said for line in text.splitlines()):
        bare = " ".join(_NUMBERING.sub("", line).split())
        if any(map(str.isalpha, bare)):
            kept.setdefault(bare.casefold().rstrip("?."), bare)
    asked = [bare for bare in kept.values() if not bare.endswith(":")]
    return tuple(asked)[:limit] or (question,)
