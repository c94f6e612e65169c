"""Examining a graph file or a store: every oddity with count, examples and what to do.

The cases are those that loaders of PrimeKG stumble over: rows stored twice, two names for a node,
two nodes on an index, ids that became floats, gene symbols that became dates, and the like.
"""

from __future__ import annotations

from pathlib import Path

from retrievers.build import Progress, attach_file
from retrievers.build_merge import merge, number_rows
from retrievers.doctor_graph import GraphParts, graph_findings
from retrievers.doctor_refused import refused_findings
from retrievers.doctor_rows import row_findings
from retrievers.findings import SHOWN, Diagnosis, Finding, note, problem
from retrievers.graph import GraphStore
from retrievers.store_files import leftovers
from retrievers.stored import stored_edges, stored_nodes
from signatures.errors import GraphFileError

_CONSTRAINT_ADVICE = (
    "name both ends by the ids of this graph, and a relation that joins them; such a line changes "
    "no answer"
)


def diagnose(
    path: Path, *, constraints: Path | None = None, progress: Progress | None = None
) -> Diagnosis:
    """Examine a graph file, or a store when `path` is a folder.

    Args:
        path: PrimeKG's CSV, plain or gzipped, or a store.
        constraints: a constraint file whose lines are looked up in the graph file.
        progress: told of each stage.

    Raises:
        StoreNotFound: `path` is a folder without a store.
        StoreMismatch: the store is damaged or of another version.
    """
    if path.is_dir():
        return Diagnosis(source=str(path), kind="store", findings=_of_store(path))
    try:
        findings = _of_file(path, constraints, progress)
    except GraphFileError as error:
        findings = refused_findings(path, error, progress)
    return Diagnosis(source=path.name, kind="file", findings=findings)


def _of_file(csv: Path, constraints: Path | None, progress: Progress | None) -> tuple[Finding, ...]:
    tell = progress or (lambda stage, done, total: None)
    numbered = number_rows(csv, advance=lambda done, total: tell("reading", done, total))
    tell("examining", 0, 1)
    graph = merge(numbered)
    attached = attach_file(constraints, graph)
    findings = (
        *row_findings(csv, numbered),
        *graph_findings(GraphParts(graph.nodes.nodes, graph.edges, graph.relations)),
        *problem(
            "dangling_constraints",
            "constraint lines that fit no edge, or several pairs of nodes",
            attached.unmatched,
            _CONSTRAINT_ADVICE,
        ),
    )
    tell("examining", 1, 1)
    return findings


def _of_store(path: Path) -> tuple[Finding, ...]:
    graph = GraphStore.open(path)
    parts = GraphParts(stored_nodes(graph), stored_edges(graph), graph.relations)
    return (*_of_report(graph), *graph_findings(parts), *_left_behind(path))


def _of_report(graph: GraphStore) -> tuple[Finding, ...]:
    """Repeat what the build counted; the rows themselves are gone."""
    report = graph.manifest.report
    merged = "nothing: the build merged them; examine the graph file to see the rows"
    return (
        *note(
            "mirrored_rows",
            "edges that stood in the file once more, reversed",
            [],
            merged,
            count=report.mirrored_rows,
        ),
        *note(
            "duplicate_rows",
            "rows that repeated an earlier one",
            [],
            merged,
            count=report.duplicate_rows,
        ),
        *note(
            "several_indexes",
            "nodes to which the file gave several indexes",
            [],
            merged,
            count=report.split_nodes,
        ),
        *note(
            "index_collisions",
            "indexes that several nodes shared",
            [],
            "nothing: the nodes were kept apart",
            count=report.index_collisions,
        ),
        *note(
            "several_names",
            "nodes to which the file gave more than one name",
            [],
            "nothing: the rarer names are aliases",
            count=report.node_name_conflicts,
        ),
        *problem(
            "unknown_relations",
            "relations that PrimeKG does not have",
            report.unknown_relations,
            "correct the graph file, or add them to data/relations.csv, and build again",
        ),
        *problem(
            "unknown_types",
            "node types that PrimeKG does not have",
            report.unknown_types,
            "correct the graph file and build again",
        ),
        *problem(
            "dangling_constraints",
            "constraint lines that fit no edge, or several pairs of nodes",
            [w for w in report.warnings if w.startswith("constraint lines")][:SHOWN],
            _CONSTRAINT_ADVICE,
            count=report.constraint_unmatched,
        ),
    )


def _left_behind(path: Path) -> tuple[Finding, ...]:
    return note(
        "leftovers",
        "folders that killed builds left beside the store",
        [str(left) for left in leftovers(path)],
        "delete them if no build is running",
    )
