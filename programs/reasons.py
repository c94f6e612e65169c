"""Why a claim has its status, in one line that cites triplets and constraint verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from programs.wording import one_line
from retrievers.validity import INVALID_TO, VALID_FROM, deciding
from signatures.schema import Evidence, Status

SHOWN = 3
"""Triplets named in a reason; the record keeps them all."""


def claim_reason(status: Status, evidence: Sequence[Evidence]) -> str:
    """Word the evidence of a claim, the deciding triplets first."""
    if not evidence:
        return "no triplet joins them"
    first = sorted(evidence, key=lambda e: INVALID_TO < e.validity < VALID_FROM)
    shown = "; ".join(worded(e) for e in first[:SHOWN])
    more = len(evidence) - SHOWN
    tail = f"; {more} more" if more > 0 else ""
    unsure = "nothing that decides: " if status == "NO_COVERAGE" else ""
    return f"{unsure}{shown}{tail}"


def worded(evidence: Evidence) -> str:
    """Word a triplet, its validity for the patient, and the constraint that gave it that."""
    label = f" {evidence.label}" if evidence.label else ""
    fact = one_line(evidence.triplet.text)
    return f"[{evidence.triplet.id}] {fact} (F={evidence.validity:g}{label}){_because(evidence)}"


def _because(evidence: Evidence) -> str:
    """Word the constraint that gave the triplet its validity."""
    for verdict in deciding(evidence.verdicts, evidence.triplet.relation):
        lines = " and ".join([x for x in verdict.audit if "→ MET" in x] or verdict.audit)
        return f" because {verdict.item.applicability}: {one_line(lines)} [{verdict.id}]"
    return ""
