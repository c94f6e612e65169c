"""What a graph store says of itself: counts, hashes and the fingerprint.

A store is a directory of

    manifest.json               this file
    nodes.arrow                 id, type, name, source, aliases, alias_sources, file_index;
                                row = node index
    ids.arrow                   key, node, whole; sorted by key, for look-ups by identifier
    head.npy relation.npy display.npy tail.npy      one entry per logical edge
    indptr.npy neighbour.npy edge.npy               CSR: both directions of every edge
    constraints.jsonl constraint_edge.npy constraint_offset.npy

Every other index is derived from a store and carries its fingerprint.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pydantic import ValidationError

from signatures.errors import StoreMismatch, StoreNotFound
from signatures.schema import Record

SCHEMA_VERSION = 1
"""Raised whenever a file of the store changes its meaning."""

MANIFEST = "manifest.json"


class BuildReport(Record):
    """What a build read, merged and found odd."""

    rows_read: int
    """Data rows of the CSV; equals logical_edges + mirrored_rows + duplicate_rows."""
    logical_edges: int
    mirrored_rows: int
    """Edges whose reversed copy stood in the file as well (PrimeKG stores every edge twice)."""
    duplicate_rows: int
    """Rows that repeat an edge in a direction that was already read."""
    nodes: int
    node_name_conflicts: int
    """Nodes with more than one name; the most frequent is the label, the others are aliases."""
    index_collisions: int
    """Indexes of the file that two nodes share; the nodes were kept apart."""
    split_nodes: int
    """Nodes that the file gives two indexes; they were merged."""
    opposed_pairs: int
    """Pairs of nodes with one relation for and one against `treats`; both are kept."""
    unknown_relations: tuple[str, ...] = ()
    unknown_types: tuple[str, ...] = ()
    constraint_items: int = 0
    constraint_edges: int = 0
    """Logical edges that carry at least one item."""
    constraint_unmatched: int = 0
    """Lines of the constraint file whose triplet the graph does not hold."""
    aliases_added: dict[str, int] = {}
    """Names that each alias file added, by the file's name."""
    aliases_unmatched: dict[str, int] = {}
    """Entries of each alias file whose node the graph does not hold."""
    aliases_clashing: dict[str, int] = {}
    """Names left out because another node of the type has them as its label."""
    rows_by_relation: dict[str, int]
    edges_by_relation: dict[str, int]
    nodes_by_type: dict[str, int]
    warnings: tuple[str, ...] = ()
    """One line each, with examples."""
    fingerprint: str
    seconds: float


class Manifest(Record):
    """The store's own description, as `manifest.json` holds it."""

    schema_version: int
    fingerprint: str
    """SHA-256 over everything below that decides what the store answers."""
    source: str
    """Name of the CSV, without its folder."""
    source_sha256: str
    constraints_sha256: str | None
    content_sha256: str
    """Over nodes and edges as stored: it changes when the relation table turns a direction."""
    alias_files: dict[str, str] = {}
    """Name and SHA-256 of each alias file; what they added is part of the content."""
    cut_from: str | None = None
    """Fingerprint of the store that this one is a subgraph of."""
    center: str | None = None
    """The node that a subgraph was cut around: its vocabulary, a colon and its id."""
    relations: tuple[str, ...]
    """Decode table of `relation.npy`."""
    displays: tuple[str, ...]
    """Decode table of `display.npy`."""
    node_count: int
    edge_count: int
    report: BuildReport


def fingerprint_of(
    *,
    source_sha256: str,
    constraints_sha256: str | None,
    content_sha256: str,
    node_count: int,
    edge_count: int,
) -> str:
    """Return the hex SHA-256 that names a store; equal inputs give equal fingerprints."""
    parts = {
        "schema_version": SCHEMA_VERSION,
        "source": source_sha256,
        "constraints": constraints_sha256,
        "content": content_sha256,
        "nodes": node_count,
        "edges": edge_count,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def rebuild_hint(path: Path) -> str:
    """Return the command that makes the store, for error messages."""
    return f"run: qkgram kg build CSV {path}"


def read_manifest(path: Path) -> Manifest:
    """Read the manifest of the store at `path`.

    Raises:
        StoreNotFound: there is no store.
        StoreMismatch: the store was made by another version, or its manifest is damaged.
    """
    file = path / MANIFEST
    if not file.is_file():
        raise StoreNotFound(f"no graph store at {path}; {rebuild_hint(path)}")
    try:
        fields = json.loads(file.read_text(encoding="utf-8"))
        version = fields.get("schema_version") if isinstance(fields, dict) else None
        if version != SCHEMA_VERSION:
            raise StoreMismatch(
                f"the store at {path} has schema version {version}, this qkgram reads "
                f"{SCHEMA_VERSION}; {rebuild_hint(path)}"
            )
        return Manifest.model_validate(fields)
    except (ValueError, ValidationError) as error:
        raise StoreMismatch(f"{file} is damaged; {rebuild_hint(path)}") from error
