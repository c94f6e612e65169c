"""The disease-centric subgraph of QKG §3.1.1: two layers around one entity, as a store of its own.

The direct layer holds the edges of the center, E1 the entities at their other ends, the indirect
layer every edge that touches E1, without the direct ones. The paper counts directed rows, as
PrimeKG stores each edge twice: 1,470 direct rows are 735 edges, and 1,470 + 861,070 = 862,540.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.curies import parse_curie, vocabulary
from retrievers.build_edges import Edges, opposed_pairs
from retrievers.build_nodes import GRAPH_FILE, GraphNode
from retrievers.build_report import content_sha256
from retrievers.graph import GraphStore
from retrievers.manifest import SCHEMA_VERSION, BuildReport, Manifest, fingerprint_of
from retrievers.store_files import store_at
from retrievers.store_writer import write_graph, write_manifest
from retrievers.stored import stored_edges, stored_items, stored_nodes
from signatures.errors import InputError
from signatures.schema import Node, Record

Numbers = npt.NDArray[np.int32]

_SHOWN = 8


class Layers(NamedTuple):
    """The two layers as edge numbers of the whole store, and the entities between them."""

    direct: Numbers
    first: Numbers
    """E1: nodes one edge away from the center, without the center."""
    indirect: Numbers
    """Edges that touch E1 and not the center."""


class SubgraphReport(Record):
    """What a subgraph holds; every count of edges is given in directed rows as well."""

    center: Node
    """In the whole store."""
    direct_edges: int
    direct_rows: int
    first_entities: int
    """|E1|."""
    indirect_edges: int
    indirect_rows: int
    """Rows that the direct layer does not hold already."""
    edges: int
    rows: int
    nodes: int
    edges_by_relation: dict[str, int]
    rows_by_relation: dict[str, int]
    nodes_by_type: dict[str, int]
    constraint_edges: int
    constraint_items: int
    fingerprint: str
    """Of the subgraph's store."""
    cut_from: str
    """Fingerprint of the whole store."""
    seconds: float


def find_center(graph: GraphStore, text: str) -> Node:
    """Return the one node that an identifier or a name means.

    A whole id is preferred to a member of a grouped id, an id to a name.

    Raises:
        InputError: no node fits, or several do; the message lists them.
    """
    hits = graph.find_all(text)
    key = parse_curie(text).local
    whole = [node for node in hits if parse_curie(node.id).local == key]
    fitting = whole or list(hits) or _named(graph, text)
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        raise InputError(
            f"no node of {graph.path} has the id or the name {text!r}; "
            f"try: qkgram link {text!r} --graph {graph.path}"
        )
    listed = "; ".join(f"{_curie(n)} {n.name} ({n.type})" for n in fitting[:_SHOWN])
    more = f"; and {len(fitting) - _SHOWN} more" if len(fitting) > _SHOWN else ""
    raise InputError(f"{text!r} means {len(fitting)} nodes, name one by its id: {listed}{more}")


def layers_of(graph: GraphStore, center: int) -> Layers:
    """Return the layers around a node, in ascending order."""
    direct = np.asarray(graph.edges_of(center))
    first = np.setdiff1d(graph.neighbours(center).node, [center]).astype(np.int32)
    edges = stored_edges(graph)
    near = np.zeros(graph.node_count, dtype=bool)
    near[first] = True
    touching = near[edges.head] | near[edges.tail]
    touching[direct] = False
    return Layers(direct, first, np.flatnonzero(touching).astype(np.int32))


def write_subgraph(graph: GraphStore, center: Node, out: Path) -> SubgraphReport:
    """Write the subgraph around a node as the store at `out`, with constraints and aliases.

    Raises:
        InputError: `out` is the store itself or no place for a store, or the node has no edge.
    """
    began = time.perf_counter()
    if out.resolve() == graph.path.resolve():
        raise InputError(f"{out} is the whole graph's store; name another folder for the subgraph")
    layers = layers_of(graph, center.index)
    numbers = np.union1d(layers.direct, layers.indirect).astype(np.int32)
    if not len(numbers):
        raise InputError(f"{center.name!r} has no edge in {graph.path}; name another center")
    whole = stored_edges(graph, numbers)
    kept = np.union1d(whole.head, whole.tail).astype(np.int32)
    nodes, edges = stored_nodes(graph, kept), _renumbered(whole, kept)
    items = stored_items(graph, numbers)
    with store_at(out) as folder:
        write_graph(folder, nodes, edges, items)
        report = _build_report(graph, nodes, edges, sum(map(len, items.values())), len(items))
        manifest = _manifest(graph, center, nodes, edges, report, began=began)
        write_manifest(folder, manifest)
    return _report(graph, center, layers, manifest)


def _named(graph: GraphStore, text: str) -> list[Node]:
    wanted = text.strip().casefold()
    found = dict.fromkeys(n for name, n in graph.names() if name.casefold() == wanted)
    return [graph.node(index) for index in found]


def _curie(node: Node) -> str:
    prefix = vocabulary(node.source)
    return f"{prefix}:{node.id}" if prefix and ":" not in node.id else node.id


def _renumbered(edges: Edges, kept: Numbers) -> Edges:
    """Number the nodes anew; the order stays, so the edges stay sorted."""
    head, tail = (np.searchsorted(kept, end).astype(np.int32) for end in (edges.head, edges.tail))
    rows = _rows(head, tail)
    return edges._replace(head=head, tail=tail, mirrored=int(rows.sum()) - len(head), duplicates=0)


def _rows(head: Numbers, tail: Numbers) -> npt.NDArray[np.int64]:
    """Directed rows of each edge: two, and one from a node to itself."""
    return np.where(head == tail, 1, 2)


def _build_report(
    graph: GraphStore, nodes: tuple[GraphNode, ...], edges: Edges, items: int, annotated: int
) -> BuildReport:
    relations, whole = graph.relations, graph.manifest.report
    rows = np.bincount(edges.relation, _rows(edges.head, edges.tail), len(relations)).astype(int)
    counts = np.bincount(edges.relation, minlength=len(relations))
    used = {name: code for code, name in enumerate(relations) if counts[code]}
    types = [node.type for node in nodes]
    return BuildReport(
        rows_read=len(edges.head) + edges.mirrored,
        logical_edges=len(edges.head),
        mirrored_rows=edges.mirrored,
        duplicate_rows=0,
        nodes=len(nodes),
        node_name_conflicts=sum(GRAPH_FILE in node.alias_sources for node in nodes),
        index_collisions=_shared_indexes(nodes),
        split_nodes=0,
        opposed_pairs=len(opposed_pairs(edges, relations, nodes=len(nodes))),
        unknown_relations=tuple(name for name in whole.unknown_relations if name in used),
        unknown_types=tuple(kind for kind in whole.unknown_types if kind in types),
        constraint_items=items,
        constraint_edges=annotated,
        rows_by_relation={name: int(rows[code]) for name, code in used.items()},
        edges_by_relation={name: int(counts[code]) for name, code in used.items()},
        nodes_by_type={kind: types.count(kind) for kind in sorted(set(types))},
        fingerprint="",
        seconds=0,
    )


def _shared_indexes(nodes: tuple[GraphNode, ...]) -> int:
    _, counts = np.unique([node.file_index for node in nodes], return_counts=True)
    return int((counts > 1).sum())


def _manifest(
    graph: GraphStore,
    center: Node,
    nodes: tuple[GraphNode, ...],
    edges: Edges,
    report: BuildReport,
    *,
    began: float,
) -> Manifest:
    whole = graph.manifest
    content = content_sha256(nodes, edges, whole.relations, whole.displays)
    fingerprint = fingerprint_of(
        source_sha256=whole.source_sha256,
        constraints_sha256=whole.constraints_sha256,
        content_sha256=content,
        node_count=len(nodes),
        edge_count=len(edges.head),
    )
    seconds = round(time.perf_counter() - began, 3)
    return Manifest(
        schema_version=SCHEMA_VERSION,
        fingerprint=fingerprint,
        source=whole.source,
        source_sha256=whole.source_sha256,
        constraints_sha256=whole.constraints_sha256,
        content_sha256=content,
        alias_files=whole.alias_files,
        cut_from=whole.fingerprint,
        center=_curie(center),
        relations=whole.relations,
        displays=whole.displays,
        node_count=len(nodes),
        edge_count=len(edges.head),
        report=report.model_copy(update={"fingerprint": fingerprint, "seconds": seconds}),
    )


def _report(graph: GraphStore, center: Node, layers: Layers, manifest: Manifest) -> SubgraphReport:
    built = manifest.report
    direct = graph.endpoints(layers.direct)
    direct_rows = int(_rows(direct.head, direct.tail).sum())
    return SubgraphReport(
        center=center,
        direct_edges=len(layers.direct),
        direct_rows=direct_rows,
        first_entities=len(layers.first),
        indirect_edges=len(layers.indirect),
        indirect_rows=built.rows_read - direct_rows,
        edges=built.logical_edges,
        rows=built.rows_read,
        nodes=built.nodes,
        edges_by_relation=built.edges_by_relation,
        rows_by_relation=built.rows_by_relation,
        nodes_by_type=built.nodes_by_type,
        constraint_edges=built.constraint_edges,
        constraint_items=built.constraint_items,
        fingerprint=manifest.fingerprint,
        cut_from=graph.fingerprint,
        seconds=built.seconds,
    )
