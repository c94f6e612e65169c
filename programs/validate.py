"""QKG's Validator, `direct` kind: the graph's evidence decides each claim (QKG algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import dspy

from programs.caps import Caps
from programs.match_constraints import MatchConstraints
from programs.reasons import claim_reason
from programs.toolbox import Toolbox
from retrievers.evidence import answer, unjudged, weigh
from retrievers.status import claim_status
from retrievers.validity import INVALID_TO
from signatures.schema import (
    Claim,
    ClaimVerdict,
    ConstraintVerdict,
    Evidence,
    PatientContext,
    Region,
    Triplet,
)


class Validate(dspy.Module):
    """Check claims against triplets that hold for the patient.

    Rules read what they can of each ConstraintItem; the rest goes to the validator's model in one
    batch. Without context every stored triplet is valid, QKG's *KG without context*.
    """

    def __init__(self, tools: Toolbox, *, use_context: bool = True, caps: Caps = Caps()) -> None:
        super().__init__()
        self.tools = tools
        self.use_context = use_context
        self.match_constraints = MatchConstraints(caps=caps)

    def forward(
        self,
        claims: Sequence[Claim],
        patient: PatientContext,
        text: str,
        region: Region | None = None,
    ) -> tuple[ClaimVerdict, ...]:
        """Return one verdict per claim, in order; evidence comes from `region` alone when given."""
        found = [self.tools.evidence.find(claim, patient, region=region) for claim in claims]
        weighed = self.weigh(chain.from_iterable(found), patient, text)
        return tuple(
            judge(claim, [weighed[t.id] for t in triplets])
            for claim, triplets in zip(claims, found, strict=True)
        )

    def weigh(
        self, triplets: Iterable[Triplet], patient: PatientContext, text: str
    ) -> dict[str, Evidence]:
        """Return F_τ(C) of each triplet by triplet id, with the verdicts that decided it."""
        unique = {triplet.id: triplet for triplet in triplets}
        verdicts = self._verdicts(unique.values(), patient, text) if self.use_context else {}
        return {i: weigh(triplet, verdicts.get(i, ())) for i, triplet in unique.items()}

    def _verdicts(
        self, triplets: Iterable[Triplet], patient: PatientContext, text: str
    ) -> dict[str, tuple[ConstraintVerdict, ...]]:
        verdicts = self.tools.evidence.judge(triplets, patient)
        groups = unjudged(verdicts)
        answered = self.match_constraints(text, groups) if groups else {}
        return {i: tuple(answer(v, answered) for v in found) for i, found in verdicts.items()}


def judge(claim: Claim, evidence: Sequence[Evidence]) -> ClaimVerdict:
    """Turn a claim's evidence into its status, with a reason that cites triplet ids."""
    status = claim_status(claim.predicate, evidence)
    ranked = tuple(sorted(evidence, key=lambda e: (-e.validity, e.triplet.id)))
    return ClaimVerdict(
        claim=claim,
        status=status.status,
        label=status.label,
        conflict=status.conflict,
        evidence=ranked,
        reason=claim_reason(status.status, ranked),
    )


def excluded(evidence: Mapping[str, Evidence]) -> frozenset[str]:
    """Return ids of the triplets that do not hold for the patient (F ≤ .25)."""
    return frozenset(i for i, e in evidence.items() if e.validity <= INVALID_TO)
