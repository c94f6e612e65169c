"""Candidate triplets of a region: every edge that touches an anchor, cut to a bounded number."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retrievers.graph import GraphStore
from retrievers.normalise import tokens

Int32s = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


class Candidates(NamedTuple):
    """Edges that touch an anchor, as aligned columns of shape (n,), ascending by edge number."""

    edge: Int32s
    head: Int32s
    relation: npt.NDArray[np.uint8]
    tail: Int32s

    def take(self, rows: npt.NDArray[np.intp]) -> Candidates:
        """Return the rows asked for, in their order."""
        return Candidates(self.edge[rows], self.head[rows], self.relation[rows], self.tail[rows])


def collect(graph: GraphStore, anchors: Sequence[int]) -> Candidates:
    """Return every edge that touches one of the anchors, each once."""
    touched = [graph.edges_of(anchor) for anchor in anchors]
    edges = np.unique(np.concatenate(touched)) if touched else np.zeros(0, np.int32)
    return collect_edges(graph, edges.astype(np.int32))


def collect_edges(graph: GraphStore, edges: Int32s) -> Candidates:
    """Return the columns of these edges, in their order."""
    ends = graph.endpoints(edges)
    return Candidates(edges, ends.head, ends.relation, ends.tail)


class LexicalCut:
    """Keeps the candidates whose far end shares rare words with the query, and some of each kind.

    Half of the places go to the best overlaps. The rest are dealt in turn to every kind of edge
    (anchor, relation, direction), so that a drug with 500 outgoing effects keeps its one incoming
    contraindication. The answer depends on the graph and the query only.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        """Count words of all node names once; `labels` are in order of node index."""
        self._words: list[tuple[str, ...]] = [
            tuple(dict.fromkeys(token.norm for token in tokens(label))) for label in labels
        ]
        counts = Counter(word for words in self._words for word in words)
        self._rarity = {word: math.log(len(labels) / n) for word, n in counts.items()}

    def __call__(
        self, found: Candidates, *, query: str, anchors: Sequence[int], limit: int
    ) -> Candidates:
        """Return at most `limit` of the candidates, ascending by edge number."""
        if len(found.edge) <= limit:
            return found
        anchor_array = np.asarray(anchors, dtype=np.int32)
        score = self._overlap(found, {token.norm for token in tokens(query)}, anchor_array)
        first = np.argsort(-score, kind="stable")[: limit // 2]
        first = first[score[first] > 0]
        turns = _turns(found, score, anchor_array)
        turns[first] = -1
        kept = np.argsort(turns, kind="stable")[:limit]
        return found.take(np.sort(kept))

    def best(self, found: Candidates, *, query: str, limit: int) -> Candidates:
        """Return the `limit` candidates that share the rarest words with the query at either end.

        Unlike a call, it deals no places to kinds of edges: nothing is anchored. Ascending by edge.
        """
        score = self._overlap(found, {token.norm for token in tokens(query)}, np.zeros(0, np.int32))
        kept = np.argsort(-score, kind="stable")[:limit]
        return found.take(np.sort(kept))

    def _overlap(self, found: Candidates, query: set[str], anchors: Int32s) -> Floats:
        """Score of each edge: rarity of the words its far end shares with the query."""
        ends = np.unique(np.concatenate([found.head, found.tail]))
        worth = np.array([self._worth(int(node), query) for node in ends], dtype=np.float32)
        worth[np.isin(ends, anchors)] = 0
        both = np.isin(found.head, anchors) & np.isin(found.tail, anchors)
        score = worth[np.searchsorted(ends, found.head)] + worth[np.searchsorted(ends, found.tail)]
        score[both] = np.inf
        return score

    def _worth(self, node: int, query: set[str]) -> float:
        words = self._words[node]
        shared = sum(self._rarity[word] for word in words if word in query)
        return shared / math.sqrt(len(words)) if shared else 0.0


DEALT = 4
"""One in this many places of the prefilter is dealt among kinds of edges, whatever their score."""


def balanced_top(
    score: Floats, found: Candidates, anchors: Sequence[int], *, limit: int
) -> Candidates:
    """Return at most `limit` candidates, ascending by edge number.

    First what joins two anchors; then a quarter of the places is dealt in turn to every kind of
    edge (anchor, relation, direction), best first, so that neither direction of a hub nor a rare
    relation is crowded out by an inexact score; the rest goes to the best scores.
    """
    if len(found.edge) <= limit:
        return found
    anchor_array = np.asarray(anchors, dtype=np.int32)
    joins = np.isin(found.head, anchor_array) & np.isin(found.tail, anchor_array)
    turns = _turns(found, score, anchor_array)
    by_kind = np.lexsort((-score, turns, ~joins))[: limit // DEALT]
    by_score = np.lexsort((found.edge, -score, ~joins))
    kept = np.concatenate([by_kind, by_score[~np.isin(by_score, by_kind)]])[:limit]
    return found.take(np.sort(kept))


def _turns(found: Candidates, score: Floats, anchors: Int32s) -> npt.NDArray[np.int64]:
    """In which round each edge would be dealt: its place among the edges of its kind."""
    outgoing = np.isin(found.head, anchors)
    near = np.where(outgoing, found.head, found.tail).astype(np.int64)
    kind = (near * 256 + found.relation) * 2 + outgoing
    order = np.lexsort((found.edge, -score, kind))
    _, starts, counts = np.unique(kind[order], return_index=True, return_counts=True)
    turns = np.empty(len(kind), dtype=np.int64)
    turns[order] = np.arange(len(kind)) - np.repeat(starts, counts)
    return turns
