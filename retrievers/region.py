"""Region selection (ReGraM §3.2): the only triplets that a hop may use.

    anchors of the sub-question and the options → every triplet that touches one, either way
    → the best 128 by composed vectors × w_r → exact cosine → weighted MMR → K triplets

A hub brings thousands of candidates. While the graph's names are not all embedded, more than
`cold_candidates` of them are first cut by the words they share with the query; the cut does not
depend on which names happen to be embedded, so a question always gets the same region until
`qkgram kg embed` has embedded them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from retrievers.abbreviations import spelt_out
from retrievers.anchors import anchor_nodes, option_links, unlinked_mentions
from retrievers.candidates import (
    Candidates,
    LexicalCut,
    balanced_top,
    collect,
    collect_edges,
)
from retrievers.embedding import Embedder
from retrievers.graph import GraphStore
from retrievers.graph_vectors import GraphVectors
from retrievers.linking import EntityLinker
from retrievers.mmr import TRADE_OFF, K, weighted_mmr
from retrievers.region_flat import WholeGraph
from retrievers.weights import weight_table
from signatures.schema import Domain, Node, Record, Region, Triplet

JOIN_WEIGHT = 1.5
"""Ours. A fact between the question and an option decides, yet neither cosine nor redundancy knows
it: with 1 a tenth of such facts and more is crowded out by other facts of the same gene or drug
(`tests/bench/bench_region_recall.py`); from 1.25 on none was."""


class RegionSettings(Record):
    """How a region is selected; but for `join_weight`, the defaults are ReGraM's."""

    k: int = Field(default=K, ge=1)
    trade_off: float = Field(default=TRADE_OFF, ge=0, le=1)
    """λ of equation 1."""
    prefilter: int | None = Field(default=128, ge=1)
    """Candidates whose triplet text is embedded; `None` embeds them all (slow on a hub)."""
    cold_candidates: int = Field(default=512, ge=1)
    """Candidates after the lexical cut, while not every name is embedded (about 5 s of work)."""
    same_name: int = Field(default=3, ge=1)
    """Nodes of one name that become anchors: a disease and the phenotype called like it."""
    join_weight: float = Field(default=JOIN_WEIGHT, gt=0)
    """Factor on w_r of a triplet whose two ends are both anchors; 1 is ReGraM's equation."""
    use_selector: bool = True
    """False: the K triplets of the whole graph most similar to the query, no anchor, no weight, no
    MMR (the paper's ablation of the region selector; see `retrievers.region_flat`)."""
    use_domain: bool = True
    """False: every relation weighs 1 and no model is asked for the domain (the paper's ablation of
    the domain prior)."""
    use_mmr: bool = True
    """False: the K most relevant triplets (the paper's ablation of MMR)."""

    @classmethod
    def paper(cls) -> Self:
        """Return ReGraM's own selection, for the presets that follow the paper."""
        return cls(join_weight=1.0)


class RegionBuilder:
    """Builds regions of one graph; shared by threads and by copies of programs."""

    def __init__(
        self,
        graph: GraphStore,
        linker: EntityLinker,
        embedder: Embedder,
        settings: RegionSettings | None = None,
        *,
        vectors: GraphVectors | None = None,
    ) -> None:
        """Select from `graph`; `vectors` default to those kept beside the store."""
        self.graph = graph
        self.linker = linker
        self.embedder = embedder
        self.settings = settings or RegionSettings()
        self.vectors = vectors or GraphVectors(graph, embedder)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the builder itself: graph, names and vectors are shared."""
        return self

    @property
    def id(self) -> str:
        """What a region depends on besides graph and settings: the encoder and the kind of cut."""
        return f"{self.embedder.id}/{self.vectors.kind}"

    def build(
        self,
        query: str,
        *,
        domain: Domain,
        options: Sequence[str] = (),
        anchors: Sequence[Node] = (),
    ) -> Region:
        """Return the region of a sub-question.

        Args:
            query: the sub-question; relevance is measured against it.
            domain: whose relation weights count.
            options: answer options; their entities are anchors too.
            anchors: further entities, such as those of an earlier hop.
        """
        if not self.settings.use_selector:
            return self._flat(query, domain)
        links = [*self.linker.link(query), *option_links(self.linker, spelt_out(options, query))]
        nodes = anchor_nodes(links, anchors, same_name=self.settings.same_name)
        found = collect(self.graph, [node.index for node in nodes])
        triplets, relevance = self._select(query, options, domain, nodes, found)
        return Region(
            query=query,
            domain=domain,
            anchors=nodes,
            triplets=triplets,
            relevance=relevance,
            candidates=len(found.edge),
            unlinked=unlinked_mentions(links),
        )

    # --- selection -------------------------------------------------------------------------------

    def _select(
        self,
        query: str,
        options: Sequence[str],
        domain: Domain,
        anchors: tuple[Node, ...],
        found: Candidates,
    ) -> tuple[tuple[Triplet, ...], tuple[float, ...]]:
        if not len(found.edge):
            return (), ()
        at_hand = self._cut(found, " ".join([query, *options]), anchors)
        vector = self.embedder.embed([query])[0]
        kept = self._prefilter(at_hand, vector, self._weights(at_hand, domain, anchors), anchors)
        triplets = _once([self.graph.triplet(int(edge)) for edge in kept.edge])
        edges = np.array([self.graph.edge_number(t.id) for t in triplets], dtype=np.int32)
        rows = self.vectors.triplets(edges)
        relevance = rows @ vector
        weights = self._weights(collect_edges(self.graph, edges), domain, anchors)
        chosen = self._rank(relevance, weights, rows)
        return (
            tuple(triplets[i] for i in chosen),
            tuple(float(np.clip(relevance[i], -1, 1)) for i in chosen),
        )

    def _cut(self, found: Candidates, words: str, anchors: tuple[Node, ...]) -> Candidates:
        limit = self.settings.cold_candidates
        if len(found.edge) <= limit or self.vectors.complete:
            return found
        indexes = [node.index for node in anchors]
        return self._lexical(found, query=words, anchors=indexes, limit=limit)

    def _prefilter(
        self,
        found: Candidates,
        query: npt.NDArray[np.float32],
        weights: npt.NDArray[np.float32],
        anchors: tuple[Node, ...],
    ) -> Candidates:
        limit = self.settings.prefilter
        if limit is None or len(found.edge) <= limit:
            return found
        score = self.vectors.compose(found, query) * weights
        return balanced_top(score, found, [node.index for node in anchors], limit=limit)

    def _rank(
        self,
        relevance: npt.NDArray[np.float32],
        weights: npt.NDArray[np.float32],
        rows: npt.NDArray[np.float32],
    ) -> list[int]:
        if self.settings.use_mmr:
            k, trade_off = self.settings.k, self.settings.trade_off
            return weighted_mmr(relevance, weights, vectors=rows, k=k, trade_off=trade_off)
        order = np.argsort(-(relevance * weights), kind="stable")
        return [int(i) for i in order[: self.settings.k]]

    def _weights(
        self, found: Candidates, domain: Domain, anchors: tuple[Node, ...]
    ) -> npt.NDArray[np.float32]:
        """Return the weight of each candidate, shape (n,)."""
        relations = self.graph.relations
        table = (
            weight_table(relations, domain) if self.settings.use_domain else np.ones(len(relations))
        )
        known = np.array([node.index for node in anchors], dtype=np.int32)
        joins = np.isin(found.head, known) & np.isin(found.tail, known)
        factor = np.where(joins, self.settings.join_weight, 1.0)
        weights: npt.NDArray[np.float32] = (table[found.relation] * factor).astype(np.float32)
        return weights

    # --- without a selector ----------------------------------------------------------------------

    def _flat(self, query: str, domain: Domain) -> Region:
        vector = self.embedder.embed([query])[0]
        found = self._whole.nearest(
            vector,
            words=query,
            limit=self.settings.prefilter,
            cold=self.settings.cold_candidates,
            lexical=lambda: self._lexical,
        )
        triplets = _once([self.graph.triplet(int(edge)) for edge in found.edge])
        edges = np.array([self.graph.edge_number(t.id) for t in triplets], dtype=np.int32)
        relevance = self.vectors.triplets(edges) @ vector
        chosen = np.argsort(-relevance, kind="stable")[: self.settings.k]
        return Region(
            query=query,
            domain=domain,
            anchors=(),
            triplets=tuple(triplets[i] for i in chosen),
            relevance=tuple(float(np.clip(relevance[i], -1, 1)) for i in chosen),
            candidates=len(self._whole),
        )

    @cached_property
    def _whole(self) -> WholeGraph:
        return WholeGraph(self.graph, self.vectors)

    @cached_property
    def _lexical(self) -> LexicalCut:
        return LexicalCut(self.vectors.labels)


def _once(triplets: Iterable[Triplet]) -> list[Triplet]:
    """Leave out a triplet whose words were seen: two display relations may read alike."""
    seen: dict[str, Triplet] = {}
    for triplet in triplets:
        seen.setdefault(triplet.text.casefold(), triplet)
    return list(seen.values())
