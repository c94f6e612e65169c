"""The RotatE reviewer answers in order, and says so when it cannot know."""

from __future__ import annotations

import copy

import pytest

from programs.review import ProposedTriplet, Reviewer, review_linked
from programs.review_rotate import RotateReviewer, open_reviewer
from retrievers.graph import GraphStore
from retrievers.rotate_manifest import RotateSettings
from retrievers.rotate_train import train_rotate
from signatures.errors import ModelNotFound
from signatures.schema import Hypothesis, Node
from tests.support.graphs import Fact, make_graph

FACTS: list[Fact] = [
    *(
        (f"drug {group}{a}", "drug", "indication", f"disease {group}{b}", "disease")
        for group in "xyz"
        for a in range(6)
        for b in range(6)
        if (a, b) != (2, 3)
    ),
    *(
        (f"disease x{a}", "disease", "disease_disease", f"disease x{a + 1}", "disease")
        for a in range(5)
    ),
]
SETTINGS = RotateSettings(
    dimension=8, epochs=12, batch=16, negatives=8, learning_rate=0.05, held_out=0.2
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    graph = make_graph(tmp_path_factory.mktemp("graph"), FACTS)
    with pytest.raises(ModelNotFound, match="qkgram reviewer train --graph"):
        open_reviewer(graph)
    train_rotate(graph, settings=SETTINGS)
    return graph


@pytest.fixture(scope="module")
def reviewer(graph: GraphStore) -> RotateReviewer:
    return open_reviewer(graph)


def proposed(graph: GraphStore, head: str, relation: str, tail: str) -> ProposedTriplet:
    nodes: dict[str, Node] = {graph.node(i).name: graph.node(i) for i in range(graph.node_count)}
    hypothesis = Hypothesis(head=head, relation=relation, tail=tail)
    return ProposedTriplet(hypothesis, nodes.get(head), nodes.get(tail))


def test_it_is_a_reviewer_named_by_its_model(graph: GraphStore, reviewer: RotateReviewer) -> None:
    as_protocol: Reviewer = reviewer
    assert as_protocol.id == f"rotate-d8-e12-s0-{graph.fingerprint[:8]}"
    assert copy.deepcopy(reviewer) is reviewer


def test_a_likely_and_an_unlikely_triplet_in_their_order(
    graph: GraphStore, reviewer: RotateReviewer
) -> None:
    asked = [
        proposed(graph, "drug x1", "indication", "disease y4"),
        proposed(graph, "drug x1", "indication", "disease x4"),
        proposed(graph, "drug z2", "indication", "disease x2"),
        proposed(graph, "drug z2", "indication", "disease z2"),
    ]
    found = [review.probability for review in reviewer.review(asked, question="any")]
    strange_x, own_x, strange_z, own_z = (p if p is not None else -1.0 for p in found)
    assert 0 <= strange_x < own_x <= 1
    assert 0 <= strange_z < own_z <= 1
    alone = [reviewer.review([one], question="any")[0].probability for one in asked]
    assert alone == pytest.approx(found)


def test_a_triplet_told_backwards_is_read_in_its_canonical_direction(
    graph: GraphStore, reviewer: RotateReviewer
) -> None:
    there, back = (
        reviewer.review([proposed(graph, *words)], question="")[0]
        for words in (
            ("drug x2", "indication", "disease x3"),
            ("disease x3", "indication", "drug x2"),
        )
    )
    assert there.probability == back.probability


def test_what_it_cannot_know_has_no_probability(
    graph: GraphStore, reviewer: RotateReviewer
) -> None:
    asked = [
        proposed(graph, "aspirin", "indication", "disease x3"),
        proposed(graph, "drug x2", "indication", "scurvy"),
        proposed(graph, "drug x2", "drug_effect", "disease x3"),
        proposed(graph, "drug x2", "cures", "disease x3"),
    ]
    reviews = reviewer.review(asked, question="")
    assert [review.probability for review in reviews] == [None] * 4
    assert "'aspirin'" in reviews[0].reason
    assert "'scurvy'" in reviews[1].reason
    assert "not trained on relation 'cures'" in reviews[3].reason
    assert review_linked(reviewer, asked, question="") == reviews


def test_what_the_schema_excludes_is_rejected_with_a_reason(
    graph: GraphStore, reviewer: RotateReviewer
) -> None:
    asked = [
        proposed(graph, "drug x2", "disease_disease", "disease x3"),
        proposed(graph, "disease x3", "disease_disease", "disease x3"),
        proposed(graph, "drug x2", "indication", "drug x3"),
    ]
    reviews = reviewer.review(asked, question="")
    assert [review.probability for review in reviews] == [0.0, 0.0, 0.0]
    assert "never joins drug to disease" in reviews[0].reason
    assert "both ends are disease x3" in reviews[1].reason


def test_nothing_asked_nothing_answered(reviewer: RotateReviewer) -> None:
    assert reviewer.review([], question="") == ()
