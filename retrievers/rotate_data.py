"""What RotatE learns from and is judged by: edges in three parts, and corrupted triplets.

All random choices come from a generator that is given, so equal seeds give equal parts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from data.relations import relation_info
from retrievers.graph import GraphStore
from retrievers.mapped import map_table

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

ROUNDS = 20
"""Times that a corrupted triplet is drawn again while the graph holds it; after that it is left."""


class Triples(NamedTuple):
    """Aligned columns, shape (n,): head node, relation code, tail node."""

    head: Ints
    relation: Ints
    tail: Ints

    def take(self, rows: npt.NDArray[Any]) -> Triples:
        """Return the triples at these positions or under this mask."""
        return Triples(self.head[rows], self.relation[rows], self.tail[rows])


class Split(NamedTuple):
    """Positions of the edges in each part, ascending; the parts are disjoint."""

    train: Ints
    calibration: Ints
    test: Ints


class Sides(NamedTuple):
    """Nodes and relations as the trainer needs them."""

    types: npt.NDArray[np.int64]
    """Type code of each node, shape (nodes,)."""
    type_names: tuple[str, ...]
    directed: npt.NDArray[np.bool_]
    """Per relation code; `False` where the graph has lost which end comes first."""


def all_triples(graph: GraphStore) -> Triples:
    """Return every logical edge of the graph, in order of the edge numbers."""
    ends = graph.endpoints(np.arange(graph.edge_count))
    return Triples(*(column.astype(np.int64) for column in ends))


def sides_of(graph: GraphStore) -> Sides:
    """Return the type of every node and the direction of every relation."""
    column = map_table(graph.path, "nodes").column("type")
    names = tuple(column.dictionary.to_pylist())
    codes = np.asarray(column.indices.to_numpy(zero_copy_only=False), dtype=np.int64)
    directed = np.array([relation_info(name).directed for name in graph.relations], dtype=np.bool_)
    return Sides(codes, names, directed)


def split_edges(triples: Triples, *, held_out: float, rng: np.random.Generator) -> Split:
    """Split logical edges so that no pair of nodes stands in two parts.

    A pair goes to one part with all its edges: a mirrored edge, a second display relation or an
    indication beside a contraindication would otherwise give the answer away. In a random order,
    the first pair of every node and of every relation always trains, because a node without a
    training edge has no vector. So held-out edges lie between nodes of degree 2 or more.

    Args:
        triples: all edges.
        held_out: share of the pairs to hold out, above 0 and below 1; half of them calibrate.
        rng: decides the order.
    """
    nodes = int(max(triples.head.max(), triples.tail.max())) + 1
    low, high = np.minimum(triples.head, triples.tail), np.maximum(triples.head, triples.tail)
    pairs, pair = np.unique(low * nodes + high, return_inverse=True)
    rank = rng.permutation(len(pairs))[pair]
    order = np.argsort(rank, kind="stable")
    cells = np.stack([triples.head, triples.tail, triples.relation + nodes], axis=1)[order]
    first = np.unique(cells.ravel(), return_index=True)[1] // cells.shape[1]
    free = np.ones(len(pairs), dtype=np.bool_)
    free[rank[order[first]]] = False
    held = np.flatnonzero(free)[: round(held_out * len(pairs))]
    part = np.zeros(len(pairs), dtype=np.int8)
    part[held[0::2]], part[held[1::2]] = 1, 2
    of_edge = part[rank]
    return Split(*(np.flatnonzero(of_edge == number) for number in range(3)))


def with_mirrors(triples: Triples, directed: npt.NDArray[np.bool_]) -> Triples:
    """Add the reverse of each triple whose relation has no known direction.

    >>> one = Triples(np.array([5]), np.array([0]), np.array([7]))
    >>> with_mirrors(one, np.array([False])).head.tolist()
    [5, 7]
    """
    lost = triples.take(~directed[triples.relation])
    mirrored = Triples(lost.tail, lost.relation, lost.head)
    return Triples(*(np.concatenate(pair) for pair in zip(triples, mirrored, strict=True)))


class Degrees:
    """Degree of each node within each relation, over training edges."""

    def __init__(self, triples: Triples, *, nodes: int) -> None:
        """Count the edges at each node, by relation."""
        self._nodes = nodes
        keys = np.concatenate(
            [triples.relation * nodes + triples.head, triples.relation * nodes + triples.tail]
        )
        self._keys, self._counts = np.unique(keys, return_counts=True)

    def score(self, triples: Triples) -> Floats:
        """Return log((1 + degree of head) · (1 + degree of tail)) of each triple.

        >>> one = Triples(np.array([0]), np.array([0]), np.array([1]))
        >>> Degrees(one, nodes=2).score(one).round(3).tolist()
        [1.386]
        """
        return self._log(triples.relation, triples.head) + self._log(triples.relation, triples.tail)

    def _log(self, relation: Ints, node: Ints) -> Floats:
        keys = relation * self._nodes + node
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        counts: Floats = np.where(self._keys[place] == keys, self._counts[place], 0.0)
        return np.log1p(counts)


class Pool:
    """Nodes to replace an end by, of the same type; a node may stand in it several times."""

    def __init__(self, nodes: Ints, keys: Ints, *, sides: Sides, relations: int) -> None:
        """Sort `nodes` by `keys`, aligned: relation code times the number of types, plus type.

        A pool for one relation code, 0, serves them all.
        """
        self._types, self._kinds, self._relations = sides.types, len(sides.type_names), relations
        self._nodes = nodes[np.argsort(keys, kind="stable")]
        self._size = np.bincount(keys, minlength=relations * self._kinds)
        self._start = np.cumsum(self._size) - self._size

    def like(self, nodes: Ints, relation: Ints, rng: np.random.Generator) -> Ints:
        """Return a random node of the type of each node; the node itself where there is none."""
        codes = relation if self._relations > 1 else np.zeros_like(relation)
        key = codes * self._kinds + self._types[nodes]
        step = (rng.random(nodes.shape) * self._size[key]).astype(np.int64)
        place = np.minimum(self._start[key] + step, len(self._nodes) - 1)
        return np.where(self._size[key] > 0, self._nodes[place], nodes)


class Pools(NamedTuple):
    """Where the ends of corrupted triplets come from."""

    even: Pool
    """Every node of the type with equal chance: easy, most of them never have the relation."""
    matched: Pool
    """Nodes of the type by their degree within the relation: popularity tells nothing."""


def pools_of(triples: Triples, sides: Sides, *, relations: int) -> Pools:
    """Return the two pools of the training triples."""
    ends = np.concatenate([triples.head, triples.tail])
    once = np.unique(ends)
    codes = np.concatenate([triples.relation, triples.relation])
    keys = codes * len(sides.type_names) + sides.types[ends]
    return Pools(
        Pool(once, sides.types[once], sides=sides, relations=1),
        Pool(ends, keys, sides=sides, relations=relations),
    )


class Known:
    """Says which triples the graph holds, in either direction."""

    def __init__(self, triples: Triples, *, nodes: int) -> None:
        """Sort the keys of the triples and of their mirrors."""
        self._nodes = nodes
        mirrored = Triples(triples.tail, triples.relation, triples.head)
        self._keys = np.unique(np.concatenate([self._key(triples), self._key(mirrored)]))

    def __call__(self, triples: Triples) -> npt.NDArray[np.bool_]:
        """Return, per triple, whether the graph holds it."""
        keys = self._key(triples)
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.asarray(self._keys[place] == keys)

    def _key(self, triples: Triples) -> Ints:
        return (triples.relation * self._nodes + triples.head) * self._nodes + triples.tail


class Corrupted(NamedTuple):
    """Corrupted triples and the positions of the true ones that they were made from."""

    triples: Triples
    made_from: Ints


def corrupt(triples: Triples, pool: Pool, known: Known, rng: np.random.Generator) -> Corrupted:
    """Replace one end of each triple by a node of the same type, so that the graph lacks it.

    A triple for which `ROUNDS` draws gave nothing new, or only a loop, is left out.
    """
    made = triples
    open_rows = np.arange(len(triples.head))
    for _ in range(ROUNDS):
        fresh = _replace_an_end(triples.take(open_rows), pool, rng)
        made = Triples(*(_put(old, open_rows, new) for old, new in zip(made, fresh, strict=True)))
        open_rows = open_rows[known(fresh) | (fresh.head == fresh.tail)]
        if not len(open_rows):
            break
    done = np.setdiff1d(np.arange(len(triples.head)), open_rows)
    return Corrupted(made.take(done), done)


def _replace_an_end(triples: Triples, pool: Pool, rng: np.random.Generator) -> Triples:
    at_head = rng.random(len(triples.head)) < 0.5
    other = pool.like(np.where(at_head, triples.head, triples.tail), triples.relation, rng)
    head = np.where(at_head, other, triples.head)
    return Triples(head, triples.relation, np.where(at_head, triples.tail, other))


def _put(column: Ints, rows: Ints, values: Ints) -> Ints:
    copy = column.copy()
    copy[rows] = values
    return copy
