"""A store written back as a CSV in PrimeKG's twelve columns.

Every edge stands there twice, once reversed, as in PrimeKG's file; an edge of a relation that
PrimeKG lacks stands there once, because its direction is known only from the file. The other names
of a node have no column: they go to a table of their own, which `kg build --aliases` reads.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.primekg import COLUMNS
from data.relations import relation_table
from retrievers.build_edges import Bools, Edges
from retrievers.build_nodes import GraphNode
from retrievers.graph import GraphStore
from retrievers.stored import stored_edges, stored_nodes
from signatures.errors import InputError

_EDGES_AT_ONCE = 200_000
_QUOTED = frozenset('",\r\n')


def export_csv(graph: GraphStore, path: Path) -> int:
    """Write the edges of a store, gzipped when the name ends in `.gz`; returns the rows.

    Raises:
        InputError: the file cannot be written.
    """
    nodes, edges = stored_nodes(graph), stored_edges(graph)
    cells = pa.array([_cells(node) for node in nodes], pa.large_string())
    known = relation_table()
    both_ways = np.array([name in known for name in graph.relations])[edges.relation]
    both_ways &= edges.head != edges.tail
    with _fresh(path) as file:
        file.write((",".join(COLUMNS) + "\n").encode())
        for start in range(0, graph.edge_count, _EDGES_AT_ONCE):
            part = slice(start, start + _EDGES_AT_ONCE)
            file.write(_lines(graph, edges, cells, part, reverse=np.zeros(0, bool)))
            file.write(_lines(graph, edges, cells, part, reverse=both_ways[part]))
    return graph.edge_count + int(both_ways.sum())


def export_aliases(graph: GraphStore, path: Path) -> int:
    """Write the other names of a store's nodes as a table of id, type, alias and source.

    Returns:
        How many names were written; nodes without id cannot be named and are left out.

    Raises:
        InputError: the file cannot be written.
    """
    rows = [
        (f"{node.source}:{node.id}" if node.source else node.id, node.type, alias, origin)
        for node in stored_nodes(graph)
        if node.id
        for alias, origin in zip(node.aliases, node.alias_sources, strict=True)
    ]
    lines = [("id", "type", "alias", "source"), *rows]
    with _fresh(path) as file:
        for line in lines:
            file.write((",".join(map(_quoted, line)) + "\n").encode())
    return len(rows)


def _lines(
    graph: GraphStore, edges: Edges, cells: pa.Array, part: slice, *, reverse: Bools
) -> bytes:
    """Join the rows of some edges, all in their direction or some of them reversed."""
    relation, display = edges.relation[part], edges.display[part]
    first, second = edges.head[part], edges.tail[part]
    if len(reverse):
        relation, display = relation[reverse], display[reverse]
        first, second = second[reverse], first[reverse]
    columns = (
        pa.array([_quoted(name) for name in graph.relations]).take(pa.array(relation)),
        pa.array([_quoted(name) for name in graph.displays]).take(pa.array(display)),
        cells.take(pa.array(first)),
        cells.take(pa.array(second)),
    )
    texts = [column.cast(pa.large_string()) for column in columns]
    lines = pc.binary_join_element_wise(*texts, pa.scalar(",", pa.large_string()))
    return "".join(line + "\n" for line in lines.to_pylist()).encode()


def _cells(node: GraphNode) -> str:
    texts = (str(node.file_index), node.id, node.type, node.name, node.source)
    return ",".join(map(_quoted, texts))


def _quoted(text: str) -> str:
    """Quote a cell where CSV wants it.

    >>> _quoted('1,25-dihydroxyvitamin D3'), _quoted("Crohn's colitis")
    ('"1,25-dihydroxyvitamin D3"', "Crohn's colitis")
    """
    return '"' + text.replace('"', '""') + '"' if _QUOTED & set(text) else text


@contextmanager
def _fresh(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes its name only when it is complete."""
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(partial, "wb") as file:
            yield cast(BinaryIO, file)
        partial.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
