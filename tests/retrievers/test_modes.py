"""Mode thresholds at their boundaries (known failure K10) and what counts as a fact."""

from __future__ import annotations

import pytest

from retrievers.modes import facts_above, mode_for
from signatures.schema import Node, Region, Triplet


@pytest.mark.parametrize(
    ("facts", "mode"),
    [(0, "LLM-GUESS"), (1, "HYBRID"), (9, "HYBRID"), (10, "KG-STRICT"), (15, "KG-STRICT")],
)
def test_boundaries(facts: int, mode: str) -> None:
    assert mode_for(facts) == mode


def test_facts_are_triplets_that_are_relevant_enough() -> None:
    node = Node(index=0, id="1", type="drug", name="a", source="x")
    triplets = tuple(
        Triplet(id=f"e{i}", head=node, relation="r", display_relation="r", tail=node, text="t")
        for i in range(3)
    )
    region = Region(
        query="q",
        domain="INTEGRATED",
        anchors=(node,),
        triplets=triplets,
        relevance=(0.5, 0.3, -0.1),
        candidates=3,
    )
    assert [facts_above(region, least) for least in (-1, 0.3, 0.31, 0.9)] == [3, 2, 1, 0]
