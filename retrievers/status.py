"""From evidence to the status of a claim (QKG algorithm 1; the table of DESIGN.md §3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from data.relations import polarity_of
from retrievers.validity import INVALID_TO, VALID_FROM
from signatures.schema import Evidence, Label, Predicate, Status

OPPOSED_WHEN_RULED_OUT = frozenset({"indication", "off-label use", "drug_effect"})
"""Relations that, ruled out by a MET item, speak for the opposite; all others fall silent."""


class ClaimStatus(NamedTuple):
    """What the evidence says of a claim."""

    status: Status
    label: Label | None
    conflict: bool


class Votes(NamedTuple):
    """How many pieces of evidence speak for, against, or not surely."""

    plus: int
    minus: int
    uncertain: int


def claim_status(predicate: Predicate, evidence: Sequence[Evidence]) -> ClaimStatus:
    """Return status, label and conflict of a claim with this predicate.

    >>> claim_status("treats", [])
    ClaimStatus(status='NO_COVERAGE', label=None, conflict=False)
    """
    return status_of(predicate, votes(predicate, evidence))


def votes(predicate: Predicate, evidence: Sequence[Evidence]) -> Votes:
    """Count the evidence by the polarity of its relation for the predicate."""
    signs = [vote(predicate, piece) for piece in evidence]
    return Votes(signs.count(1), signs.count(-1), signs.count(0))


def vote(predicate: Predicate, piece: Evidence) -> int | None:
    """Return +1 or -1 for evidence that decides, 0 for uncertain, `None` for silent evidence."""
    triplet = piece.triplet
    sign = polarity_of(triplet.relation, triplet.display_relation, predicate)
    if sign == 0:
        return None
    if piece.validity >= VALID_FROM:
        return sign
    if piece.validity > INVALID_TO:
        return 0
    opposed = piece.ruled_out and triplet.relation in OPPOSED_WHEN_RULED_OUT
    return -sign if opposed else None


def status_of(predicate: Predicate, counted: Votes) -> ClaimStatus:
    """Return the row of the table for these votes.

    >>> status_of("treats", Votes(1, 0, 0)), status_of("contraindicated", Votes(1, 0, 0))
    (ClaimStatus(status='SUPPORTED', label='RECOMMENDED', conflict=False), \
ClaimStatus(status='SUPPORTED', label='AVOID', conflict=False))
    >>> status_of("treats", Votes(1, 1, 0))
    ClaimStatus(status='CONTRADICTED', label='CAUTION', conflict=True)
    >>> status_of("causes", Votes(0, 0, 2))
    ClaimStatus(status='NO_COVERAGE', label='CAUTION', conflict=False)
    """
    if counted.plus and counted.minus:
        both: dict[str, Status] = {"treats": "CONTRADICTED", "contraindicated": "SUPPORTED"}
        return ClaimStatus(both.get(predicate, "NO_COVERAGE"), "CAUTION", True)
    if counted.plus:
        good: dict[str, Label] = {"treats": "RECOMMENDED", "contraindicated": "AVOID"}
        return ClaimStatus("SUPPORTED", good.get(predicate), False)
    if counted.minus:
        bad: dict[str, Label] = {"treats": "AVOID", "contraindicated": "RECOMMENDED"}
        return ClaimStatus("CONTRADICTED", bad.get(predicate), False)
    return ClaimStatus("NO_COVERAGE", "CAUTION" if counted.uncertain else None, False)
