"""Coverage by hops and by entities, and scores beside it."""

from __future__ import annotations

from metrics.domain_coverage import (
    CoverageItem,
    Covered,
    covered_entities,
    covered_hops,
    domain_coverage,
)
from signatures.schema import Node, Region, Triplet


def node(index: int) -> Node:
    return Node(index=index, id=str(index), type="drug", name=f"n{index}", source="made")


def region(*, anchors: list[int], edges: list[tuple[int, int]], unlinked: int = 0) -> Region:
    triplets = tuple(
        Triplet(
            id=f"e{n}",
            head=node(a),
            relation="indication",
            display_relation="indication",
            tail=node(b),
            text="",
        )
        for n, (a, b) in enumerate(edges)
    )
    return Region(
        query="?",
        domain="INTEGRATED",
        anchors=tuple(map(node, anchors)),
        triplets=triplets,
        relevance=(0.5,) * len(triplets),
        candidates=len(triplets),
        unlinked=("x",) * unlinked,
    )


def test_an_entity_is_covered_by_a_triplet_and_an_unlinked_mention_is_not() -> None:
    found = covered_entities([region(anchors=[1, 2, 3], edges=[(1, 9), (8, 2)], unlinked=1)])
    assert found == Covered(2, 4)
    assert covered_entities([]) == Covered(0, 0)


def test_a_guess_is_a_hop_that_the_graph_does_not_cover() -> None:
    assert covered_hops(["LLM-GUESS", "HYBRID"]) == Covered(1, 2)
    assert covered_hops([]) == Covered(0, 0)


def test_domains_pool_their_parts_and_keep_what_has_no_verdict_out_of_the_mean() -> None:
    found = domain_coverage(
        [
            CoverageItem("DRUG_THERAPY", Covered(1, 1), 0.0),
            CoverageItem("DRUG_THERAPY", Covered(0, 3), 1.0),
            CoverageItem("DRUG_THERAPY", Covered(0, 0), None),
            CoverageItem("INTEGRATED", Covered(0, 0), None),
        ]
    )
    drugs = found["DRUG_THERAPY"]
    assert (drugs.questions, drugs.coverage, drugs.score, drugs.scored) == (3, 0.25, 0.5, 2)
    assert (found["INTEGRATED"].coverage, found["INTEGRATED"].score) == (None, None)
    assert list(found) == ["DRUG_THERAPY", "INTEGRATED"]
