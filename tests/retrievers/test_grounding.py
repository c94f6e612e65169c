"""From names to concepts and on to nodes: a small graph, an invented UMLS, a real OBO shape."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from retrievers.alignment import Aligner
from retrievers.build import build_store
from retrievers.graph import GraphStore
from retrievers.grounding import NOTHING, EmbeddedNames, Grounder, nearest_rows
from retrievers.linking import GraphLinker
from retrievers.terminology import Sources, Terminology, open_terminology
from retrievers.vectors import VectorRows
from signatures.errors import InputError
from tests.data.test_mrconso import atom, relation
from tests.support.graphs import COLUMNS

NODES = {
    "metformin": ("1", "DB00331", "drug", "Metformin", "DrugBank"),
    "t2d": ("2", "5148", "disease", "type 2 diabetes mellitus", "MONDO"),
    "asthma": ("3", "4979", "disease", "asthma", "MONDO"),
    "seizure": ("4", "1250", "effect/phenotype", "Seizure", "HPO"),
    "disease": ("5", "1", "disease", "disease", "MONDO"),
}
OBO = """format-version: 1.2

[Term]
id: MONDO:0000001
name: disease

[Term]
id: MONDO:0005148
name: type 2 diabetes mellitus
is_a: MONDO:0000001 ! disease

[Term]
id: MONDO:0007452
name: maturity-onset diabetes of the old
synonym: "MODO" EXACT []
is_a: MONDO:0005148 ! type 2 diabetes mellitus

[Term]
id: MONDO:0009999
name: strange disorder
is_a: MONDO:0000001 ! disease
"""


@pytest.fixture
def graph(tmp_path: Path) -> GraphStore:
    facts = [
        ("indication", "metformin", "t2d"),
        ("contraindication", "metformin", "asthma"),
        ("drug_effect", "metformin", "seizure"),
        ("disease_disease", "disease", "t2d"),
    ]
    with (tmp_path / "kg.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [COLUMNS, *([name, name, *NODES[x], *NODES[y]] for name, x, y in facts)]
        )
    build_store(tmp_path / "kg.csv", tmp_path / "store")
    return GraphStore.open(tmp_path / "store")


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    (tmp_path / "MRCONSO.RRF").write_text(
        atom("C0011860", "Sugar sickness", SAB="MSH", CODE="D003924")
        + atom("C0036572", "Ictus", SAB="HPO", CODE="HP:0001250")
        + atom("C0025598", "Dimethylbiguanide", SAB="DRUGBANK", CODE="DB00331")
        + atom("C0000009", "Brittle asthma", SAB="SNOMEDCT_US", CODE="999")
        + atom("C0000008", "Wheezy disease", SAB="SNOMEDCT_US", CODE="888")
        + atom("C0000007", "Cold", SAB="SNOMEDCT_US", CODE="7")
        + atom("C0000006", "Cold", SAB="SNOMEDCT_US", CODE="6")
        + atom("C0000006", "Cold", SAB="MSH", CODE="6")
    )
    (tmp_path / "MRREL.RRF").write_text(
        relation("C0000009", "PAR", "C0000008") + relation("C0000008", "PAR", "C0000005")
    )
    (tmp_path / "references.csv").write_text(
        "ontology_id,ontology,mondo_id\nC0011860,UMLS,0005148\n888,SCTID,0004979\n"
    )
    (tmp_path / "mondo.obo").write_text(OBO)
    return Sources(
        mrconso=tmp_path / "MRCONSO.RRF",
        mrrel=tmp_path / "MRREL.RRF",
        references=(tmp_path / "references.csv",),
        ontologies=(tmp_path / "mondo.obo",),
    )


@pytest.fixture
def terms(sources: Sources, tmp_path: Path) -> Terminology:
    found = open_terminology(sources, tmp_path / "home")
    assert found is not None
    return found


class Letters:
    """An embedder that counts letters: enough to make `asthmas` the neighbour of `asthma`."""

    id, dimension = "letters", 26

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = np.zeros((len(texts), 26), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    row[ord(letter) - 97] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-6)


def align(graph: GraphStore, terms: Terminology | None, name: str) -> tuple[str, list[str], int]:
    """How a name was grounded, its nodes, and the steps up."""
    (grounding,) = Grounder(GraphLinker(graph), terms=terms).ground([name])
    found = Aligner(graph, terms=terms).align(grounding)
    return grounding.method, [node.name for node in found.nodes], found.steps


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Metformin", ("graph", ["Metformin"], 0)),
        ("dimethylbiguanide", ("vocabulary", ["Metformin"], 0)),
        ("ictus", ("vocabulary", ["Seizure"], 0)),
        ("Sugar sickness", ("vocabulary", ["type 2 diabetes mellitus"], 0)),
        ("Wheezy disease", ("vocabulary", ["asthma"], 0)),  # by SNOMED CT, two tables
        ("brittle asthma", ("vocabulary", ["asthma"], 1)),
        ("MODO", ("vocabulary", ["type 2 diabetes mellitus"], 1)),
        ("strange disorder", ("vocabulary", [], 0)),  # above it stands the root alone
        ("cold", ("vocabulary", [], 0)),
        ("gibberish", ("none", [], 0)),
    ],
)
def test_a_name_finds_its_nodes(
    graph: GraphStore, terms: Terminology, name: str, expected: tuple[str, list[str], int]
) -> None:
    assert align(graph, terms, name) == expected


def test_without_a_vocabulary_the_graphs_names_are_all_there_is(graph: GraphStore) -> None:
    assert align(graph, None, "asthma") == ("graph", ["asthma"], 0)
    assert align(graph, None, "Sugar sickness") == ("none", [], 0)


def test_the_steps_up_are_limited(graph: GraphStore, terms: Terminology) -> None:
    grounding = Grounder(GraphLinker(graph), terms=terms).ground(["brittle asthma"])[0]
    assert Aligner(graph, terms=terms, max_steps=0).align(grounding).nodes == ()


def test_the_concept_that_most_vocabularies_name_so_comes_first(terms: Terminology) -> None:
    assert terms.named("colds") == ("UMLS:C0000006", "UMLS:C0000007")


def test_the_nearest_name_is_taken_above_the_least_score(
    graph: GraphStore, terms: Terminology
) -> None:
    near = EmbeddedNames(terms, Letters())
    assert near.fill() == terms.names.rows
    assert near.fill() == 0  # kept on disk
    grounder = Grounder(GraphLinker(graph), terms=terms, neighbours=near, min_score=0.95)
    close, far = grounder.ground(["dimethyl bi guanide", "xxxxxxx"])
    assert (close.method, close.concepts) == ("neighbour", ("UMLS:C0025598",))
    assert far == NOTHING
    again = EmbeddedNames(terms, Letters())
    assert again.nearest(["dimethyl bi guanide"])[0][1] == "Dimethylbiguanide"


def test_the_nearest_row_is_the_nearest_over_all_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrievers.grounding._BLOCK", 7)
    rows = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    table = VectorRows(tmp_path, "v", rows=50, dimension=8, precision="float32")
    table.fill(np.arange(50), rows)
    found, scores = nearest_rows(rows[[49, 0, 23]], table)
    assert found.tolist() == [49, 0, 23]
    assert scores == pytest.approx(1.0)


def test_tables_are_made_once_and_anew_when_a_file_changes(
    sources: Sources, tmp_path: Path
) -> None:
    first = open_terminology(sources, tmp_path / "home")
    second = open_terminology(sources, tmp_path / "home")
    assert first is not None and second is not None
    assert first.folder == second.folder
    assert [path.name for path in (tmp_path / "home").iterdir()] == [first.folder.name]
    (tmp_path / "mondo.obo").write_text(OBO.replace("MODO", "MODI"))
    third = open_terminology(sources, tmp_path / "home")
    assert third is not None and third.named("MODI") and not first.named("MODI")
    kept = sources._replace(vocabularies=frozenset({"HPO"}))
    fourth = open_terminology(kept, tmp_path / "home")
    assert fourth is not None and fourth.named("ictus") and not fourth.named("Sugar sickness")


def test_no_files_no_terminology_and_a_broken_one_leaves_nothing(tmp_path: Path) -> None:
    assert open_terminology(Sources(), tmp_path) is None
    (tmp_path / "bad.RRF").write_text("C1|ENG|\n")
    with pytest.raises(InputError, match="bad.RRF:1"):
        open_terminology(Sources(mrconso=tmp_path / "bad.RRF"), tmp_path / "home")
    assert not list((tmp_path / "home").iterdir())
    with pytest.raises(InputError, match="cannot be read"):
        open_terminology(Sources(mrrel=tmp_path / "none.RRF"), tmp_path / "home")


def test_references_alone_have_no_names(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("cui,source,id\nC1,HPO,HP:0001250\n")
    found = open_terminology(Sources(references=(tmp_path / "r.csv",)), tmp_path / "home")
    assert found is not None
    assert (found.names.rows, found.same("UMLS:C1"), found.named("x")) == (0, ("HP:1250",), ())
    assert EmbeddedNames(found, Letters()).nearest(["x"]) == [("", "", 0.0)]


def test_the_real_hierarchy_brings_a_rare_finding_to_a_node(
    graph: GraphStore, shared_data: Path, tmp_path: Path
) -> None:
    """The name is no node of this graph; two steps up stands Seizure."""
    found = open_terminology(Sources(ontologies=(shared_data / "hp.obo.gz",)), tmp_path / "home")
    assert align(graph, found, "Seizure precipitated by febrile infection") == (
        "vocabulary",
        ["Seizure"],
        2,
    )
