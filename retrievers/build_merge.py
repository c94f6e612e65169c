"""From a graph file to numbered rows, and from those to nodes and logical edges."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.primekg import Advance
from data.relations import relation_table
from retrievers.build_edges import Bools, merge_rows, rows_to_turn
from retrievers.build_nodes import Nodes, gather_nodes
from retrievers.build_report import MergedGraph
from retrievers.build_rows import Codes, GraphRows, Int32s, read_graph
from signatures.errors import GraphFileError

_MOST_RELATIONS = 256  # a relation code is one byte
_MOST_DISPLAYS = 65_536  # a display code is two


class NumberedRows(NamedTuple):
    """The rows of a graph file as numbers of nodes and codes; the arrays have shape (rows,)."""

    rows: GraphRows
    nodes: Nodes
    head: Int32s
    relation: Int32s
    display: Int32s
    tail: Int32s
    turned: Bools
    """True where the file writes the edge against its relation's canonical direction."""
    relations: tuple[str, ...]
    displays: tuple[str, ...]

    @property
    def rows_by_relation(self) -> dict[str, int]:
        """Data rows of each relation."""
        counts = np.bincount(self.relation, minlength=len(self.relations)).tolist()
        return dict(zip(self.relations, counts, strict=True))


def number_rows(csv: Path, *, advance: Advance | None = None) -> NumberedRows:
    """Read a PrimeKG CSV and number its nodes, relations and display relations.

    Raises:
        GraphFileError: the file cannot be read, or a row names no edge.
    """
    rows = read_graph(csv, advance=advance)
    relations, relation = _sorted_codes(rows.relations, rows.relation)
    displays, display = _sorted_codes(rows.displays, rows.display)
    _check_codes(csv, rows, relations, displays)
    nodes = gather_nodes(rows, csv)
    types = [node.type for node in nodes.nodes]
    x, y = nodes.of_spelling[rows.x], nodes.of_spelling[rows.y]
    turned = rows_to_turn(x, y, relation, relations=relations, types=types)
    head, tail = np.where(turned, y, x), np.where(turned, x, y)
    return NumberedRows(rows, nodes, head, relation, display, tail, turned, relations, displays)


def merge(numbered: NumberedRows) -> MergedGraph:
    """Merge the rows of one edge; nothing of the file but its numbers is needed."""
    relations, types = numbered.relations, [node.type for node in numbered.nodes.nodes]
    unknown_relations, unknown_types = _unknown(relations, types)
    return MergedGraph(
        nodes=numbered.nodes,
        edges=merge_rows(
            numbered.head,
            numbered.tail,
            numbered.relation,
            numbered.display,
            turned=numbered.turned,
        ),
        relations=relations,
        displays=numbered.displays,
        rows_by_relation=numbered.rows_by_relation,
        unknown_relations=unknown_relations,
        unknown_types=unknown_types,
    )


def check_schema(csv: Path, numbered: NumberedRows) -> None:
    """Refuse relations and node types that PrimeKG does not have.

    Raises:
        GraphFileError: there is one; the message names the row of a relation.
    """
    types = [node.type for node in numbered.nodes.nodes]
    relations, unknown_types = _unknown(numbered.relations, types)
    if relations:
        codes = numbered.rows.relations
        row = codes.first_rows[codes.texts.index(relations[0])]
        raise GraphFileError(
            f"{csv}, row {row}: PrimeKG has no relation {relations[0]!r}; drop --strict-schema"
        )
    if unknown_types:
        raise GraphFileError(
            f"{csv}: PrimeKG has no node type {unknown_types[0]!r}; drop --strict-schema to load it"
        )


def known_types() -> frozenset[str]:
    """Return PrimeKG's node types."""
    table = relation_table()
    return frozenset(kind for info in table.values() for kind in (info.head_type, info.tail_type))


def _sorted_codes(codes: Codes, column: Int32s) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
    """Renumber codes of appearance by the alphabet, so that row order leaves no trace."""
    order = sorted(range(len(codes.texts)), key=codes.texts.__getitem__)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    renumbered: Int32s = rank[column]
    return tuple(codes.texts[code] for code in order), renumbered


def _check_codes(
    csv: Path, rows: GraphRows, relations: Sequence[str], displays: Sequence[str]
) -> None:
    if "" in relations:
        row = rows.relations.first_rows[rows.relations.texts.index("")]
        raise GraphFileError(f"{csv}, row {row}: the relation is blank")
    if len(relations) > _MOST_RELATIONS or len(displays) > _MOST_DISPLAYS:
        raise GraphFileError(
            f"{csv} has {len(relations)} relations and {len(displays)} display relations; at most "
            f"{_MOST_RELATIONS} and {_MOST_DISPLAYS} are possible: are the columns mixed up?"
        )


def _unknown(
    relations: Sequence[str], types: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    table = relation_table()
    return tuple(r for r in relations if r not in table), tuple(sorted(set(types) - known_types()))
