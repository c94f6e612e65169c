"""Is the graph store whole, and do the indexes beside it belong to it?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from data.wording import counted
from optimize.doctor_check import Check, ok, refused, warn, wrong
from optimize.settings import Settings
from optimize.toolbox import sample_store
from retrievers.embedding import SentenceEncoder
from retrievers.graph import GraphStore
from retrievers.manifest import MANIFEST, fingerprint_of, rebuild_hint
from retrievers.prefilter import FILES, Prefilter
from retrievers.rotate import RotateModel
from retrievers.store_files import leftovers
from signatures.errors import ModelNotFound, StoreMismatch, StoreNotFound

MANY_NAMES = 20_000
"""Names from which embedding them ahead is advised: minutes on two cores at 60 to 240 a second."""


def store_checks(settings: Settings) -> Iterator[Check]:
    """Check the store of the settings and every index that is derived from it."""
    path = settings.graph
    if path == sample_store() and not (path / MANIFEST).is_file():
        yield ok("graph store", f"the packaged sample, not built yet at {path}; built on first use")
        return
    try:
        graph = GraphStore.open(path)
    except (StoreNotFound, StoreMismatch) as error:
        yield refused("graph store", error)
        return
    yield _whole(graph)
    yield _constraints(graph)
    yield from _leftovers(path)
    yield from _vectors(graph)
    yield _rotate(graph, wanted=settings.program.reviewer == "rotate")


def _whole(graph: GraphStore) -> Check:
    manifest = graph.manifest
    counts = f"{counted(graph.node_count, 'node')}, {counted(graph.edge_count, 'edge')}"
    found = f"{graph.path}: schema version {manifest.schema_version}, {counts}"
    made = fingerprint_of(
        source_sha256=manifest.source_sha256,
        constraints_sha256=manifest.constraints_sha256,
        content_sha256=manifest.content_sha256,
        node_count=manifest.node_count,
        edge_count=manifest.edge_count,
    )
    if made != graph.fingerprint:
        return wrong(
            "graph store",
            f"{found}; the fingerprint {graph.fingerprint[:12]} is not that of its own manifest "
            f"({made[:12]}): the manifest was changed by hand",
            rebuild_hint(graph.path),
        )
    return ok("graph store", f"{found}, fingerprint {graph.fingerprint[:12]}")


def _constraints(graph: GraphStore) -> Check:
    report = graph.manifest.report
    if not report.constraint_items:
        return warn(
            "constraints",
            "none: every stored fact holds for every patient",
            "build with --constraints FILE; `qkgram annotate` makes such a file",
        )
    items = counted(report.constraint_items, "ConstraintItem")
    found = f"{items} on {counted(report.constraint_edges, 'edge')}"
    if report.constraint_unmatched:
        lines = counted(report.constraint_unmatched, "line fits", "lines fit")
        return warn(
            "constraints",
            f"{found}; {lines} no triplet of the graph",
            f"qkgram kg doctor {graph.path} names them",
        )
    return ok("constraints", found)


def _leftovers(path: Path) -> Iterator[Check]:
    left = leftovers(path)
    if left:
        folders = counted(len(left), "folder")
        yield warn(
            "killed builds",
            f"{folders} beside the store: {', '.join(place.name for place in left)}",
            "delete them if no build is running",
        )


def _vectors(graph: GraphStore) -> Iterator[Check]:
    beside = graph.path.with_name(graph.path.name + ".vectors")
    own = beside / f"{graph.fingerprint[:16]}-{SentenceEncoder().id}"
    filled = _filled(own / "nodes.filled")
    found = f"{filled:,} of {counted(graph.node_count, 'name')} embedded"
    embed = f"qkgram kg embed {graph.path}"
    few = graph.node_count < MANY_NAMES
    if few or filled == graph.node_count:
        yield ok("vectors", found + ("" if filled else "; made as questions need them"))
    else:
        yield warn("vectors", f"{found}; the first questions are slow", embed)
    yield _prefilter(own, few=few, embed=embed)
    others = [p for p in beside.iterdir() if p != own] if beside.is_dir() else []
    if others:
        yield warn(
            "old vectors",
            f"{counted(len(others), 'folder')} in {beside} of another graph or encoder: "
            f"{', '.join(sorted(place.name for place in others))}",
            "delete what no other store of this name uses; nothing here reads them",
        )


def _prefilter(own: Path, *, few: bool, embed: str) -> Check:
    there = [name for name in FILES if (own / name).is_file()]
    if not there:
        said = "not fitted; candidates are scored one by one"
        return ok("prefilter", said) if few else warn("prefilter", said, embed)
    if len(there) < len(FILES):
        missing = ", ".join(name for name in FILES if name not in there)
        return warn("prefilter", f"incomplete, and so not used: {missing} is absent", embed)
    try:
        cosine = Prefilter(own).report.cosine
    except (OSError, ValueError, KeyError) as error:
        return wrong("prefilter", f"cannot be read: {error}", f"delete it in {own}; {embed}")
    return ok("prefilter", f"fitted, cosine {cosine:.2f} on held-out triplets")


def _rotate(graph: GraphStore, *, wanted: bool) -> Check:
    about = "RotatE reviewer"
    try:
        model = RotateModel.open(graph)
    except ModelNotFound as error:
        if wanted:
            return refused(about, error)
        return ok(about, "not trained; only program.reviewer=rotate needs it")
    except StoreMismatch as error:
        stale = refused(about, error)
        return stale if wanted else stale.model_copy(update={"verdict": "warn"})
    return ok(about, f"{model.id}, of this graph")


def _filled(flags: Path) -> int:
    """Count the filled rows of a table of vectors, from its flags alone."""
    try:
        return int(np.count_nonzero(np.fromfile(flags, dtype=np.uint8)))
    except FileNotFoundError:
        return 0
