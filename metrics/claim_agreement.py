"""How often a validation report gives a claim the status it should have (QKG algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from metrics.measures import Measure
from signatures.schema import Claim, ClaimVerdict, GoldClaim, Status

MEASURE = Measure(
    name="claim_status_agreement",
    low=0,
    high=1,
    direction="higher",
    unit="proportion",
    source="QKG algorithm 1: status of a claim; gold statuses of the packaged sample",
)

_OPPOSITE: Mapping[Status, Status] = MappingProxyType(
    {"SUPPORTED": "CONTRADICTED", "CONTRADICTED": "SUPPORTED", "NO_COVERAGE": "NO_COVERAGE"}
)


class Agreement(NamedTuple):
    """A gold claim and the status that the report gave it."""

    gold: GoldClaim
    said: Status | None
    """`None` when the report holds no claim that says the same."""

    @property
    def agrees(self) -> bool:
        """Whether the two are one; a claim that was never made does not agree."""
        return self.said == self.gold.status


def agreements(gold: Iterable[GoldClaim], report: Sequence[ClaimVerdict]) -> tuple[Agreement, ...]:
    """Pair every gold claim with the report's status of the same statement.

    Statements are the same when they are about one option and of one predicate; of several, the one
    with the gold's head and tail counts, else the first. `contraindicated` is read as the opposite
    of `treats`.

    >>> from signatures.schema import Claim
    >>> treats = Claim(option="A", head="X", predicate="treats", tail="Y", supports=True)
    >>> avoid = treats.model_copy(update={"predicate": "contraindicated", "supports": False})
    >>> gold = GoldClaim(claim=treats, status="CONTRADICTED")
    >>> said = ClaimVerdict(claim=avoid, status="SUPPORTED", reason="e1")
    >>> [a.agrees for a in agreements([gold], [said])], [a.said for a in agreements([gold], [])]
    ([True], [None])
    """
    return tuple(Agreement(item, _status_of(item.claim, report)) for item in gold)


def claim_agreement(gold: Sequence[GoldClaim], report: Sequence[ClaimVerdict]) -> float | None:
    """Share of gold claims to which the report gives their status; `None` without gold claims."""
    found = agreements(gold, report)
    return sum(item.agrees for item in found) / len(found) if found else None


def _status_of(claim: Claim, report: Sequence[ClaimVerdict]) -> Status | None:
    same = [v for v in report if v.claim.option == claim.option and _kind(v) == _kind_of(claim)]
    if not same:
        return None
    found = max(same, key=lambda verdict: _alike(verdict.claim, claim))
    turned = found.claim.predicate != claim.predicate
    return _OPPOSITE[found.status] if turned else found.status


def _kind(verdict: ClaimVerdict) -> str:
    return _kind_of(verdict.claim)


def _kind_of(claim: Claim) -> str:
    return "treats" if claim.predicate == "contraindicated" else claim.predicate


def _alike(one: Claim, other: Claim) -> int:
    return sum(
        a.casefold() == b.casefold() for a, b in ((one.head, other.head), (one.tail, other.tail))
    )
