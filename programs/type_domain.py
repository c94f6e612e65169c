"""Step 1 of ReGraM's figure 1: the domain prior."""

from __future__ import annotations

import dspy

from programs.caps import Caps
from programs.roles import step
from signatures.domain import TypeDomain as TypeDomainSignature
from signatures.schema import Domain


class TypeDomain(dspy.Module):
    """Name the domain of a question (ReGraM §3.1)."""

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.predict = dspy.Predict(TypeDomainSignature, max_tokens=caps.classification)

    def forward(self, question: str) -> Domain:
        """Return one of the five domains."""
        with step("type_domain"):
            domain: Domain = self.predict(question=question).domain
        return domain
