"""Building a graph store from PrimeKG's CSV and, when given, ConstraintItems and alias files.

The same files always give the same store: nodes are numbered by the file's index, type and id,
edges by head, relation, display relation and tail.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from data.primekg import read_constraints
from retrievers.build_aliases import AliasCounts, add_aliases
from retrievers.build_constraints import Attached, attach
from retrievers.build_merge import check_schema, merge, number_rows
from retrievers.build_report import MergedGraph, describe
from retrievers.manifest import BuildReport
from retrievers.store_files import store_at
from retrievers.store_writer import write_graph, write_manifest

__all__ = ["BuildReport", "Progress", "build_store"]

Progress = Callable[[str, int, int], None]
"""Called with the name of the stage, the work done and the work in all."""


def build_store(
    csv: Path,
    out: Path,
    *,
    constraints: Path | None = None,
    aliases: Sequence[Path] = (),
    progress: Progress | None = None,
    strict_schema: bool = False,
) -> BuildReport:
    """Build the store at `out`; an older store there is replaced only when the new one is complete.

    Args:
        csv: PrimeKG's twelve columns, plain or gzipped.
        out: folder of the store; its parents are made.
        constraints: JSON lines in the shape of the QKG release.
        aliases: files of further names, as `data.aliases` reads them.
        progress: told of each stage.
        strict_schema: refuse relations and node types that PrimeKG does not have.

    Raises:
        GraphFileError: a file cannot be read, or is refused by `strict_schema`.
        InputError: `out` is not a store and not empty, or cannot be written.
    """
    began = time.perf_counter()
    tell = progress or (lambda stage, done, total: None)
    with store_at(out) as folder:
        graph = _read(csv, tell, strict=strict_schema)
        graph, counts = _name(graph, aliases, tell)
        attached = attach_file(constraints, graph, tell)
        tell("writing", 0, 1)
        write_graph(folder, graph.nodes.nodes, graph.edges, attached.items)
        manifest = describe(csv, constraints, graph, attached, counts, out=out, began=began)
        write_manifest(folder, manifest)
        tell("writing", 1, 1)
    return manifest.report


def attach_file(
    constraints: Path | None, graph: MergedGraph, progress: Progress | None = None
) -> Attached:
    """Attach the lines of a constraint file to a graph; nothing when there is no file.

    Raises:
        GraphFileError: a line cannot be read.
    """
    if constraints is None:
        return Attached({}, ())
    tell = progress or (lambda stage, done, total: None)
    tell("constraints", 0, 1)
    attached = attach(
        read_constraints(constraints),
        graph.nodes.nodes,
        graph.edges,
        relations=graph.relations,
        displays=graph.displays,
    )
    tell("constraints", 1, 1)
    return attached


def _read(csv: Path, tell: Progress, *, strict: bool) -> MergedGraph:
    numbered = number_rows(csv, advance=partial(tell, "reading"))
    if strict:
        check_schema(csv, numbered)
    tell("merging", 0, 1)
    graph = merge(numbered)
    tell("merging", 1, 1)
    return graph


def _name(
    graph: MergedGraph, files: Sequence[Path], tell: Progress
) -> tuple[MergedGraph, tuple[AliasCounts, ...]]:
    if not files:
        return graph, ()
    tell("aliases", 0, 1)
    nodes, counts = add_aliases(graph.nodes.nodes, files)
    tell("aliases", 1, 1)
    return graph._replace(nodes=graph.nodes._replace(nodes=nodes)), counts
