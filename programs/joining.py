"""The triplets of the whole graph that join options to a question: what `adjacency` looks at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.relations import relation_info
from programs.joins import HIERARCHIES
from programs.named import Named, Names
from programs.question_asks import Asked
from retrievers.graph import GraphStore, Int32s
from signatures.schema import Triplet

Mask = npt.NDArray[np.bool_]


class Around(NamedTuple):
    """What a node touches: neighbours and edges, and of which edges what is asked may be said."""

    node: Int32s
    edge: Int32s
    speaks: Mask
    climbs: Mask
    """Edges of a hierarchy."""


def joining(graph: GraphStore, names: Names, asked: Asked) -> tuple[Triplet, ...]:
    """Return the triplets that join an option to the question as it asks, each once, by number.

    They do so directly or by way of a relative of either end; see `programs.joins`.
    """
    look = _Look(graph, asked)
    options = _indexes(one for found in names.options.values() for one in found)
    mentioned = [look.around(index) for index in _indexes(names.question)]
    places = np.array(_indexes(names.question), dtype=np.int32)
    edges: set[int] = set()
    for option in options:
        own = look.around(option)
        edges.update(own.edge[own.speaks & np.isin(own.node, places)].tolist())
        for other in mentioned:
            edges.update(by_relative(own, other))
            edges.update(by_relative(other, own))
    return tuple(graph.triplet(edge) for edge in sorted(edges))


def by_relative(first: Around, second: Around) -> Iterator[int]:
    """Yield the edges by which a relative of the first node speaks of the second."""
    if not (first.climbs.any() and second.speaks.any()):
        return
    shared = np.intersect1d(first.node[first.climbs], second.node[second.speaks])
    if shared.size:
        yield from first.edge[first.climbs & np.isin(first.node, shared)].tolist()
        yield from second.edge[second.speaks & np.isin(second.node, shared)].tolist()


class _Look:
    """Neighbourhoods of one graph, for one question."""

    def __init__(self, graph: GraphStore, asked: Asked) -> None:
        wanted = set(asked.predicates)
        hierarchy = [name in HIERARCHIES for name in graph.relations]
        speaks = [
            name not in HIERARCHIES and bool(wanted & speaks_of(name)) for name in graph.relations
        ]
        self.graph = graph
        self.speaks: Mask = np.array(speaks, dtype=bool)
        self.hierarchy: Mask = np.array(hierarchy, dtype=bool)

    def around(self, index: int) -> Around:
        """Return what a node touches."""
        near = self.graph.neighbours(index)
        codes = self.graph.endpoints(near.edge).relation
        return Around(near.node, near.edge, self.speaks[codes], self.hierarchy[codes])


def speaks_of(relation: str) -> frozenset[str]:
    """Return the predicates that a relation may speak for or against.

    >>> sorted(speaks_of("indication"))
    ['contraindicated', 'treats']
    """
    info = relation_info(relation)
    variants = (wording.polarity for wording in info.displays.values())
    return frozenset(info.polarity).union(*variants)


def _indexes(named: Iterable[Named]) -> list[int]:
    return list(dict.fromkeys(node.index for one in named for node in one.nodes))
