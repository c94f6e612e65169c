"""What a build says of itself: the counts, the warnings and the hashes of its manifest."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from retrievers.build_aliases import AliasCounts
from retrievers.build_constraints import Attached
from retrievers.build_edges import Edges, opposed_pairs
from retrievers.build_nodes import GRAPH_FILE, GraphNode, Nodes
from retrievers.manifest import SCHEMA_VERSION, BuildReport, Manifest, fingerprint_of
from retrievers.store_files import file_sha256, leftovers

_TELLING = 6  # fields of a node that decide what the store answers: all but the aliases' sources


class MergedGraph(NamedTuple):
    """A graph file, merged and numbered, before it is written."""

    nodes: Nodes
    edges: Edges
    relations: tuple[str, ...]
    displays: tuple[str, ...]
    rows_by_relation: dict[str, int]
    unknown_relations: tuple[str, ...]
    unknown_types: tuple[str, ...]

    @property
    def rows(self) -> int:
        """Data rows of the file."""
        return sum(self.rows_by_relation.values())


def describe(
    csv: Path,
    constraints: Path | None,
    graph: MergedGraph,
    attached: Attached,
    aliases: Sequence[AliasCounts] = (),
    *,
    out: Path,
    began: float,
) -> Manifest:
    """Return the manifest of a store that is about to be complete.

    Args:
        csv: the graph file, to be hashed.
        constraints: the constraint file, to be hashed.
        graph: what was read from the graph file.
        attached: what was read from the constraint file.
        aliases: what was read from each alias file.
        out: where the store will lie, to look for what killed builds left there.
        began: `time.perf_counter()` when the build began.
    """
    decisive: dict[str, Any] = {
        "source_sha256": file_sha256(csv),
        "constraints_sha256": file_sha256(constraints) if constraints else None,
        "content_sha256": content_sha256(
            graph.nodes.nodes, graph.edges, graph.relations, graph.displays
        ),
        "node_count": len(graph.nodes.nodes),
        "edge_count": len(graph.edges.head),
    }
    fingerprint = fingerprint_of(**decisive)
    return Manifest(
        schema_version=SCHEMA_VERSION,
        fingerprint=fingerprint,
        source=csv.name,
        relations=graph.relations,
        displays=graph.displays,
        alias_files={counts.file: counts.sha256 for counts in aliases},
        report=_report(graph, attached, aliases, out=out, began=began, fingerprint=fingerprint),
        **decisive,
    )


def _report(
    graph: MergedGraph,
    attached: Attached,
    aliases: Sequence[AliasCounts],
    *,
    out: Path,
    began: float,
    fingerprint: str,
) -> BuildReport:
    nodes, edges = graph.nodes, graph.edges
    edge_counts = np.bincount(edges.relation, minlength=len(graph.relations)).tolist()
    types = [node.type for node in nodes.nodes]
    return BuildReport(
        rows_read=graph.rows,
        logical_edges=len(edges.head),
        mirrored_rows=edges.mirrored,
        duplicate_rows=edges.duplicates,
        nodes=len(nodes.nodes),
        node_name_conflicts=sum(GRAPH_FILE in node.alias_sources for node in nodes.nodes),
        index_collisions=nodes.index_collisions,
        split_nodes=nodes.split_nodes,
        opposed_pairs=len(opposed_pairs(edges, graph.relations, nodes=len(nodes.nodes))),
        unknown_relations=graph.unknown_relations,
        unknown_types=graph.unknown_types,
        constraint_items=sum(map(len, attached.items.values())),
        constraint_edges=len(attached.items),
        constraint_unmatched=len(attached.unmatched),
        aliases_added={counts.file: counts.added for counts in aliases},
        aliases_unmatched={counts.file: counts.unmatched for counts in aliases},
        aliases_clashing={counts.file: counts.clashing for counts in aliases},
        rows_by_relation=graph.rows_by_relation,
        edges_by_relation=dict(zip(graph.relations, edge_counts, strict=True)),
        nodes_by_type={kind: types.count(kind) for kind in sorted(set(types))},
        warnings=(*_schema_notes(graph), *nodes.warnings, *attached.warnings, *_left(out)),
        fingerprint=fingerprint,
        seconds=round(time.perf_counter() - began, 3),
    )


def _schema_notes(graph: MergedGraph) -> list[str]:
    notes = [
        f"PrimeKG has no relation {name!r}: it weighs 1.0 in every domain and supports 'associated'"
        for name in graph.unknown_relations
    ]
    return notes + [f"PrimeKG has no node type {name!r}" for name in graph.unknown_types]


def _left(out: Path) -> list[str]:
    return [
        f"{path} was left by a build that was killed or still runs; delete it if none runs"
        for path in leftovers(out)
    ]


def content_sha256(
    nodes: Sequence[GraphNode], edges: Edges, relations: tuple[str, ...], displays: tuple[str, ...]
) -> str:
    """Hash nodes and edges as they are numbered, free of file formats."""
    digest = hashlib.sha256()
    for node in nodes:
        digest.update(repr(tuple(node)[:_TELLING]).encode())
    for column in (edges.head, edges.relation, edges.display, edges.tail):
        digest.update(np.ascontiguousarray(column).data)
    digest.update(repr((relations, displays)).encode())
    return digest.hexdigest()
