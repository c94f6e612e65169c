"""The fitted composition of one store on disk: made once, then a region's cheap first score.

composition.npz   A, R and B, the seconds they took, and their fit on held-out triplets
heads.npy, tails.npy   e_h·A and e_t·B of every name, float32, memory-mapped
inverse.npy       1 / norm of each edge's composed vector, float16
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from retrievers.composition import SAMPLE, Composition, Parts, fit, spread

if TYPE_CHECKING:
    from retrievers.candidates import Candidates
    from retrievers.graph_vectors import GraphVectors

Vectors = npt.NDArray[np.float32]

HELD_OUT = 10
"""Every tenth sampled triplet measures the fit and is not fitted on."""

AT_ONCE = 16_384
"""Rows multiplied at once: 25 MB."""

FILES = ("composition.npz", "heads.npy", "tails.npy", "inverse.npy")


class FitReport(NamedTuple):
    """How a composition was made."""

    triplets: int
    """Triplets embedded for it, the held-out ones included."""
    seconds: float
    cosine: float
    """Mean cosine of composed and exact vectors of held-out triplets."""


class Prefilter:
    """Composed scores of edges from memory-mapped tables."""

    def __init__(self, folder: Path) -> None:
        """Open the tables in `folder`."""
        with np.load(folder / FILES[0], allow_pickle=False) as stored:
            self.relations: Vectors = stored["relation"]
            self.report = FitReport(
                int(stored["triplets"]), float(stored["seconds"]), float(stored["cosine"])
            )
        self._heads = np.load(folder / FILES[1], mmap_mode="r").view(np.ndarray)
        self._tails = np.load(folder / FILES[2], mmap_mode="r").view(np.ndarray)
        self._inverse = np.load(folder / FILES[3], mmap_mode="r").view(np.ndarray)

    @staticmethod
    def stored(folder: Path) -> bool:
        """Say whether every table is there; the last one written is the first of the list."""
        return all((folder / name).is_file() for name in FILES)

    def __call__(self, found: Candidates, query: Vectors) -> Vectors:
        """Return cos(query, composed vector) of each candidate, shape (n,)."""
        along = _products(self._heads, found.head, query) + _products(
            self._tails, found.tail, query
        )
        along += (self.relations @ query)[found.relation]
        cosine: Vectors = along * self._inverse[found.edge].astype(np.float32)
        return cosine


def make_prefilter(
    vectors: GraphVectors,
    *,
    sample: int = SAMPLE,
    progress: Callable[[int, int], None] | None = None,
) -> FitReport:
    """Fit a composition on a sample of the store's triplets and write its tables.

    Every name must be embedded first (`GraphVectors.embed_nodes`).

    Args:
        vectors: of the store.
        sample: triplets whose texts are embedded (60 to 240 a second on two cores).
        progress: told how many triplets are embedded, and of how many.
    """
    began = time.perf_counter()
    graph = vectors.graph
    every = graph.endpoints(np.arange(graph.edge_count, dtype=np.int32))
    edges = spread(every.relation, size=sample).astype(np.int32)
    exact = vectors.embed_triplets(edges, progress=progress)
    parts = Parts(
        vectors.names(every.head[edges]),
        every.relation[edges],
        vectors.names(every.tail[edges]),
    )
    tried = np.arange(len(edges)) % HELD_OUT == HELD_OUT - 1
    made = fit(_rows(parts, ~tried), exact[~tried], relations=len(graph.relations))
    cosine = _fit_of(made, _rows(parts, tried), exact[tried])
    _write_tables(vectors, made)
    report = FitReport(len(edges), time.perf_counter() - began, cosine)
    with _placed(vectors.folder / FILES[0]) as file:
        np.savez(
            file,
            head=made.of_head,
            relation=made.of_relation,
            tail=made.of_tail,
            triplets=report.triplets,
            seconds=report.seconds,
            cosine=report.cosine,
        )
    return report


def _rows(parts: Parts, chosen: npt.NDArray[np.bool_]) -> Parts:
    return Parts(parts.head[chosen], parts.relation[chosen], parts.tail[chosen])


def _fit_of(made: Composition, parts: Parts, exact: Vectors) -> float:
    if not len(exact):
        return float("nan")
    composed = made(parts)
    norms = np.linalg.norm(composed, axis=1) * np.linalg.norm(exact, axis=1)
    return float(np.mean((composed * exact).sum(axis=1) / np.maximum(norms, 1e-6)))


def _write_tables(vectors: GraphVectors, made: Composition) -> None:
    nodes = np.arange(vectors.graph.node_count, dtype=np.int32)
    heads = np.empty((len(nodes), len(made.of_head)), np.float32)
    tails = np.empty_like(heads)
    for part in _parts(len(nodes)):
        rows = vectors.names(nodes[part])
        heads[part], tails[part] = rows @ made.of_head, rows @ made.of_tail
    inverse = np.empty(vectors.graph.edge_count, np.float16)
    for part in _parts(len(inverse)):
        ends = vectors.graph.endpoints(np.arange(part.start, part.stop, dtype=np.int32))
        rows = heads[ends.head] + made.of_relation[ends.relation] + tails[ends.tail]
        inverse[part] = 1 / np.maximum(np.linalg.norm(rows, axis=1), 1e-3)
    tables: tuple[npt.NDArray[Any], ...] = (heads, tails, inverse)
    for name, table in zip(FILES[1:], tables, strict=True):
        with _placed(vectors.folder / name) as file:
            np.save(file, table, allow_pickle=False)


def _parts(count: int) -> Iterator[slice]:
    for start in range(0, count, AT_ONCE):
        yield slice(start, min(start + AT_ONCE, count))


@contextmanager
def _placed(file: Path) -> Iterator[Any]:
    """Write beside the file and put it in place when whole."""
    partial = file.with_name(f"{file.name}.partial-{os.getpid()}")
    try:
        with partial.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def _products(table: Vectors, rows: npt.NDArray[np.int32], query: Vectors) -> Vectors:
    """Return table[row] · query per row; the whole table at once when most of it is wanted."""
    if 2 * len(rows) > len(table):
        products: Vectors = (table @ query)[rows]
        return products
    nodes, place = np.unique(rows, return_inverse=True)
    few: Vectors = (table[nodes] @ query)[place]
    return few
