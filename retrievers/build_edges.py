"""From rows to logical edges: canonical direction, mirrored and repeated rows, CSR."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.relations import relation_table
from signatures.errors import GraphFileError

Int32s = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_MOST_KEYS = 2**62  # a signed 64-bit number, less one bit for the direction


class Edges(NamedTuple):
    """Logical edges sorted by (head, relation, display, tail); arrays of shape (edges,)."""

    head: Int32s
    relation: npt.NDArray[np.uint8]
    display: npt.NDArray[np.uint16]
    tail: Int32s
    mirrored: int
    """Edges that stood in the file in both directions."""
    duplicates: int
    """Rows beyond the first of each edge and direction."""


class Csr(NamedTuple):
    """Both directions of every edge, by node and then by edge number."""

    indptr: npt.NDArray[np.int64]
    neighbour: Int32s
    edge: Int32s


def merge_rows(
    head: Int32s, tail: Int32s, relation: Int32s, display: Int32s, *, turned: Bools
) -> Edges:
    """Merge rows that state one edge; `turned` tells rows that the file wrote the other way round.

    >>> a, b = np.array([7, 7, 7], np.int32), np.array([12, 12, 12], np.int32)
    >>> same = np.zeros(3, np.int32)
    >>> edges = merge_rows(a, b, same, same, turned=np.array([False, True, True]))
    >>> len(edges.head), edges.mirrored, edges.duplicates
    (1, 1, 1)
    """
    key, sizes = packed_rows(head, relation, display, tail, turned)
    del turned
    key.sort()
    # The last bit is `turned`; what is above it names the edge.
    edge = key >> 1
    new = np.ones(len(edge), dtype=bool)
    np.not_equal(edge[1:], edge[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    # Rows of one edge are sorted by `turned`: both directions occur when first and last differ.
    last = np.append(starts[1:], len(key)) - 1
    mirrored = int(np.count_nonzero((key[last] ^ key[starts]) & 1))
    heads, relations, displays, tails = _unpacked(edge[starts], sizes)
    return Edges(
        head=heads.astype(np.int32),
        relation=relations.astype(np.uint8),
        display=displays.astype(np.uint16),
        tail=tails.astype(np.int32),
        mirrored=mirrored,
        duplicates=len(key) - len(starts) - mirrored,
    )


def rows_to_turn(
    x: Int32s, y: Int32s, relation: Int32s, *, relations: Sequence[str], types: Sequence[str]
) -> Bools:
    """Say for each row whether it stands against its relation's canonical direction, shape (n,).

    Args:
        x: node of the first end, shape (n,).
        y: node of the second end, shape (n,).
        relation: relation code, shape (n,).
        relations: relation of each code.
        types: type of each node.

    A relation between two types is turned to start from its head type. Between nodes of one type
    the smaller index comes first. A relation that the table lacks keeps the file's direction, or,
    when the file mirrors it, goes from the alphabetically first type to the other.
    """
    names, type_codes = np.unique(np.array(types), return_inverse=True)
    code_of = {name: code for code, name in enumerate(names.tolist())}
    turned: Bools = np.zeros(len(x), dtype=bool)
    for code, name in enumerate(relations):
        here = np.flatnonzero(relation == code)
        a, b = x[here], y[here]
        info = relation_table().get(name)
        if info is None:
            turned[here] = _turn_unknown(a, b, type_codes)
        else:
            head, tail = code_of.get(info.head_type, -1), code_of.get(info.tail_type, -1)
            turned[here] = _turn_known(a, b, type_codes, head=head, tail=tail)
    return turned


def to_csr(head: Int32s, tail: Int32s, *, nodes: int) -> Csr:
    """Index edges by both ends; an edge from a node to itself stands there once.

    >>> csr = to_csr(np.array([0, 0], np.int32), np.array([1, 2], np.int32), nodes=3)
    >>> csr.indptr.tolist(), csr.neighbour.tolist(), csr.edge.tolist()
    ([0, 2, 3, 4], [1, 2, 0, 0], [0, 1, 0, 1])
    """
    numbers = np.arange(len(head), dtype=np.int32)
    other = head != tail
    near = np.concatenate([head, tail[other]])
    edge = np.concatenate([numbers, numbers[other]])
    indptr = np.zeros(nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(near, minlength=nodes), out=indptr[1:])
    # One sort of packed numbers is several times as fast as a sort by two columns.
    key = near.astype(np.int64) * max(1, len(head)) + edge
    del near, edge
    key.sort()
    edge = (key % max(1, len(head))).astype(np.int32)
    near = np.repeat(np.arange(nodes, dtype=np.int32), np.diff(indptr))
    return Csr(indptr, np.where(head[edge] == near, tail[edge], head[edge]), edge)


def opposed_pairs(edges: Edges, relations: Sequence[str], *, nodes: int) -> npt.NDArray[np.int64]:
    """Find pairs with an edge for and an edge against `treats`, shape (n, 2); both edges stay."""
    signs = np.array(
        [
            info.polarity.get("treats", 0) if (info := relation_table().get(r)) else 0
            for r in relations
        ]
    )
    sign = signs[edges.relation]
    pair = _pairs(edges.head, edges.tail, nodes)
    opposed = np.intersect1d(pair[sign > 0], pair[sign < 0])
    return np.stack(np.divmod(opposed, max(1, nodes)), axis=1)


def _turn_known(
    a: Int32s, b: Int32s, types: npt.NDArray[np.int64], *, head: int, tail: int
) -> Bools:
    a_type, b_type = types[a], types[b]
    turn: Bools = a > b
    for wanted, near, far in ((tail, b_type, a_type), (head, a_type, b_type)):
        # Where exactly one end has the wanted type, that end decides; the head has the last word.
        turn = np.where((near == wanted) != (far == wanted), far == wanted, turn)
    return turn


def _turn_unknown(a: Int32s, b: Int32s, types: npt.NDArray[np.int64]) -> Bools:
    there, back = _pairs(a, b, len(types)), _pairs(b, a, len(types))
    if not np.isin(there, back).any():
        return np.zeros(len(a), dtype=bool)
    turn: Bools = np.where(types[a] == types[b], a > b, types[a] > types[b])
    return turn


def packed_rows(
    head: Int32s, relation: Int32s, display: Int32s, tail: Int32s, turned: Bools
) -> tuple[npt.NDArray[np.int64], tuple[int, ...]]:
    """Pack each row into one number that sorts as the columns do; also how large each one is.

    Eight million rows of PrimeKG take 46 of the 63 bits.

    Raises:
        GraphFileError: the columns together take more bits.
    """
    columns = (head, relation, display, tail)
    sizes = tuple(int(column.max()) + 1 if len(column) else 1 for column in columns)
    if prod(sizes) >= _MOST_KEYS:
        raise GraphFileError(
            f"{sizes[0]} heads, {sizes[1]} relations, {sizes[2]} display relations and {sizes[3]} "
            "tails are too many for one store; split the file by relation"
        )
    key = np.zeros(len(head), dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        key *= size
        key += column
    key <<= 1
    key |= turned
    return key, sizes


def _unpacked(
    key: npt.NDArray[np.int64], sizes: tuple[int, ...]
) -> tuple[npt.NDArray[np.int64], ...]:
    columns: list[npt.NDArray[np.int64]] = []
    for size in reversed(sizes[1:]):
        key, column = np.divmod(key, size)
        columns.append(column)
    return (key, *reversed(columns))


def _pairs(first: Int32s, second: Int32s, nodes: int) -> npt.NDArray[np.int64]:
    pairs: npt.NDArray[np.int64] = first.astype(np.int64) * nodes + second
    return pairs
