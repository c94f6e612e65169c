"""Gold claims against a report: by option and predicate, the nearest wording first."""

from __future__ import annotations

import pytest

from metrics.claim_agreement import MEASURE, agreements, claim_agreement
from signatures.schema import Claim, ClaimVerdict, GoldClaim, Status

CLAIM = Claim(option="A", head="Metformin", predicate="treats", tail="gout", supports=True)


def verdict(status: Status, **changes: object) -> ClaimVerdict:
    return ClaimVerdict(claim=CLAIM.model_copy(update=changes), status=status, reason="r")


def said(*report: ClaimVerdict) -> Status | None:
    return agreements([GoldClaim(claim=CLAIM, status="SUPPORTED")], report)[0].said


def test_the_claim_of_the_same_head_and_tail_counts_before_another_of_the_option() -> None:
    other = verdict("NO_COVERAGE", tail="hyperuricaemia")
    assert said(other, verdict("SUPPORTED", head="metformin")) == "SUPPORTED"
    assert said(other) == "NO_COVERAGE"


def test_another_option_or_predicate_is_another_claim() -> None:
    assert said(verdict("SUPPORTED", option="B")) is None
    assert said(verdict("SUPPORTED", predicate="causes")) is None


@pytest.mark.parametrize(
    ("status", "read"),
    [
        ("SUPPORTED", "CONTRADICTED"),
        ("CONTRADICTED", "SUPPORTED"),
        ("NO_COVERAGE", "NO_COVERAGE"),
    ],
)
def test_contraindicated_is_the_opposite_of_treats(status: Status, read: Status) -> None:
    assert said(verdict(status, predicate="contraindicated")) == read


def test_the_share_keeps_its_range_and_knows_when_there_is_nothing_to_say() -> None:
    gold = [GoldClaim(claim=CLAIM, status="SUPPORTED")] * 2
    assert claim_agreement(gold, [verdict("SUPPORTED")]) == MEASURE.high
    assert claim_agreement(gold, []) == MEASURE.low
    assert claim_agreement([], [verdict("SUPPORTED")]) is None
