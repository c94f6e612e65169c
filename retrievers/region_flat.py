"""No region selection: the graph as a flat search space, for the ablation of the selector.

ReGraM B.2 makes the selector of three parts: entity linking, relation weights and weighted MMR.
Without it the facts of a sub-question are the K triplets of the whole graph whose text is most
similar to it: no anchor, no weight, no diversity. Table 11 reports this setting without saying what
takes the selector's place; a search by similarity alone is our reading of §3.2 ("rather than
retrieving from the full graph").

Millions of triplets are not embedded for one question. Where all names are embedded
(`qkgram kg embed`), composed vectors name the best of the whole graph and those are scored exactly.
Until then only triplets that share words with the question are composed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from retrievers.candidates import Candidates, LexicalCut, collect_edges
from retrievers.graph import GraphStore
from retrievers.graph_vectors import GraphVectors

Floats = npt.NDArray[np.float32]

RESCORED = 128
"""Triplets scored exactly where the settings name no prefilter: a whole graph is never embedded."""


class WholeGraph:
    """Every triplet of a graph as a candidate; its columns are read once."""

    def __init__(self, graph: GraphStore, vectors: GraphVectors) -> None:
        """Search `graph` with the vectors kept beside it."""
        self._every = collect_edges(graph, np.arange(graph.edge_count, dtype=np.int32))
        self._vectors = vectors

    def __len__(self) -> int:
        return len(self._every.edge)

    def nearest(
        self,
        query: Floats,
        *,
        words: str,
        limit: int | None,
        cold: int,
        lexical: Callable[[], LexicalCut],
    ) -> Candidates:
        """Return the triplets that may be most similar to a query, ascending by edge number.

        Args:
            query: unit vector of the query, shape (d,).
            words: the query, for the cut by words.
            limit: how many are kept for exact scoring.
            cold: how many survive the cut by words while names are not all embedded.
            lexical: makes the cut by words; asked for only when it is needed.
        """
        found = self._every
        if not self._vectors.complete and len(found.edge) > cold:
            found = lexical().best(found, query=words, limit=cold)
        keep = limit or RESCORED
        if len(found.edge) <= keep:
            return found
        score = self._vectors.compose(found, query)
        best = np.lexsort((found.edge, -score))[:keep]
        return found.take(np.sort(best))
