"""Re-labelling of revisions that the leakage rules leave unclassified (QKG A.3)."""

from __future__ import annotations

from typing import Literal

import dspy

from signatures.schema import LeakageLabel


class RelabelCase(dspy.Signature):
    """Say what a validator's contradictions rest on, from its evidence texts alone.

    LIKELY_KG_SUPPORTED: they cite an entity, relation or patient-specific annotation of the
    knowledge graph. LIKELY_LEAKAGE: they rest on the validator's own medical knowledge or on
    guidelines. MIXED: some do one, some the other. UNCLASSIFIED: the texts do not say.
    """

    # QKG A.3, "LLM re-labeling of Unclassified cases"
    revision: Literal["wrong answer corrected", "right answer spoilt"] = dspy.InputField()
    evidence: list[str] = dspy.InputField(desc="texts of the contradicted claims")
    label: LeakageLabel = dspy.OutputField()
    justification: str = dspy.OutputField(desc="one sentence")
