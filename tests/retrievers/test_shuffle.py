"""The shuffled-constraints control is a deterministic permutation that cuts every tie."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrievers.shuffle import Annotated, shuffled_items

EDGES = st.lists(
    st.builds(
        Annotated,
        st.integers(0, 300),
        st.sampled_from(["indication", "contraindication"]),
        st.integers(0, 12),
    ),
    unique_by=lambda one: one.edge,
    max_size=40,
)


@given(EDGES, st.integers(0, 5))
def test_items_move_within_their_relation_and_none_stays(edges: list[Annotated], seed: int) -> None:
    relation = {one.edge: one.relation for one in edges}
    given_to = shuffled_items(edges, seed=seed)
    assert sorted(given_to) == sorted(given_to.values())
    assert all(a != b and relation[a] == relation[b] for a, b in given_to.items())
    assert given_to == shuffled_items(reversed(edges), seed=seed)


@given(st.integers(0, 20))
def test_no_drug_keeps_items_of_its_own_where_that_can_be(seed: int) -> None:
    edges = [Annotated(n, "indication", n // 3) for n in range(12)]
    head = {one.edge: one.head for one in edges}
    assert all(head[a] != head[b] for a, b in shuffled_items(edges, seed=seed).items())


def test_another_seed_is_another_order() -> None:
    edges = [Annotated(n, "indication", n) for n in range(12)]
    assert shuffled_items(edges, seed=0) != shuffled_items(edges, seed=1)


def test_a_lone_triplet_is_given_nothing() -> None:
    assert shuffled_items([Annotated(4, "indication", 1)], seed=0) == {}
