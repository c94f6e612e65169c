"""What a HYBRID hop may speak of: its region's entities, the graph's relations (ReGraM §3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from data.relations import RelationInfo, relation_info
from programs.review import ProposedTriplet, unverifiable
from programs.wording import one_line
from retrievers.linking import EntityLinker
from retrievers.normalise import normalise
from signatures.schema import Hypothesis, Node, Region


class Placed(NamedTuple):
    """A hypothesis in the closed world, or why it lies outside."""

    proposed: ProposedTriplet
    """In the graph's own names and canonical direction where there is no objection."""
    objection: str | None
    """One line; `None` when both ends and the relation are allowed."""


class ClosedWorld:
    """V_q of a region and the relations of a graph's schema.

    Args:
        region: whose entities may be joined.
        relations: the schema R of the graph.
        linker: reads other names of the same entities; its guards hold here too.
    """

    def __init__(self, region: Region, *, relations: Sequence[str], linker: EntityLinker) -> None:
        self.region = region
        self._linker = linker
        self._inside = {node.index: node for node in region.entities}
        self._names: dict[str, list[Node]] = {}
        for node in region.entities:
            self._names.setdefault(normalise(node.name), []).append(node)
        seen = {triplet.relation for triplet in region.triplets}
        ranked = sorted(relations, key=lambda relation: relation not in seen)
        self.relations = tuple(r for r in ranked if self._pairs(relation_info(r)))

    def place(self, said: Hypothesis) -> Placed:
        """Find both ends in V_q and the relation in the schema, or say what is wrong."""
        heads, tails = self._named(said.head), self._named(said.tail)
        first = ProposedTriplet(said, next(iter(heads), None), next(iter(tails), None))
        if first.head is None or first.tail is None:
            return Placed(first, unverifiable(first).reason)
        for name, nodes in ((said.head, heads), (said.tail, tails)):
            if not self._inside.keys() & {node.index for node in nodes}:
                return Placed(first, f"{one_line(name)!r} is no entity of the region")
        relation = self._relation(said.relation)
        if relation is None:
            return Placed(first, f"{one_line(said.relation)!r} is no relation of the schema here")
        for head, tail in product(heads, tails):
            if placed := self._join(relation, head, tail):
                return Placed(placed, self._restated(placed))
        joins = f"{relation} joins {_ends(relation_info(relation))}"
        return Placed(first, f"{joins}, not {first.head.type} and {first.tail.type}")

    def entity_lines(self) -> str:
        """Word V_q: name and type, one per line."""
        return "\n".join(f"{one_line(n.name)} ({n.type})" for n in self._inside.values())

    def relation_lines(self) -> str:
        """Word the relations that can join two entities of V_q, those of its facts first."""
        return "\n".join(f"{r}: {_ends(relation_info(r))}" for r in self.relations)

    def _named(self, name: str) -> tuple[Node, ...]:
        """Return the nodes of a name, those of V_q if there are any, else the one it links to."""
        bare = self._without_type(one_line(name))
        inside = self._names.get(normalise(bare), [])
        if inside:
            return tuple(inside)
        link = self._linker.link_name(bare) if bare else None
        if link is None or link.node is None:
            return ()
        meant = [node for node in link.candidates if node.index in self._inside]
        return tuple(meant) or (link.node,)

    def _without_type(self, name: str) -> str:
        """Drop a type in brackets that was copied with the name."""
        for kind in {node.type for node in self._inside.values()}:
            name = name.removesuffix(f" ({kind})")
        return name

    def _relation(self, name: str) -> str | None:
        wanted = _plain(name)
        infos = [relation_info(relation) for relation in self.relations]
        found = [i.relation for i in infos if wanted in (_plain(i.relation), _plain(i.forward))]
        return found[0] if len(found) == 1 else None

    def _join(self, relation: str, head: Node, tail: Node) -> ProposedTriplet | None:
        """Return the triplet in its canonical direction; `None` where the types do not fit."""
        pairs = self._pairs(relation_info(relation))
        if head.index == tail.index:
            return None
        for a, b in ((head, tail), (tail, head)):
            if (a.type, b.type) in pairs:
                return ProposedTriplet(
                    Hypothesis(head=a.name, relation=relation, tail=b.name), a, b
                )
        return None

    def _pairs(self, info: RelationInfo) -> frozenset[tuple[str, str]]:
        """Return the pairs of types that a relation joins and V_q holds.

        The table names the usual types; what the region's own triplets join is allowed too.
        """
        kinds = {node.type for node in self._inside.values()}
        seen = ((t.head.type, t.tail.type) for t in self.region.triplets
                if t.relation == info.relation)  # fmt: skip
        if not info.head_type:
            return frozenset(product(kinds, kinds))
        usual = (info.head_type, info.tail_type)
        return frozenset([*seen, *([usual] if kinds.issuperset(usual) else [])])

    def _restated(self, placed: ProposedTriplet) -> str | None:
        """Name the fact of the region that says the same already."""
        wanted = {node.index for node in (placed.head, placed.tail) if node}
        for triplet in self.region.triplets:
            same = {triplet.head.index, triplet.tail.index} == wanted
            if same and triplet.relation == placed.hypothesis.relation:
                return f"{triplet.id} says so already"
        return None


def first_of_each(said: Iterable[Hypothesis], *, limit: int) -> tuple[Hypothesis, ...]:
    """Drop repeats and keep the first `limit`.

    >>> one = Hypothesis(head="a", relation="r", tail="b")
    >>> len(first_of_each([one, one], limit=4)), first_of_each([one], limit=0)
    (1, ())
    """
    kept = {(h.head.casefold(), _plain(h.relation), h.tail.casefold()): h for h in said}
    return tuple(kept.values())[:limit]


def _ends(info: RelationInfo) -> str:
    return f"{info.head_type or 'any'} {info.forward} {info.tail_type or 'any'}"


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())
