"""Small graph stores for tests, built by the real builder from a few lines."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from retrievers.build import build_store
from retrievers.graph import GraphStore

TYPES = {
    "drug": "DrugBank",
    "disease": "MONDO",
    "effect/phenotype": "HPO",
    "gene/protein": "NCBI",
    "exposure": "CTD",
}
"""Node type to vocabulary."""

Fact = tuple[str, str, str, str, str]
"""Head name, head type, relation, tail name, tail type."""

ENDS = ("index", "id", "type", "name", "source")
COLUMNS = ["relation", "display_relation", *(f"{end}_{cell}" for end in "xy" for cell in ENDS)]


def make_graph(
    folder: Path, facts: Iterable[Fact], *, displays: dict[str, str] | None = None
) -> GraphStore:
    """Build a store of these facts, each stored in both directions as PrimeKG does."""
    numbers: dict[tuple[str, str], int] = {}
    rows = []
    for head, head_type, relation, tail, tail_type in facts:
        display = (displays or {}).get(relation, relation)
        ends = [_cells(numbers, head, head_type), _cells(numbers, tail, tail_type)]
        rows += [[relation, display, *ends[0], *ends[1]], [relation, display, *ends[1], *ends[0]]]
    file = folder / "kg.csv"
    with file.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerows([COLUMNS, *rows])
    build_store(file, folder / "store")
    return GraphStore.open(folder / "store")


def _cells(numbers: dict[tuple[str, str], int], name: str, node_type: str) -> list[str]:
    number = numbers.setdefault((name, node_type), len(numbers))
    return [str(number), str(9000 + number), node_type, name, TYPES.get(node_type, "GO")]
