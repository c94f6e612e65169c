"""The graph store, opened: nodes, logical edges, neighbours and constraints.

Everything is memory-mapped: opening reads the manifest and the array headers, a look-up touches the
pages that it needs. All orders are those of the edge numbers, so answers are deterministic.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from data.curies import parse_curie, vocabulary
from data.relations import triplet_text
from retrievers.identifiers import IdIndex
from retrievers.manifest import Manifest, read_manifest, rebuild_hint
from retrievers.mapped import map_array, map_bytes, map_table
from signatures.errors import InputError, StoreMismatch
from signatures.schema import ConstraintItem, Node, Triplet

Int32s = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]

_EDGE_ID = re.compile(r"e(\d{1,10})")
_NODE_COLUMNS = ("id", "type", "name", "source")
_NAMES_AT_ONCE = 16_384

# A bare number is most often a disease's: QKG and its peers write MONDO 5015 as "5015".
_TYPE_ORDER = ("disease", "drug", "effect/phenotype", "gene/protein")


class Endpoints(NamedTuple):
    """Columns of a selection of edges, aligned: heads, relation codes and tails."""

    head: Int32s
    relation: Bytes
    tail: Int32s


class Neighbours(NamedTuple):
    """What a node touches, aligned and sorted by edge number; a node may stand there twice."""

    node: Int32s
    edge: Int32s


class GraphStore:
    """A store built by `retrievers.build.build_store`; shared by threads and never copied."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        """Map the files of a store; use `open`."""
        self.path = path
        self.manifest = manifest
        table, ids = map_table(path, "nodes"), map_table(path, "ids")
        self._nodes = table
        self._columns = {name: table.column(name) for name in (*_NODE_COLUMNS, "aliases")}
        self._ids = IdIndex(ids)
        edges, nodes = manifest.edge_count, manifest.node_count
        self._head: Int32s = map_array(path, "head", length=edges)
        self._relation: Bytes = map_array(path, "relation", length=edges)
        self._display: npt.NDArray[np.uint16] = map_array(path, "display", length=edges)
        self._tail: Int32s = map_array(path, "tail", length=edges)
        self._indptr: npt.NDArray[np.int64] = map_array(path, "indptr", length=nodes + 1)
        stored = int(self._indptr[-1])
        self._neighbour: Int32s = map_array(path, "neighbour", length=stored)
        self._edge: Int32s = map_array(path, "edge", length=stored)
        held = manifest.report.constraint_edges
        self._constraint_edge: Int32s = map_array(path, "constraint_edge", length=held)
        self._constraint_offset: npt.NDArray[np.int64] = map_array(
            path, "constraint_offset", length=held + 1
        )
        self._constraint_text: Bytes = map_bytes(
            path, "constraints.jsonl", length=int(self._constraint_offset[-1])
        )
        if table.num_rows != nodes:
            raise StoreMismatch(f"{path / 'nodes.arrow'} is damaged; {rebuild_hint(path)}")

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open the store at `path` without reading its arrays.

        Raises:
            StoreNotFound: there is no store at `path`.
            StoreMismatch: another version of qkgram made it, or a file of it is damaged.
        """
        folder = Path(path)
        return cls(folder, read_manifest(folder))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the store itself: optimizers copy programs, and the graph is shared."""
        return self

    def __repr__(self) -> str:
        """Name the store by path and counts."""
        return f"GraphStore({str(self.path)!r}, nodes={self.node_count}, edges={self.edge_count})"

    @property
    def fingerprint(self) -> str:
        """SHA-256 that every derived index and run carries."""
        return self.manifest.fingerprint

    @property
    def node_count(self) -> int:
        """Number of nodes; indexes run from 0."""
        return self.manifest.node_count

    @property
    def edge_count(self) -> int:
        """Number of logical edges; edge numbers run from 0."""
        return self.manifest.edge_count

    @property
    def relations(self) -> tuple[str, ...]:
        """Relation of each relation code."""
        return self.manifest.relations

    @property
    def displays(self) -> tuple[str, ...]:
        """Display relation of each display code."""
        return self.manifest.displays

    def require(self, fingerprint: str, *, what: str, remedy: str) -> None:
        """Check that a derived file was made from this store.

        Raises:
            StoreMismatch: it was not; the message holds `what` and the command in `remedy`.
        """
        if fingerprint != self.fingerprint:
            raise StoreMismatch(
                f"{what} was made from store {fingerprint[:12]}, this store is "
                f"{self.fingerprint[:12]}; run: {remedy}"
            )

    # --- nodes -----------------------------------------------------------------------------------

    def node(self, index: int) -> Node:
        """Return the node at `index`, 0 to `node_count` - 1."""
        row = self._check(index, self.node_count, "node")
        cells = {column: self._cell(column, row) for column in _NODE_COLUMNS}
        return Node(index=row, **cells)

    def aliases(self, index: int) -> tuple[str, ...]:
        """Return the other names of this node, from the graph file and from alias files."""
        row = self._check(index, self.node_count, "node")
        return tuple(self._cell("aliases", row))

    def alias_sources(self, index: int) -> tuple[str, ...]:
        """Return where each alias comes from, in the order of `aliases`.

        It is the name of an alias file, or `graph file`.

        Raises:
            StoreMismatch: the store was built before sources were kept.
        """
        row = self._check(index, self.node_count, "node")
        if "alias_sources" not in self._nodes.schema.names:
            raise StoreMismatch(
                f"the store at {self.path} does not say where its aliases come from; "
                f"{rebuild_hint(self.path)}"
            )
        return tuple(self._nodes.column("alias_sources")[row].as_py())

    def names(self) -> Iterator[tuple[str, int]]:
        """Yield every label and every alias with its node's index, a few thousand at a time."""
        for start in range(0, self.node_count, _NAMES_AT_ONCE):
            block = self._nodes.slice(start, _NAMES_AT_ONCE)
            labels, others = block.column("name").to_pylist(), block.column("aliases").to_pylist()
            for index, (label, aliases) in enumerate(zip(labels, others, strict=True), start):
                yield label, index
                yield from ((alias, index) for alias in aliases)

    def find(self, id_text: str) -> Node | None:
        """Return the node of an identifier: `MONDO:0005015`, `5015`, `DB00331`, a group's member.

        A whole id comes before a member of a grouped id; a bare number that several vocabularies
        use is read as a disease first, then a drug, a phenotype, a gene. `find_all` gives them all.
        """
        return next(iter(self.find_all(id_text)), None)

    def find_all(self, id_text: str) -> tuple[Node, ...]:
        """Return every node that an identifier may mean, in the order that `find` prefers."""
        prefix, key = parse_curie(id_text)
        hits = [(hit.whole, self.node(hit.node)) for hit in self._ids.find(key)]
        fitting = [hit for hit in hits if prefix in ("", vocabulary(hit[1].source))]
        fitting.sort(key=lambda hit: (not hit[0], _type_rank(hit[1].type), hit[1].index))
        return tuple(dict.fromkeys(node for _, node in fitting))

    # --- edges -----------------------------------------------------------------------------------

    def triplet(self, edge: int) -> Triplet:
        """Return the logical edge with this number, worded in its canonical direction."""
        number = self._check(edge, self.edge_count, "edge")
        head, tail = self.node(int(self._head[number])), self.node(int(self._tail[number]))
        relation = self.relations[self._relation[number]]
        display = self.displays[self._display[number]]
        return Triplet(
            id=f"e{number}",
            head=head,
            relation=relation,
            display_relation=display,
            tail=tail,
            text=triplet_text(head.name, relation, display, tail.name),
        )

    def edge_number(self, triplet_id: str) -> int:
        """Return the edge number of a triplet id such as `e412`.

        Raises:
            InputError: the text is no triplet id, or the store has no such edge.
        """
        match = _EDGE_ID.fullmatch(triplet_id.strip())
        if match is None:
            raise InputError(f"a triplet id is 'e' and a number, as in e412; got {triplet_id!r}")
        return self._check(int(match.group(1)), self.edge_count, "edge")

    def degree(self, node: int) -> int:
        """Return how many logical edges touch the node."""
        start, stop = self._span(node)
        return stop - start

    def edges_of(self, node: int) -> Int32s:
        """Return the numbers of the edges that touch the node, both directions, ascending."""
        start, stop = self._span(node)
        return self._edge[start:stop]

    def neighbours(self, node: int) -> Neighbours:
        """Return what the node touches and by which edges, both directions, by edge number."""
        start, stop = self._span(node)
        return Neighbours(self._neighbour[start:stop], self._edge[start:stop])

    def between(self, a: int, b: int) -> Int32s:
        """Return the numbers of all edges that join two nodes, in either direction, ascending."""
        few, many = sorted((a, b), key=self.degree)
        touched = self.neighbours(few)
        joining: Int32s = touched.edge[touched.node == many]
        return joining

    def endpoints(self, edges: npt.ArrayLike) -> Endpoints:
        """Return heads, relation codes and tails of the edges, each of shape (n,)."""
        numbers = np.asarray(edges, dtype=np.int64)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self.edge_count:
            raise InputError(f"edge numbers run from 0 to {self.edge_count - 1} in {self.path}")
        return Endpoints(self._head[numbers], self._relation[numbers], self._tail[numbers])

    def constraints_of(self, edge: int) -> tuple[ConstraintItem, ...]:
        """Return the edge's ConstraintItems in the order of their file; empty when it has none."""
        number = self._check(edge, self.edge_count, "edge")
        row = int(np.searchsorted(self._constraint_edge, number))
        if row == len(self._constraint_edge) or self._constraint_edge[row] != number:
            return ()
        start, stop = self._constraint_offset[row : row + 2]
        items = json.loads(self._constraint_text[start:stop].tobytes())
        return tuple(ConstraintItem.model_validate(item) for item in items)

    def constrained_edges(self) -> Int32s:
        """Return the numbers of the edges that carry ConstraintItems, ascending."""
        return self._constraint_edge

    # --- inside ----------------------------------------------------------------------------------

    def _cell(self, column: str, row: int) -> Any:
        return self._columns[column][row].as_py()

    def _span(self, node: int) -> tuple[int, int]:
        row = self._check(node, self.node_count, "node")
        return int(self._indptr[row]), int(self._indptr[row + 1])

    def _check(self, number: int, count: int, what: str) -> int:
        if not 0 <= number < count:
            raise InputError(f"{what}s run from 0 to {count - 1} in {self.path}; got {number}")
        return int(number)


def _type_rank(node_type: str) -> int:
    return _TYPE_ORDER.index(node_type) if node_type in _TYPE_ORDER else len(_TYPE_ORDER)
