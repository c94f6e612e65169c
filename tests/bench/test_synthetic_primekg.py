"""The made-up graph has PrimeKG's published counts, and the builder reads it."""

from __future__ import annotations

from pathlib import Path

from data.relations import relation_table
from retrievers.build import build_store
from tests.bench.synthetic_primekg import NODES, RELATIONS, ROWS, write_synthetic


def test_published_counts() -> None:
    assert sum(NODES.values()) == 129_375
    assert sum(relation.rows for relation in RELATIONS) == ROWS == 2 * 4_050_249
    assert {relation.name for relation in RELATIONS} == set(relation_table())


def test_every_row_has_its_mirror(tmp_path: Path) -> None:
    rows = write_synthetic(tmp_path / "kg.csv", scale=0.0005)
    report = build_store(tmp_path / "kg.csv", tmp_path / "store", strict_schema=True)
    assert report.rows_read == rows == 2 * report.logical_edges
    assert (report.mirrored_rows, report.duplicate_rows) == (report.logical_edges, 0)
    assert (report.index_collisions, report.node_name_conflicts) == (0, 0)
