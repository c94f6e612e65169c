"""scispaCy's unmodified classes over the names of a small graph, and what the guards let pass."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from retrievers.graph import GraphStore
from retrievers.lexicon import Lexicon
from retrievers.linking import GraphLinker, LinkingSettings
from retrievers.scispacy_index import candidate_generator, graph_knowledge_base
from retrievers.scispacy_linker import ScispacyLinker
from retrievers.scispacy_parts import open_umls
from signatures.errors import ModelNotFound
from signatures.schema import Link
from tests.support.graphs import Fact, make_graph

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

D, G, R = "disease", "gene/protein", "drug"
FACTS: list[Fact] = [
    ("Prednisolone", R, "indication", "squamous cell lung carcinoma", D),
    ("Metformin", R, "indication", "type 2 diabetes mellitus", D),
    ("Rocaltrol", R, "indication", "hypoparathyroidism", D),
    ("hepatic fibrosis", D, "disease_protein", "ACE", G),
    ("spinal and bulbar muscular atrophy", D, "disease_protein", "XG", G),
]
RULE = LinkingSettings(rule="scispacy")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return make_graph(tmp_path_factory.mktemp("scispacy"), FACTS)


@pytest.fixture(scope="module")
def linker(graph: GraphStore) -> GraphLinker:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        made = GraphLinker(graph, settings=RULE)
        made.link("metformin")
    return made


def found(links: tuple[Link, ...]) -> dict[str, str | None]:
    return {link.mention: link.node.name if link.node else None for link in links}


def test_every_name_finds_itself_short_gene_names_too(graph: GraphStore) -> None:
    knowledge = graph_knowledge_base(graph, Lexicon(graph).index)
    generator = candidate_generator(knowledge)
    for name, node in graph.names():
        (candidates,) = generator([name], 3)
        best = max(candidates, key=lambda candidate: max(candidate.similarities))
        assert (best.concept_id, round(max(best.similarities), 3)) == (str(node), 1.0)


def test_a_name_in_another_order_is_linked_by_scispacy(linker: GraphLinker) -> None:
    link = linker.link_name("squamous cell carcinoma of the lung")
    assert (link.node and link.node.name, link.method) == (
        "squamous cell lung carcinoma",
        "scispacy",
    )
    assert "scispaCy" in link.reason
    links = linker.link("He had squamous cell carcinoma lung, treated twice.")
    assert found(links)["squamous cell carcinoma lung"] == "squamous cell lung carcinoma"


@pytest.mark.parametrize(
    "name", ["hyperparathyroidism", "type 1 diabetes mellitus", "prednisone", "ACE", "zorblaxin"]
)
def test_the_guards_weigh_what_the_trigrams_offer(linker: GraphLinker, name: str) -> None:
    assert linker.link_name(name).node is None
    assert not any(link.node for link in linker.link(f"She has {name} now."))


def test_the_detector_resolves_abbreviations_of_the_text(linker: GraphLinker) -> None:
    links = linker.link("A spinal and bulbar muscular atrophy (SBMA). Her SBMA is slow.")
    assert [link.node and link.node.name for link in links] == [
        "spinal and bulbar muscular atrophy"
    ] * 3


def test_the_dictionary_still_speaks_first(linker: GraphLinker) -> None:
    links = linker.link("She takes Glucophage for T2DM and denies hepatic fibrosis.")
    assert [(link.mention, link.method, link.assertion) for link in links] == [
        ("Glucophage", "alias", "present"),
        ("T2DM", "alias", "present"),
        ("hepatic fibrosis", "exact", "absent"),
    ]


def test_umls_lends_its_synonyms(graph: GraphStore) -> None:
    from scispacy.linking_utils import Entity, KnowledgeBase

    umls = candidate_generator(
        KnowledgeBase([Entity("C1", "scarring of the liver", ["hepatic fibrosis"])])
    )
    lexicon = Lexicon(graph, settings=RULE)
    link = ScispacyLinker(lexicon, umls=umls).link_name("scarring of the liver")
    assert link.node and link.node.name == "hepatic fibrosis"
    assert "UMLS C1" in link.reason


def test_an_absent_model_is_named(graph: GraphStore) -> None:
    settings = LinkingSettings(rule="scispacy", scispacy_model="en_core_absent")
    with pytest.raises(ModelNotFound, match="en_core_absent"):
        GraphLinker(graph, settings=settings).link("metformin")


def test_absent_umls_files_are_named_and_nothing_is_downloaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("scispacy.file_cache.DATASET_CACHE", str(tmp_path))
    with pytest.raises(ModelNotFound, match="5 of 5 files"):
        open_umls()
