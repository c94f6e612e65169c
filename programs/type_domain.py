"""Step 1 of ReGraM's figure 1: the domain prior."""

from __future__ import annotations

import dspy

from programs.caps import Caps
from programs.roles import step
from signatures.domain import TypeDomain as TypeDomainSignature
from signatures.schema import Domain

UNTYPED: Domain = "INTEGRATED"
"""Domain of a question that is not typed: the one that prefers no field."""


class TypeDomain(dspy.Module):
    """Name the domain of a question (ReGraM §3.1).

    The domain is a prior on relation weights and is shown to the decomposition. With `ask` off, the
    paper's ablation of the domain prior (§4.6), no model is called: every weight is 1 anyway
    (`RegionSettings.use_domain`), and the decomposition is told `UNTYPED`.
    """

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.ask = True
        self.predict = dspy.Predict(TypeDomainSignature, max_tokens=caps.classification)

    def forward(self, question: str) -> Domain:
        """Return one of the five domains."""
        if not self.ask:
            return UNTYPED
        with step("type_domain"):
            domain: Domain = self.predict(question=question).domain
        return domain
