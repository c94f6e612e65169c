"""Inputs that broke other systems: odd names, two names of one node, look-alikes, a new graph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from retrievers.build import build_store
from retrievers.graph import GraphStore
from retrievers.graph_vectors import GraphVectors
from retrievers.linking import GraphLinker
from tests.support.graphs import Fact, make_graph

D, G, R = "disease", "gene/protein", "drug"

ODD_NAMES = (
    "Crohn's colitis",
    "5'-nucleotidase",
    "3',5'-cyclic-AMP",
    "Carrion's disease",
    '"pseudo" hypoparathyroidism',
    "diabetes mellitus, noninsulin-dependent, 2",
    "1,25-dihydroxyvitamin D3",
    "Interferon beta-1a (recombinant)",
    "alpha -> beta conversion",
    "acid {(1E)-[2-phenyl]}",
)
WORDS_THAT_ARE_GENES = [
    "ACE",
    "AGS",
    "ANA",
    "AR",
    "CAT",
    "CLOCK",
    "IGM",
    "IMPACT",
    "LPS",
    "LSD",
    "MET",
    "REST",
    "RNP",
    "ROS",
    "SHE",
    "T3",
    "TH",
    "WAS",
]
LOOK_ALIKES = [
    ("hydroxyzine", "Hydralazine"),
    ("clonidine", "Clonazepam"),
    ("prednisone", "Prednisolone"),
    ("glipizide", "Glyburide"),
    ("chlorpropamide", "Chlorpromazine"),
    ("vincristine", "Vinblastine"),
    ("dopamine", "Dobutamine"),
]


def of_diseases(folder: Path, names: Sequence[str]) -> GraphStore:
    facts: list[Fact] = [(name, D, "disease_protein", "INSR", G) for name in names]
    return make_graph(folder, facts)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> GraphLinker:
    return GraphLinker(of_diseases(tmp_path_factory.mktemp("odd"), ODD_NAMES))


@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_odd_name_is_found_by_itself_and_in_a_text(odd: GraphLinker, name: str) -> None:
    """A09, A10: apostrophes, quotes, commas, brackets, arrows and braces in a name."""
    alone = odd.link_name(name)
    assert (alone.node and alone.node.name, alone.method) == (name, "exact")
    (inside,) = odd.link(f"The patient has {name}, it seems.")
    assert inside.node == alone.node


def test_both_names_of_a_node_link_to_it(tmp_path: Path) -> None:
    """A04: one node under two names, the more frequent one is its label."""
    of_diseases(tmp_path, ["gallbladder polyp", "anemia"])
    file = tmp_path / "kg.csv"
    lines = file.read_text(encoding="utf-8").splitlines()
    other = lines[1].replace("gallbladder polyp", "vesicular polyp")
    linker = GraphLinker(rebuilt(file, [*lines, other]))
    found = [linker.link_name(name).node for name in ("gallbladder polyp", "vesicular polyp")]
    assert found[0] == found[1]
    assert found[0] is not None and found[0].name == "gallbladder polyp"


class Spelling:
    """An encoder whose vector of a text is its length; it remembers what it was given."""

    id, dimension = "spelling", 2

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a unit vector for each text."""
        self.seen += texts
        return np.array([(1, 0) if len(text) % 2 else (0, 1) for text in texts], np.float32)


def test_a_renamed_node_meets_no_index_of_the_old_graph(tmp_path: Path) -> None:
    """A17: a disease is renamed upstream and the vectors of the first graph lie beside it."""
    first = of_diseases(tmp_path, ["juvenile arthritis", "anemia"])
    nodes = np.arange(first.node_count, dtype=np.int32)
    GraphVectors(first, Spelling(), folder=tmp_path / "vectors").names(nodes)
    file = tmp_path / "kg.csv"
    text = file.read_text(encoding="utf-8")
    second = rebuilt(file, text.replace("juvenile arthritis", "idiopathic arthritis").splitlines())
    again, new = Spelling(), Spelling()
    GraphVectors(first, again, folder=tmp_path / "vectors").names(nodes)
    GraphVectors(second, new, folder=tmp_path / "vectors").names(nodes)
    assert again.seen == []
    assert "idiopathic arthritis" in new.seen
    linker = GraphLinker(second)
    assert linker.link_name("idiopathic arthritis").node is not None
    old = linker.link_name("juvenile arthritis")
    assert old.node is None
    assert "not in the graph" in old.reason


def rebuilt(file: Path, lines: Sequence[str]) -> GraphStore:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    build_store(file, file.with_name("rebuilt"))
    return GraphStore.open(file.with_name("rebuilt"))


@pytest.fixture(scope="module")
def genes(tmp_path_factory: pytest.TempPathFactory) -> GraphLinker:
    facts: list[Fact] = [("anemia", D, "disease_protein", gene, G) for gene in WORDS_THAT_ARE_GENES]
    return GraphLinker(make_graph(tmp_path_factory.mktemp("genes"), facts))


@pytest.mark.parametrize(
    "text",
    [
        "ACE inhibitor cough",
        "a cat scratch",
        "she was met in clinic and told to rest",
        "ANA positive",
        "T3 level",
        "TH of 3 and an IgM of 200",
        "anti-RNP antibodies",
        "LSD was taken at a party",
        "LPS was given",
        "ROS was negative",
        "reactive oxygen species (ROS) rise",
        "AR",
        "AR is mild",
        "the IMPACT trial",
        "the circadian clock",
    ],
)
def test_a_word_is_no_gene(genes: GraphLinker, text: str) -> None:
    """B07: short gene names that are words, laboratory tests, drugs, classes or trials."""
    links = genes.link(text)
    assert [link.node for link in links] == [None] * len(links)


@pytest.mark.parametrize("text", ["a mutation in TH", "expression of the ANA gene", "AR gene"])
def test_a_gene_beside_a_cue_is_a_gene(genes: GraphLinker, text: str) -> None:
    """B07: the guard must not lose the genes themselves."""
    assert [link.node.type for link in genes.link(text) if link.node] == [G]


@pytest.mark.parametrize(("asked", "known"), LOOK_ALIKES)
def test_a_drug_is_never_its_look_alike(tmp_path: Path, asked: str, known: str) -> None:
    """B03: the other drug of a pair that is often confused is the only one in the graph."""
    facts: list[Fact] = [(known, R, "indication", "anemia", D)]
    linker = GraphLinker(make_graph(tmp_path, facts))
    assert linker.link_name(asked).node is None
    assert not any(link.node for link in linker.link(f"She takes {asked} daily."))
