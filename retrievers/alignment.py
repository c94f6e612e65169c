"""From a concept to nodes of the graph: by identifier, then up the hierarchy (QKG A.1, stage 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from retrievers.graph import GraphStore
from retrievers.grounding import Grounding
from retrievers.terminology import Terminology
from signatures.schema import Node, Record

MAX_STEPS = 3
"""Steps up at most; ours, the paper prints none. Further up stand names such as `disease`, which
join everything and say nothing."""

AlignedBy = Literal["graph", "id", "hierarchy", "none"]


class Alignment(Record):
    """The nodes that a grounded name stands for."""

    method: AlignedBy
    nodes: tuple[Node, ...] = ()
    via: str = ""
    """The identifier that the graph has: `MONDO:5148`."""
    steps: int = 0
    """Steps up the hierarchy; 0 is the thing itself."""


UNALIGNED = Alignment(method="none")


class Aligner:
    """Finds the nodes of concepts; shared by threads."""

    def __init__(
        self, graph: GraphStore, *, terms: Terminology | None = None, max_steps: int = MAX_STEPS
    ) -> None:
        """Align to `graph` by the references and hierarchies of `terms`."""
        self.graph, self.terms, self.max_steps = graph, terms, max_steps

    def __deepcopy__(self, memo: dict[int, object]) -> Aligner:
        """Return itself: the graph is shared."""
        return self

    def align(self, grounding: Grounding) -> Alignment:
        """Return the nodes of the nearest level that has any, the first concept's before the next.

        >>> from retrievers.grounding import NOTHING
        >>> Aligner(None).align(NOTHING).method
        'none'
        """
        if grounding.node is not None:
            node = grounding.node
            return Alignment(method="graph", nodes=(node,), via=f"{node.source}:{node.id}")
        for concept in grounding.concepts:
            found = self._at(0, [concept])
            if found.nodes:
                return found
        for concept in grounding.concepts:
            found = self._above(concept)
            if found.nodes:
                return found
        return UNALIGNED

    def _above(self, concept: str) -> Alignment:
        level, seen = [concept], {concept}
        for steps in range(1, self.max_steps + 1):
            parents = [p for child in level for p in self._parents(child) if p not in seen]
            level = list(dict.fromkeys(parents))
            seen.update(level)
            # A concept with nothing above it is the root of a vocabulary and means everything.
            found = self._at(steps, [c for c in level if self._parents(c)])
            if found.nodes or not level:
                return found
        return UNALIGNED

    def _at(self, steps: int, concepts: Iterable[str]) -> Alignment:
        names = [name for concept in concepts for name in self._names(concept)]
        hits = self._hits(names)
        if not hits:  # UMLS → SNOMED CT → MONDO, where no table joins the first to the last
            hits = self._hits([other for name in names for other in self._names(name)])
        nodes = {node.index: node for found in hits.values() for node in found}
        if not nodes:
            return UNALIGNED
        return Alignment(
            method="hierarchy" if steps else "id",
            nodes=tuple(nodes.values()),
            via=", ".join(hits),
            steps=steps,
        )

    def _hits(self, names: Iterable[str]) -> dict[str, tuple[Node, ...]]:
        found = {name: self.graph.find_all(name) for name in names}
        return {name: nodes for name, nodes in found.items() if nodes}

    def _names(self, concept: str) -> tuple[str, ...]:
        """Return a concept and the identifiers that mean the same."""
        return (concept, *(self.terms.same(concept) if self.terms is not None else ()))

    def _parents(self, concept: str) -> tuple[str, ...]:
        """Return what is one step above a concept or an identifier that means the same."""
        if self.terms is None:
            return ()
        found = [p for name in self._names(concept) for p in self.terms.broader(name)]
        return tuple(dict.fromkeys(found))
