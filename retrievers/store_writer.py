"""Writing the files of a store: the layout is in `retrievers.manifest`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from retrievers.build_edges import Edges, to_csr
from retrievers.build_nodes import GraphNode, id_keys
from retrievers.manifest import MANIFEST, Manifest
from retrievers.store_files import write_array, write_bytes, write_table
from signatures.schema import ConstraintItem


def write_graph(
    folder: Path,
    nodes: Sequence[GraphNode],
    edges: Edges,
    items: Mapping[int, tuple[ConstraintItem, ...]],
) -> None:
    """Write everything but the manifest.

    Args:
        folder: an empty folder.
        nodes: in the order of their indexes.
        edges: sorted by head, relation, display relation and tail.
        items: ConstraintItems by edge number, in ascending order.
    """
    write_table(folder, "nodes", _node_columns(nodes))
    write_table(folder, "ids", _id_columns(nodes))
    arrays: dict[str, Any] = {
        name: getattr(edges, name) for name in ("head", "relation", "display", "tail")
    }
    arrays |= to_csr(edges.head, edges.tail, nodes=len(nodes))._asdict()
    lines = [_json_line(group) for group in items.values()]
    arrays["constraint_edge"] = np.array(list(items), dtype=np.int32)
    arrays["constraint_offset"] = np.cumsum([0, *map(len, lines)], dtype=np.int64)
    for name, array in arrays.items():
        write_array(folder, name, array)
    write_bytes(folder, "constraints.jsonl", b"".join(lines))


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest, which makes the folder a store."""
    write_bytes(folder, MANIFEST, manifest.model_dump_json(indent=2).encode())


def _node_columns(nodes: Sequence[GraphNode]) -> dict[str, pa.Array]:
    lists = pa.list_(pa.string())
    return {
        "id": pa.array([node.id for node in nodes], pa.string()),
        "type": pa.array([node.type for node in nodes], pa.string()).dictionary_encode(),
        "name": pa.array([node.name for node in nodes], pa.string()),
        "source": pa.array([node.source for node in nodes], pa.string()).dictionary_encode(),
        "aliases": pa.array([node.aliases for node in nodes], lists),
        "alias_sources": pa.array([node.alias_sources for node in nodes], lists),
        "file_index": pa.array([node.file_index for node in nodes], pa.int64()),
    }


def _id_columns(nodes: Sequence[GraphNode]) -> dict[str, pa.Array]:
    entries = id_keys(nodes)
    return {
        "key": pa.array([entry.key for entry in entries], pa.string()),
        "node": pa.array([entry.node for entry in entries], pa.int32()),
        "whole": pa.array([not entry.member for entry in entries], pa.bool_()),
    }


def _json_line(items: tuple[ConstraintItem, ...]) -> bytes:
    return b"[" + b",".join(item.model_dump_json().encode() for item in items) + b"]\n"
