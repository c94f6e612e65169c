"""Attaching the lines of a constraint file to the logical edges that they annotate.

A file may name nodes by id (`HP:0001250` and `HPO:1250` are one), by the graph file's index, or by
name. An index counts only when type and name agree with the graph: files made for another release
of PrimeKG use other indexes. A line whose ends fit no edge, or several, is counted, never guessed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from data.primekg import ConstraintLine, EndRef
from retrievers.build_edges import Edges
from retrievers.build_finder import NodeFinder
from retrievers.build_nodes import GraphNode
from signatures.schema import ConstraintItem

_EXAMPLES = 3


class Attached(NamedTuple):
    """Items by logical edge, and what found no edge."""

    items: dict[int, tuple[ConstraintItem, ...]]
    """Edge number to its items in the order of the file, each item once."""
    unmatched: tuple[str, ...]
    """Line number and triplet of each line that fits no edge, or several pairs of nodes."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line with examples, when some found no edge."""
        if not self.unmatched:
            return ()
        return (
            f"constraint lines that fit no edge, or several pairs of nodes: {len(self.unmatched)}, "
            f"such as {'; '.join(self.unmatched[:_EXAMPLES])}",
        )


def attach(
    lines: Iterable[ConstraintLine],
    nodes: Sequence[GraphNode],
    edges: Edges,
    *,
    relations: Sequence[str],
    displays: Sequence[str],
) -> Attached:
    """Find the logical edges of annotated triplets, whichever way round a line writes them.

    A line without display relation annotates every display relation of its pair.
    """
    finder = NodeFinder(nodes)
    items: dict[int, dict[ConstraintItem, None]] = defaultdict(dict)
    unmatched: list[str] = []
    for line in lines:
        found = _edges_of(line, finder, edges, relations=relations, displays=displays)
        if not found:
            unmatched.append(f"line {line.line} ({_say(line.x)} {line.relation} {_say(line.y)})")
        for edge in found:
            items[edge].update(dict.fromkeys(line.items))
    return Attached(
        {edge: tuple(items[edge]) for edge in sorted(items) if items[edge]}, tuple(unmatched)
    )


def _edges_of(
    line: ConstraintLine,
    finder: NodeFinder,
    edges: Edges,
    *,
    relations: Sequence[str],
    displays: Sequence[str],
) -> list[int]:
    """Edges between the line's ends; none when more than one pair of nodes would fit."""
    by_pair: dict[frozenset[int], list[int]] = defaultdict(list)
    for x in finder.find(line.x):
        for y in finder.find(line.y):
            for head, tail in dict.fromkeys([(x, y), (y, x)]):
                for edge in _between(edges, head, tail):
                    fits = line.display_relation in (None, displays[edges.display[edge]])
                    if fits and relations[edges.relation[edge]] == line.relation:
                        by_pair[frozenset((x, y))].append(edge)
    return next(iter(by_pair.values())) if len(by_pair) == 1 else []


def _say(ref: EndRef) -> str:
    return ref.name or ref.id or f"index {ref.index}"


def _between(edges: Edges, head: int, tail: int) -> list[int]:
    start, stop = np.searchsorted(edges.head, [head, head + 1])
    return [int(start + i) for i in np.flatnonzero(edges.tail[start:stop] == tail)]
