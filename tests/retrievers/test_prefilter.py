"""The fitted composition: near the exact vectors, found again, and absent until it is made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrievers.build import build_store
from retrievers.candidates import collect
from retrievers.composition import Parts, fit, spread
from retrievers.graph import GraphStore
from retrievers.graph_vectors import GraphVectors, Vectors
from retrievers.prefilter import FILES, Prefilter, make_prefilter

FIXTURE = Path(__file__).resolve().parents[1] / "fixtures" / "kg_small.csv"
SIZE = 16


class Letters:
    """Counts letters: a text of words has about the sum of their vectors."""

    id = "letters"
    dimension = SIZE

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.array(
            [np.bincount([ord(ch) % SIZE for ch in text], minlength=SIZE) for text in texts]
        ).reshape(-1, SIZE)
        unit: Vectors = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)).astype(
            np.float32
        )
        return unit


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    store = tmp_path_factory.mktemp("prefilter") / "store"
    build_store(FIXTURE, store)
    return GraphStore.open(store)


def made(graph: GraphStore, folder: Path) -> GraphVectors:
    vectors = GraphVectors(graph, Letters(), folder=folder)
    vectors.embed_nodes()
    make_prefilter(vectors)
    return GraphVectors(graph, Letters(), folder=folder)


def test_without_tables_the_plain_sum_answers(graph: GraphStore, tmp_path: Path) -> None:
    vectors = GraphVectors(graph, Letters(), folder=tmp_path)
    vectors.embed_nodes()
    found = collect(graph, range(graph.node_count))
    query = vectors.embedder.embed(["metformin"])[0]
    assert vectors.prefilter is None
    assert vectors.kind == "all names"
    assert np.array_equal(vectors.compose(found, query), vectors.plain_sum(found, query))


def test_fitted_scores_are_nearer_the_exact_cosine(graph: GraphStore, tmp_path: Path) -> None:
    vectors = made(graph, tmp_path)
    found = collect(graph, range(graph.node_count))
    query = vectors.embedder.embed(["Which drug is indicated for type 2 diabetes?"])[0]
    exact = vectors.triplets(found.edge) @ query
    fitted, plain = vectors.compose(found, query), vectors.plain_sum(found, query)
    assert vectors.kind == "fitted names"
    assert np.abs(fitted - exact).mean() < np.abs(plain - exact).mean()


def test_scores_are_those_of_the_definition(graph: GraphStore, tmp_path: Path) -> None:
    vectors = made(graph, tmp_path)
    with np.load(vectors.folder / FILES[0]) as stored:
        head, relation, tail = stored["head"], stored["relation"], stored["tail"]
    for nodes in (range(graph.node_count), [0, 1]):
        found = collect(graph, nodes)
        rows = vectors.names(found.head) @ head + relation[found.relation]
        rows += vectors.names(found.tail) @ tail
        query = vectors.embedder.embed(["nausea"])[0]
        wanted = rows @ query / np.linalg.norm(rows, axis=1)
        assert vectors.compose(found, query) == pytest.approx(wanted, abs=2e-3)


def test_a_fit_is_the_same_twice_and_says_what_it_took(graph: GraphStore, tmp_path: Path) -> None:
    one, two = made(graph, tmp_path / "a"), made(graph, tmp_path / "b")
    for name in FILES[1:]:
        assert (one.folder / name).read_bytes() == (two.folder / name).read_bytes()
    assert one.prefilter is not None
    assert one.prefilter.report.triplets == graph.edge_count
    assert one.prefilter.report.seconds > 0
    assert 0.5 < one.prefilter.report.cosine <= 1


def test_half_written_tables_do_not_count(graph: GraphStore, tmp_path: Path) -> None:
    vectors = made(graph, tmp_path)
    (vectors.folder / FILES[0]).unlink()
    assert not Prefilter.stored(vectors.folder)
    assert GraphVectors(graph, Letters(), folder=tmp_path).kind == "all names"


def test_a_relation_without_a_sample_weighs_nothing() -> None:
    rows = np.eye(3, dtype=np.float32)
    table = fit(Parts(rows, np.zeros(3, int), rows), rows, relations=2)
    assert not table.of_relation[1].any()


def test_the_sample_holds_every_relation_and_repeats() -> None:
    codes = np.repeat([0, 1, 2], [500, 30, 2])
    chosen = spread(codes, size=60)
    assert len(chosen) == 60
    assert np.bincount(codes[chosen]).tolist()[1:] > [5, 1]
    assert np.array_equal(chosen, spread(codes, size=60))
