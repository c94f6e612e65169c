"""A graph of PrimeKG's size, made up: its published counts per node type and per relation.

    python -m tests.bench.synthetic_primekg kg.csv [--scale 0.1]

Counts: Chandak et al. 2023, tables 1 and 2 (129,375 nodes of ten types; 8,100,498 directed rows of
thirty relations). Degrees are skewed as in the real graph, every edge stands in both directions,
and names are made of syllables to the real length. Nothing in it is medically true.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Ints = npt.NDArray[np.int64]

NODES = {
    "gene/protein": 27_671,
    "drug": 7_957,
    "effect/phenotype": 15_311,
    "disease": 17_080,
    "biological_process": 28_642,
    "molecular_function": 11_169,
    "cellular_component": 4_176,
    "exposure": 818,
    "pathway": 2_516,
    "anatomy": 14_035,
}
SOURCES = {
    "gene/protein": "NCBI",
    "drug": "DrugBank",
    "effect/phenotype": "HPO",
    "disease": "MONDO",
    "exposure": "CTD",
    "pathway": "REACTOME",
    "anatomy": "UBERON",
}
ROWS = 8_100_498


class Relation(NamedTuple):
    """One relation and its directed rows."""

    name: str
    display: str
    head: str
    tail: str
    rows: int


RELATIONS = (
    Relation("anatomy_protein_present", "expression present", "anatomy", "gene/protein", 3_036_406),
    Relation("drug_drug", "synergistic interaction", "drug", "drug", 2_672_628),
    Relation("protein_protein", "ppi", "gene/protein", "gene/protein", 642_150),
    Relation(
        "disease_phenotype_positive", "phenotype present", "disease", "effect/phenotype", 300_634
    ),
    Relation("bioprocess_protein", "interacts with", "biological_process", "gene/protein", 289_610),
    Relation("cellcomp_protein", "interacts with", "cellular_component", "gene/protein", 166_804),
    Relation("disease_protein", "associated with", "disease", "gene/protein", 160_822),
    Relation("molfunc_protein", "interacts with", "molecular_function", "gene/protein", 139_060),
    Relation("drug_effect", "side effect", "drug", "effect/phenotype", 129_568),
    Relation(
        "bioprocess_bioprocess",
        "parent-child",
        "biological_process",
        "biological_process",
        105_772,
    ),
    Relation("pathway_protein", "interacts with", "pathway", "gene/protein", 85_292),
    Relation("disease_disease", "parent-child", "disease", "disease", 64_388),
    Relation("contraindication", "contraindication", "drug", "disease", 61_350),
    Relation("drug_protein", "target", "drug", "gene/protein", 51_306),
    Relation("anatomy_protein_absent", "expression absent", "anatomy", "gene/protein", 39_774),
    Relation("phenotype_phenotype", "parent-child", "effect/phenotype", "effect/phenotype", 37_472),
    Relation("anatomy_anatomy", "parent-child", "anatomy", "anatomy", 28_064),
    Relation("molfunc_molfunc", "parent-child", "molecular_function", "molecular_function", 27_148),
    Relation("indication", "indication", "drug", "disease", 18_776),
    Relation(
        "cellcomp_cellcomp", "parent-child", "cellular_component", "cellular_component", 9_690
    ),
    Relation("phenotype_protein", "associated with", "effect/phenotype", "gene/protein", 6_660),
    Relation("off-label use", "off-label use", "drug", "disease", 5_136),
    Relation("pathway_pathway", "parent-child", "pathway", "pathway", 5_070),
    Relation("exposure_disease", "linked to", "exposure", "disease", 4_608),
    Relation("exposure_exposure", "parent-child", "exposure", "exposure", 4_140),
    Relation("exposure_bioprocess", "interacts with", "exposure", "biological_process", 3_250),
    Relation("exposure_protein", "interacts with", "exposure", "gene/protein", 2_424),
    Relation(
        "disease_phenotype_negative", "phenotype absent", "disease", "effect/phenotype", 2_386
    ),
    Relation("exposure_molfunc", "interacts with", "exposure", "molecular_function", 90),
    Relation("exposure_cellcomp", "interacts with", "exposure", "cellular_component", 20),
)

# Share of a type's nodes that take part, and the skew of their degrees; dense relations need room.
_SHAPE = {
    "anatomy_protein_present": ((0.018, 0.35), (0.97, 0.15)),
    "drug_drug": ((0.55, 0.45), (0.55, 0.45)),
    "protein_protein": ((0.68, 0.75), (0.68, 0.75)),
}
_USUAL = ((0.6, 0.7), (0.6, 0.7))
_SYLLABLES = [
    "al",
    "be",
    "cor",
    "di",
    "en",
    "fos",
    "gli",
    "hy",
    "ion",
    "ker",
    "lam",
    "met",
    "nos",
    "ol",
    "phe",
    "ri",
    "sul",
    "thy",
    "uro",
    "vas",
    "xan",
    "zol",
]
_ROWS_AT_ONCE = 400_000
_FIELDS = ("index", "id", "type", "name", "source")
_HEADER = (
    ",".join(["relation", "display_relation", *(f"{end}_{f}" for end in "xy" for f in _FIELDS)])
    + "\n"
).encode()


def write_synthetic(path: Path, *, scale: float = 1.0, seed: int = 7) -> int:
    """Write the graph in PrimeKG's twelve columns and return its number of rows.

    Args:
        path: the CSV to write.
        scale: share of the edges of each relation; the nodes stay.
        seed: of the random numbers; one seed gives one file.
    """
    random = np.random.default_rng(seed)
    ends = _node_cells(random)
    heads, tails, relation = _edges(random, scale)
    # As in PrimeKG's file: relation after relation, and then all rows once more, reversed.
    x, y = np.concatenate([heads, tails]), np.concatenate([tails, heads])
    kind = np.concatenate([relation, relation])
    relations, displays = (
        pa.array(cells) for cells in zip(*((r.name, r.display) for r in RELATIONS), strict=True)
    )
    with path.open("wb") as file:
        file.write(_HEADER)
        for start in range(0, len(x), _ROWS_AT_ONCE):
            part = slice(start, start + _ROWS_AT_ONCE)
            kinds = pa.array(kind[part])
            cells = (
                *(texts.take(kinds) for texts in (relations, displays)),
                *(ends.take(pa.array(numbers[part])) for numbers in (x, y)),
            )
            lines = pc.binary_join_element_wise(*cells, ",")
            file.write(("\n".join(lines.to_pylist()) + "\n").encode())
    return len(x)


def _node_cells(random: np.random.Generator) -> pa.Array:
    """Return index, id, type, name and source of each node as they stand in a row."""
    types = [kind for kind, count in NODES.items() for _ in range(count)]
    return pa.array(
        ",".join(
            (
                str(number),
                f"DB{number:05d}" if kind == "drug" else str(1000 + number),
                kind,
                _name(random, kind, number),
                SOURCES.get(kind, "GO"),
            )
        )
        for number, kind in enumerate(types)
    )


def _name(random: np.random.Generator, kind: str, number: int) -> str:
    if kind == "gene/protein":
        return "".join(chr(65 + d) for d in random.integers(0, 26, 3)) + str(number)
    words = 1 if kind == "drug" else int(random.integers(2, 5))
    parts = ("".join(random.choice(_SYLLABLES, 3)) for _ in range(words))
    # One name in twenty has a comma, and so stands in quotes.
    return (
        f'"{", ".join(parts)} {number}"'
        if random.random() < 0.05
        else f"{' '.join(parts)} {number}"
    )


def _edges(random: np.random.Generator, scale: float) -> tuple[Ints, Ints, Ints]:
    starts = dict(zip(NODES, np.cumsum([0, *NODES.values()]).tolist(), strict=False))
    rank = {kind: random.permutation(count) for kind, count in NODES.items()}
    heads, tails, kinds = [], [], []
    for code, relation in enumerate(RELATIONS):
        shapes = _SHAPE.get(relation.name, _USUAL)
        first, second = (
            _sampler(random, rank[kind], starts[kind], share=share, skew=skew)
            for kind, (share, skew) in zip((relation.head, relation.tail), shapes, strict=True)
        )
        wanted = max(1, round(relation.rows // 2 * scale))
        alike = relation.head == relation.tail
        nodes = starts[relation.head] + rank[relation.head]
        chain = _chain(nodes) if alike and scale == 1 else np.empty(0, np.int64)
        head, tail = _pairs(random, first, second, wanted, alike=alike, chain=chain)
        heads.append(head)
        tails.append(tail)
        kinds.append(np.full(len(head), code))
    return np.concatenate(heads), np.concatenate(tails), np.concatenate(kinds)


def _sampler(
    random: np.random.Generator, rank: Any, start: int, *, share: float, skew: float
) -> Callable[[int], Ints]:
    weights = 1 / np.power(np.arange(1, max(3, int(len(rank) * share) + 1)) + 5, skew)
    cumulated = np.cumsum(weights) / weights.sum()

    def draw(count: int) -> Ints:
        drawn: Ints = start + rank[np.searchsorted(cumulated, random.random(count))]
        return drawn

    return draw


def _chain(nodes: Ints) -> Ints:
    """Pair all nodes of a type, so that none is without an edge."""
    first, second = nodes[:-1:2], nodes[1::2]
    if len(nodes) % 2:
        first, second = np.append(first, nodes[-1]), np.append(second, nodes[0])
    pairs: Ints = np.minimum(first, second) * sum(NODES.values()) + np.maximum(first, second)
    return pairs


def _pairs(
    random: np.random.Generator,
    first: Callable[[int], Ints],
    second: Callable[[int], Ints],
    wanted: int,
    *,
    alike: bool,
    chain: Ints,
) -> tuple[Ints, Ints]:
    """Draw distinct pairs; pairs of one type are unordered and never a node with itself."""
    nodes = sum(NODES.values())
    keys = chain
    while len(keys) < wanted:
        count = int((wanted - len(keys)) * 1.3) + 100
        x, y = first(count), second(count)
        if alike:
            x, y = np.minimum(x, y)[x != y], np.maximum(x, y)[x != y]
        drawn = np.setdiff1d(x * nodes + y, keys)
        keys = np.concatenate([keys, random.permutation(drawn)[: wanted - len(keys)]])
    return keys // nodes, keys % nodes


def main() -> None:
    """Write the file that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    asked = parser.parse_args()
    rows = write_synthetic(asked.path, scale=asked.scale)
    sys.stdout.write(f"{asked.path}: {rows:,} rows, {asked.path.stat().st_size / 1e6:,.0f} MB\n")


if __name__ == "__main__":
    main()
