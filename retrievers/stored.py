"""A store read back whole, as a build makes it: for cutting, exporting and examining graphs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from retrievers.build_edges import Edges
from retrievers.build_nodes import GRAPH_FILE, GraphNode
from retrievers.graph import GraphStore
from retrievers.mapped import map_array, map_table
from signatures.schema import ConstraintItem

Numbers = npt.NDArray[np.int32]


def stored_nodes(graph: GraphStore, numbers: Numbers | None = None) -> tuple[GraphNode, ...]:
    """Return nodes of a store as they were written, all of them or those of some indexes."""
    table = map_table(graph.path, "nodes")
    rows = table if numbers is None else table.take(numbers)
    names = rows.schema.names
    aliases = rows.column("aliases").to_pylist()
    sources = (
        rows.column("alias_sources").to_pylist()
        if "alias_sources" in names
        else [[GRAPH_FILE] * len(held) for held in aliases]
    )
    index, kind, ids, labels, vocabularies = (
        rows.column(n).to_pylist() for n in ("file_index", "type", "id", "name", "source")
    )
    held = zip(map(tuple, aliases), map(tuple, sources), strict=True)
    return tuple(
        GraphNode(*cells, *others)
        for *cells, others in zip(index, kind, ids, labels, vocabularies, held, strict=True)
    )


def stored_edges(graph: GraphStore, numbers: Numbers | None = None) -> Edges:
    """Return edges of a store in their order, all of them or those of some numbers."""
    count = graph.edge_count
    columns = (
        map_array(graph.path, name, length=count)
        for name in ("head", "relation", "display", "tail")
    )
    head, relation, display, tail = (c if numbers is None else c[numbers] for c in columns)
    report = graph.manifest.report
    return Edges(head, relation, display, tail, report.mirrored_rows, report.duplicate_rows)


def stored_items(graph: GraphStore, numbers: Numbers) -> dict[int, tuple[ConstraintItem, ...]]:
    """Return the ConstraintItems of some edges by their position in `numbers`, ascending."""
    held = np.flatnonzero(np.isin(numbers, graph.constrained_edges()))
    return {int(place): graph.constraints_of(int(numbers[place])) for place in held}
