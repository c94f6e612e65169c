"""Regions: what enters, in which order, and that nothing outside can be looked up."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.build import build_store
from retrievers.embedding import SentenceEncoder
from retrievers.graph import GraphStore
from retrievers.graph_vectors import GraphVectors
from retrievers.linking import GraphLinker
from retrievers.region import RegionBuilder, RegionSettings
from signatures.schema import Node, Region, Triplet

FIXTURE = Path(__file__).resolve().parents[1] / "fixtures" / "kg_small.csv"
QUESTION = "Which drug is indicated for type 2 diabetes mellitus?"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    store = tmp_path_factory.mktemp("region") / "store"
    build_store(FIXTURE, store)
    return GraphStore.open(store)


@pytest.fixture(scope="module")
def vectors(graph: GraphStore, encoder: SentenceEncoder) -> GraphVectors:
    return GraphVectors(graph, encoder)


@pytest.fixture(scope="module")
def builder(graph: GraphStore, encoder: SentenceEncoder, vectors: GraphVectors) -> RegionBuilder:
    return RegionBuilder(graph, GraphLinker(graph), encoder, vectors=vectors)


def with_settings(builder: RegionBuilder, **values: object) -> RegionBuilder:
    settings = RegionSettings.model_validate(values)
    linker, vectors = builder.linker, builder.vectors
    return RegionBuilder(builder.graph, linker, builder.embedder, settings, vectors=vectors)


def test_a_region_holds_only_triplets_of_its_anchors(builder: RegionBuilder) -> None:
    region = builder.build(QUESTION, domain="DRUG_THERAPY", options=["Metformin", "Lisinopril"])
    anchors = {node.index for node in region.anchors}
    assert {"type 2 diabetes mellitus", "Metformin", "Lisinopril"} <= {
        node.name for node in region.anchors
    }
    assert all({t.head.index, t.tail.index} & anchors for t in region.triplets)
    assert len(region.triplets) == 15 < region.candidates


def test_the_asked_relation_comes_first(builder: RegionBuilder) -> None:
    region = builder.build(QUESTION, domain="DRUG_THERAPY")
    assert region.triplets[0].relation == "indication"


def test_relevance_is_the_unweighted_cosine(
    builder: RegionBuilder, encoder: SentenceEncoder
) -> None:
    region = builder.build(QUESTION, domain="DRUG_THERAPY")
    query, *rows = encoder.embed([QUESTION, *(t.text for t in region.triplets)])
    assert region.relevance == pytest.approx([float(query @ row) for row in rows], abs=1e-3)


def test_no_triplet_stands_twice_even_for_a_wide_k(builder: RegionBuilder) -> None:
    region = with_settings(builder, k=200).build(QUESTION, domain="INTEGRATED")
    texts = [t.text for t in region.triplets]
    assert len(texts) == len(set(texts)) == len(region.ids)


def test_a_question_without_entities_has_an_empty_region(builder: RegionBuilder) -> None:
    region = builder.build("What is the capital of France?", domain="INTEGRATED")
    assert (region.triplets, region.anchors, region.candidates) == ((), (), 0)


def test_negated_and_family_mentions_seed_nothing(builder: RegionBuilder) -> None:
    region = builder.build(
        "He denies nausea. His father had heart failure. He takes metformin.",
        domain="DISEASE_SYMPTOM",
    )
    assert [node.name for node in region.anchors] == ["Metformin"]


def test_given_anchors_join_the_linked_ones(builder: RegionBuilder, graph: GraphStore) -> None:
    node = builder.linker.link_name("angioedema").node
    assert node is not None
    region = builder.build("Is it safe?", domain="DRUG_THERAPY", anchors=[node])
    assert region.anchors == (node,)
    assert [t.text for t in region.triplets] == ["Lisinopril is contraindicated in angioedema"]


def test_what_the_graph_cannot_cover_is_named(builder: RegionBuilder) -> None:
    region = builder.build(
        "Which drug?", domain="DRUG_THERAPY", options=["Metformin", "Zorblaxin", "a statin"]
    )
    assert region.unlinked == ("Zorblaxin", "statin")


def test_domain_weights_change_the_order_and_can_be_switched_off(builder: RegionBuilder) -> None:
    def order(domain: str, **settings: object) -> list[str]:
        made = with_settings(builder, **settings)
        region = made.build("type 2 diabetes mellitus", domain=domain)  # type: ignore[arg-type]
        return [t.id for t in region.triplets]

    assert order("DISEASE_SYMPTOM") != order("DRUG_THERAPY")
    off = {"use_domain": False}
    assert order("DISEASE_SYMPTOM", **off) == order("DRUG_THERAPY", **off)


def test_without_mmr_relevance_times_weight_descends(builder: RegionBuilder) -> None:
    region = with_settings(builder, use_mmr=False, use_domain=False).build(
        QUESTION, domain="INTEGRATED"
    )
    assert list(region.relevance) == sorted(region.relevance, reverse=True)


def test_a_join_of_two_anchors_can_be_preferred(builder: RegionBuilder) -> None:
    made = with_settings(builder, join_weight=3.0, k=2)
    region = made.build("Lisinopril and heart failure", domain="GENE_PROTEIN")
    assert region.triplets[0].text == "Lisinopril is indicated for heart failure"


@pytest.mark.parametrize(
    ("option", "node"),
    [
        ("Add lisinopril 2.5 mg once daily", "Lisinopril"),
        ("Metformin twice daily", "Metformin"),
        ("Angiotensin-converting enzyme (ACE)", "ACE"),
    ],
)
def test_an_option_anchors_its_node_as_option_and_as_query(
    builder: RegionBuilder, option: str, node: str
) -> None:
    as_option = builder.build("Which one?", domain="DRUG_THERAPY", options=[option])
    as_query = builder.build(f"{option}; type 2 diabetes mellitus", domain="DRUG_THERAPY")
    assert [anchor.name for anchor in as_option.anchors] == [node]
    assert node in [anchor.name for anchor in as_query.anchors]


def test_a_join_counts_more_by_default_and_once_in_the_paper() -> None:
    assert RegionSettings().join_weight > 1
    assert RegionSettings.paper().join_weight == 1
    assert RegionSettings.paper().model_copy(update={"join_weight": 1.5}) == RegionSettings()


def test_an_abbreviation_that_the_query_defines_holds_in_the_options(
    builder: RegionBuilder,
) -> None:
    region = builder.build(
        "Is type 2 diabetes mellitus (TDM) meant?", domain="DISEASE_SYMPTOM", options=["TDM"]
    )
    assert region.unlinked == ()
    assert [anchor.name for anchor in region.anchors] == ["type 2 diabetes mellitus"]


def test_without_a_prefilter_every_candidate_is_weighed_exactly(builder: RegionBuilder) -> None:
    whole = with_settings(builder, prefilter=None).build(QUESTION, domain="DRUG_THERAPY")
    assert whole == with_settings(builder, prefilter=10_000).build(QUESTION, domain="DRUG_THERAPY")


def test_the_prefilter_and_the_cut_bound_the_work_and_keep_the_count(
    builder: RegionBuilder,
) -> None:
    small = with_settings(builder, prefilter=4, cold_candidates=8, k=15)
    region = small.build(QUESTION, domain="DRUG_THERAPY")
    assert len(region.triplets) == 4
    assert region.candidates > 8


def test_a_region_is_the_same_every_time(builder: RegionBuilder, graph: GraphStore) -> None:
    again = RegionBuilder(graph, GraphLinker(graph), builder.embedder)
    asked = {"domain": "INTEGRATED", "options": ["Metformin", "Prednisone"]}
    assert builder.build(QUESTION, **asked) == again.build(QUESTION, **asked)  # type: ignore[arg-type]


def test_the_lexical_cut_ends_once_all_names_are_embedded(
    graph: GraphStore, encoder: SentenceEncoder, tmp_path: Path
) -> None:
    vectors = GraphVectors(graph, encoder, folder=tmp_path)
    assert RegionBuilder(graph, GraphLinker(graph), encoder, vectors=vectors).id.endswith("cut")
    seen: list[tuple[int, int]] = []
    done = vectors.embed_nodes(lambda now, of: seen.append((now, of)))
    assert done == graph.node_count == seen[-1][0]
    fresh = GraphVectors(graph, encoder, folder=tmp_path)
    assert RegionBuilder(graph, GraphLinker(graph), encoder, vectors=fresh).id.endswith("names")
    assert fresh.embed_nodes() == 0


def test_composed_vectors_agree_with_their_definition(vectors: GraphVectors) -> None:
    from retrievers.candidates import collect

    found = collect(vectors.graph, range(vectors.graph.node_count))
    query = vectors.embedder.embed([QUESTION])[0]
    names, phrases = vectors.names(np.arange(vectors.graph.node_count)), vectors.phrases
    total = names[found.head] + phrases[found.relation] + names[found.tail]
    total /= np.linalg.norm(total, axis=1, keepdims=True)
    assert vectors.compose(found, query) == pytest.approx(total @ query, abs=1e-5)


def test_copies_of_a_program_share_the_builder(builder: RegionBuilder) -> None:
    assert copy.deepcopy(builder) is builder


# --- the boundary --------------------------------------------------------------------------------

nodes = st.integers(0, 8).map(
    lambda i: Node(index=i, id=str(i), type="drug", name=f"n{i}", source="x")
)


@st.composite
def regions(draw: st.DrawFn) -> Region:
    ends = draw(st.lists(st.tuples(nodes, nodes), max_size=8))
    triplets = tuple(
        Triplet(id=f"e{i}", head=a, relation="r", display_relation="r", tail=b, text="t")
        for i, (a, b) in enumerate(ends)
    )
    return Region(
        query="q",
        domain="INTEGRATED",
        anchors=(),
        triplets=triplets,
        relevance=tuple(0.0 for _ in triplets),
        candidates=len(triplets),
    )


@given(regions(), nodes, st.none() | nodes)
def test_lookup_never_leaves_the_region(region: Region, node: Node, other: Node | None) -> None:
    found = region.lookup(node, other)
    assert set(found) <= set(region.triplets)
    for triplet in found:
        ends = {triplet.head.index, triplet.tail.index}
        assert node.index in ends
        assert other is None or other.index in ends


@given(regions(), nodes)
def test_lookup_finds_everything_inside(region: Region, node: Node) -> None:
    inside = [t for t in region.triplets if node.index in (t.head.index, t.tail.index)]
    assert list(region.lookup(node)) == inside


@given(regions(), st.text(max_size=6))
def test_no_id_outside_the_region_has_a_triplet(region: Region, triplet_id: str) -> None:
    found = region.get(triplet_id)
    assert (found is None) == (triplet_id not in region.ids)


def test_without_a_selector_the_nearest_triplets_of_the_whole_graph(
    builder: RegionBuilder, vectors: GraphVectors
) -> None:
    flat = with_settings(builder, use_selector=False, k=5, prefilter=None)
    region = flat.build(QUESTION, domain="GENE_PROTEIN", options=["Lisinopril"])
    every = np.arange(builder.graph.edge_count, dtype=np.int32)
    cosine = vectors.triplets(every) @ builder.embedder.embed([QUESTION])[0]
    best = np.argsort(-cosine, kind="stable")[:5]
    assert [t.id for t in region.triplets] == [builder.graph.triplet(int(e)).id for e in best]
    assert region.relevance == pytest.approx([float(cosine[e]) for e in best], abs=1e-6)
    assert (region.anchors, region.candidates) == ((), builder.graph.edge_count)


def test_without_a_selector_domain_options_weights_and_mmr_are_nothing(
    builder: RegionBuilder,
) -> None:
    flat = with_settings(builder, use_selector=False)
    other = with_settings(builder, use_selector=False, use_mmr=False, use_domain=False)
    one = flat.build(QUESTION, domain="GENE_PROTEIN", options=["Metformin"])
    two = other.build(QUESTION, domain="DRUG_THERAPY")
    assert one.triplets == two.triplets
    assert len(set(one.ids)) == len(one.triplets) == 15


def test_a_question_that_links_to_nothing_has_facts_only_without_a_selector(
    builder: RegionBuilder,
) -> None:
    asked = "Which medicine lowers sugar?"
    assert not builder.build(asked, domain="INTEGRATED").triplets
    assert len(with_settings(builder, use_selector=False).build(asked, domain="INTEGRATED").ids) > 0


def test_a_cold_flat_search_is_cut_by_words_and_repeatable(
    graph: GraphStore, encoder: SentenceEncoder, tmp_path: Path
) -> None:
    settings = RegionSettings(use_selector=False, cold_candidates=4, k=3)
    found = []
    for name in ("a", "b"):
        cold = GraphVectors(graph, encoder, folder=tmp_path / name)
        made = RegionBuilder(graph, GraphLinker(graph), encoder, settings, vectors=cold)
        found.append(made.build("metformin and heart failure", domain="INTEGRATED"))
    assert found[0] == found[1]
    assert len(found[0].triplets) == 3
    names = {node.name.casefold() for node in found[0].entities}
    assert names & {"metformin", "heart failure"}
