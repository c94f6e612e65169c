"""QKG's Validator, `direct` kind: the graph's evidence decides each claim (QKG algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import dspy

from programs.caps import Caps
from programs.match_constraints import MatchConstraints
from programs.reasons import claim_reason
from programs.toolbox import Toolbox
from programs.wording import one_line
from retrievers.evidence import weigh
from retrievers.status import claim_status
from retrievers.unjudged import answer, left_to_model, unjudged
from retrievers.validity import INVALID_TO, Paradigm, Unmet
from signatures.schema import (
    Claim,
    ClaimVerdict,
    ConstraintVerdict,
    Evidence,
    PatientContext,
    Region,
    Triplet,
)

UNVERIFIABLE = "unverifiable"
"""How the reason of a claim begins whose head or tail is no node of the graph."""


class Validate(dspy.Module):
    """Check claims against triplets that hold for the patient.

    Rules read what they can of each ConstraintItem; the rest goes to the validator's model in one
    batch. Without context every stored triplet is valid, QKG's *KG without context*.

    Args:
        tools: graph and tools over it.
        use_context: off, the validity is *conventional* whatever `validity` says.
        validity: which function of QKG §1 gives F_τ(C).
        unmet: what becomes of a relation that is stated for other groups only.
        caps: tokens per call.
    """

    def __init__(
        self,
        tools: Toolbox,
        *,
        use_context: bool = True,
        validity: Paradigm = "explicit",
        unmet: Unmet = "exclude",
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.tools = tools
        self.validity: Paradigm = validity if use_context else "conventional"
        self.unmet = unmet
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
            judge(
                claim, [weighed[t.id] for t in triplets], unlinked=self._unlinked(claim, triplets)
            )
            for claim, triplets in zip(claims, found, strict=True)
        )

    def _unlinked(self, claim: Claim, triplets: Sequence[Triplet]) -> tuple[str, ...]:
        return () if triplets else self.tools.evidence.unlinked(claim)

    def weigh(
        self, triplets: Iterable[Triplet], patient: PatientContext, text: str
    ) -> dict[str, Evidence]:
        """Return F_τ(C) of each triplet by triplet id, with the verdicts that decided it."""
        unique = {triplet.id: triplet for triplet in triplets}
        verdicts = self._verdicts(unique.values(), patient, text)
        return {
            i: weigh(triplet, verdicts.get(i, ()), paradigm=self.validity, unmet=self.unmet)
            for i, triplet in unique.items()
        }

    def _verdicts(
        self, triplets: Iterable[Triplet], patient: PatientContext, text: str
    ) -> dict[str, tuple[ConstraintVerdict, ...]]:
        if self.validity == "conventional":
            return {}
        verdicts = self.tools.evidence.judge(triplets, patient)
        if self.validity == "mu":
            return verdicts
        if self.validity == "llm":
            verdicts = left_to_model(verdicts)
        groups = unjudged(verdicts)
        answered = self.match_constraints(text, groups) if groups else {}
        return {i: tuple(answer(v, answered) for v in found) for i, found in verdicts.items()}


def judge(
    claim: Claim, evidence: Sequence[Evidence], *, unlinked: Sequence[str] = ()
) -> ClaimVerdict:
    """Turn a claim's evidence into its status, with a reason that cites triplet ids.

    A claim with an end that the graph does not know, or only as something else, is unverifiable:
    never true, never refuted.
    """
    status = claim_status(claim.predicate, evidence)
    ranked = tuple(sorted(evidence, key=lambda e: (-e.validity, e.triplet.id)))
    return ClaimVerdict(
        claim=claim,
        status=status.status,
        label=status.label,
        conflict=status.conflict,
        evidence=ranked,
        reason=f"{UNVERIFIABLE}: {'; '.join(map(one_line, unlinked))}"
        if unlinked
        else claim_reason(status.status, ranked),
    )


def excluded(evidence: Mapping[str, Evidence]) -> frozenset[str]:
    """Return ids of the triplets that do not hold for the patient (F ≤ .25)."""
    return frozenset(i for i, e in evidence.items() if e.validity <= INVALID_TO)


def uncovered(report: Sequence[ClaimVerdict]) -> tuple[str, ...]:
    """Name the claims that no valid triplet covers."""
    return tuple(
        f"{v.claim.option}. {v.claim.head} {v.claim.predicate} {v.claim.tail}"
        for v in report
        if v.status == "NO_COVERAGE"
    )
