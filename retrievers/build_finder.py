"""Finding the nodes that another file means, by identifier, index of the graph file, or name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from data.curies import parse_curie, vocabulary
from data.primekg import EndRef
from retrievers.build_nodes import GraphNode, id_keys


class NodeFinder:
    """Nodes of a graph that is being built, by whatever a file gives of them."""

    def __init__(self, nodes: Sequence[GraphNode]) -> None:
        """Index the nodes; their positions are what is found."""
        self._nodes = nodes
        self._by_id: dict[str, list[tuple[bool, int]]] = defaultdict(list)
        self._by_index: dict[int, list[int]] = defaultdict(list)
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for key, member, number in id_keys(nodes):
            self._by_id[key].append((member, number))
        for number, node in enumerate(nodes):
            self._by_index[node.file_index].append(number)
            for name in (node.name, *node.aliases):
                self._by_name[name.casefold()].append(number)

    def find(self, ref: EndRef) -> list[int]:
        """Return the nodes that a reference may mean: by id, else by index, else by name.

        An index counts only when type and name agree with the graph: files made for another
        release of PrimeKG use other indexes.
        """
        for way in (self._with_id, self._with_index, self._with_name):
            if found := way(ref):
                return found
        return []

    def _with_id(self, ref: EndRef) -> list[int]:
        if ref.id is None:
            return []
        prefix, key = parse_curie(ref.id)
        prefix = prefix or vocabulary(ref.source or "")
        hits = [
            (member, number)
            for member, number in self._by_id.get(key, [])
            if prefix in ("", vocabulary(self._nodes[number].source)) and self._typed(ref, number)
        ]
        wholes = [number for member, number in hits if not member]
        return wholes or [number for _, number in hits]

    def _with_index(self, ref: EndRef) -> list[int]:
        named = set(self._with_name(ref)) if ref.name is not None else None
        numbers = self._by_index.get(ref.index, []) if ref.index is not None else []
        return [n for n in numbers if self._typed(ref, n) and (named is None or n in named)]

    def _with_name(self, ref: EndRef) -> list[int]:
        numbers = self._by_name.get((ref.name or "").casefold(), [])
        return [number for number in numbers if self._typed(ref, number)]

    def _typed(self, ref: EndRef, number: int) -> bool:
        return ref.type in (None, self._nodes[number].type)
