"""Vectors of the graph's names, relations and triplets, kept beside the store.

Names are embedded when a question first touches them, or all at once by `embed_nodes`. The folder
carries the store's fingerprint and the encoder's id, so a rebuilt graph never meets old vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
import numpy.typing as npt

from data.relations import relation_info
from retrievers.candidates import Candidates
from retrievers.embedding import Embedder
from retrievers.graph import GraphStore
from retrievers.prefilter import Prefilter
from retrievers.vectors import VectorRows

Vectors = npt.NDArray[np.float32]
Ints = npt.NDArray[np.integer[Any]]

AT_ONCE = 512
"""Names embedded between two reports of progress."""

EDGES_AT_ONCE = 16_384
"""Edges whose two ends are multiplied at once: 50 MB."""


class GraphVectors:
    """Unit vectors of one graph under one encoder; filled lazily, on disk."""

    def __init__(
        self, graph: GraphStore, embedder: Embedder, *, folder: Path | None = None
    ) -> None:
        """Keep vectors in `folder`, by default beside the store."""
        self.graph = graph
        self.embedder = embedder
        beside = graph.path.with_name(graph.path.name + ".vectors")
        self.folder = (folder or beside) / f"{graph.fingerprint[:16]}-{embedder.id}"
        self._lock = RLock()

    @cached_property
    def labels(self) -> list[str]:
        """Name of every node, in order of its index."""
        names: list[str] = []
        for name, node in self.graph.names():
            if node == len(names):
                names.append(name)
        return names

    @cached_property
    def complete(self) -> bool:
        """Say whether every name had its vector when this was first asked."""
        return self._nodes.complete

    def names(self, nodes: npt.NDArray[np.int32]) -> Vectors:
        """Return unit vectors of the nodes' names, shape (n, d); embeds those that are missing."""
        with self._lock:
            missing = self._nodes.missing(nodes)
            if len(missing):
                texts = [self.labels[node] for node in missing]
                self._nodes.fill(missing, self.embedder.embed(texts))
        return self._nodes.get(nodes)

    def triplets(self, edges: npt.NDArray[np.int32]) -> Vectors:
        """Return unit vectors of the triplets' texts, shape (n, d); embeds those missing."""
        with self._lock:
            missing = self._edges.missing(edges)
            if len(missing):
                texts = [self.graph.triplet(int(edge)).text for edge in missing]
                self._edges.fill(missing, self.embedder.embed(texts))
        rows = self._edges.get(edges)
        norm = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / np.where(norm > 0, norm, 1)
        return unit

    def embed_triplets(
        self, edges: npt.NDArray[np.int32], *, progress: Callable[[int, int], None] | None = None
    ) -> Vectors:
        """Return unit vectors of many triplets, shape (n, d), reporting progress on the way."""
        rows = []
        for block in _blocks(edges):
            rows.append(self.triplets(block.astype(np.int32)))
            if progress is not None:
                progress(sum(len(part) for part in rows), len(edges))
        return np.concatenate(rows) if rows else np.zeros((0, self.embedder.dimension), np.float32)

    @cached_property
    def prefilter(self) -> Prefilter | None:
        """The fitted composition of this store; `None` until `make_prefilter` has written one."""
        return Prefilter(self.folder) if Prefilter.stored(self.folder) else None

    @property
    def kind(self) -> str:
        """How candidates of a hub are cut: `lexical cut`, `all names` or `fitted names`."""
        if not self.complete:
            return "lexical cut"
        return "all names" if self.prefilter is None else "fitted names"

    def compose(self, found: Candidates, query: Vectors) -> Vectors:
        """Return a cheap cosine of each candidate with the query, shape (n,).

        By the fitted composition when there is one and every name is embedded, else by the plain
        sum. Names are shared by many triplets, so no triplet is embedded.
        """
        if self.complete and self.prefilter is not None:
            return self.prefilter(found, query)
        return self.plain_sum(found, query)

    def plain_sum(self, found: Candidates, query: Vectors) -> Vectors:
        """Return cos(query, e_h + e_r + e_t) of each candidate, shape (n,)."""
        ends = np.unique(np.concatenate([found.head, found.tail]))
        table = self.names(ends)
        head, tail = np.searchsorted(ends, found.head), np.searchsorted(ends, found.tail)
        phrases = self.phrases
        along = (table @ query)[head] + (phrases @ query)[found.relation] + (table @ query)[tail]
        cross = table @ phrases.T
        inner = cross[head, found.relation] + cross[tail, found.relation]
        inner += _row_products(table, head, tail)
        norm = np.sqrt(np.maximum(3 + 2 * inner, 1e-6))
        cosine: Vectors = along / norm
        return cosine

    @cached_property
    def phrases(self) -> Vectors:
        """Unit vectors of the phrase of each relation code, shape (relations, d)."""
        return self.embedder.embed([relation_info(name).forward for name in self.graph.relations])

    def embed_nodes(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed every name that has no vector yet; can be stopped and resumed.

        Args:
            progress: told how many names are done, and of how many.

        Returns:
            How many names were embedded by this call.
        """
        missing = self._nodes.missing(np.arange(self.graph.node_count, dtype=np.int32))
        done = 0
        for block in _blocks(missing):
            self.names(block.astype(np.int32))
            done += len(block)
            if progress is not None:
                progress(done, len(missing))
        self._nodes.flush()
        return done

    @cached_property
    def _nodes(self) -> VectorRows:
        return VectorRows(
            self.folder,
            "nodes",
            rows=self.graph.node_count,
            dimension=self.embedder.dimension,
            precision="float32",
        )

    @cached_property
    def _edges(self) -> VectorRows:
        return VectorRows(
            self.folder,
            "triplets",
            rows=self.graph.edge_count,
            dimension=self.embedder.dimension,
            precision="float16",
        )


def _blocks(rows: Ints) -> Iterator[Ints]:
    for start in range(0, len(rows), AT_ONCE):
        yield rows[start : start + AT_ONCE]


def _row_products(
    table: Vectors, head: npt.NDArray[np.intp], tail: npt.NDArray[np.intp]
) -> Vectors:
    """Return table[head[i]] · table[tail[i]] for each i, a block at a time."""
    products = np.empty(len(head), dtype=np.float32)
    for start in range(0, len(head), EDGES_AT_ONCE):
        part = slice(start, start + EDGES_AT_ONCE)
        products[part] = np.einsum("ij,ij->i", table[head[part]], table[tail[part]])
    return products
