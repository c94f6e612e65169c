"""Verdicts that rules leave open, and a model's answers to them (QKG §3.2, paradigm *llm*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from retrievers.expressions import is_unconditional
from signatures.schema import ConstraintVerdict, Match


def answer(verdict: ConstraintVerdict, answered: Mapping[str, Match]) -> ConstraintVerdict:
    """Return an unjudged verdict with the model's answer in it, any other as it is."""
    given = answered.get(verdict.id)
    if verdict.match != "UNJUDGED" or given is None or given == "UNJUDGED":
        return verdict
    line = f"'{verdict.item.patient_characteristics}' → {given}; judged by the model"
    return verdict.model_copy(
        update={"match": given, "decided_by": "model", "audit": (*verdict.audit, line)}
    )


def unjudged(verdicts: Mapping[str, Sequence[ConstraintVerdict]]) -> tuple[ConstraintVerdict, ...]:
    """Return the verdicts that only a model can give, in order."""
    return tuple(v for group in verdicts.values() for v in group if v.match == "UNJUDGED")


def left_to_model(
    verdicts: Mapping[str, Sequence[ConstraintVerdict]],
) -> dict[str, tuple[ConstraintVerdict, ...]]:
    """Take back what rules decided, so that a model judges every item with a condition."""
    return {
        triplet: tuple(
            v
            if is_unconditional(v.item.patient_characteristics)
            else v.model_copy(
                update={"match": "UNJUDGED", "decided_by": "nobody", "audit": ("left to a model",)}
            )
            for v in group
        )
        for triplet, group in verdicts.items()
    }
