"""Does the region hold the fact that decides? Run: python tests/bench/bench_region_recall.py STORE.

Items of `kgrag_mcq_questions.csv` (which of five genes belongs to both diseases) whose gold gene is
adjacent, in the graph, to a disease of the question. An item is found when its region holds a
triplet that joins the gold gene to one of them. One figure per setting; K = 15.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from retrievers.embedding import SentenceEncoder
from retrievers.graph import GraphStore
from retrievers.graph_vectors import GraphVectors
from retrievers.linking import GraphLinker
from retrievers.region import RegionBuilder, RegionSettings
from signatures.schema import Node

REPO = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("QKGRAM_SHARED", REPO.parent / "shared")) / "data"
CONDITIONS = frozenset({"disease", "effect/phenotype"})
GENES = frozenset({"gene/protein"})

VARIANTS: dict[str, dict[str, object]] = {
    "join_weight 1 (paper)": {"join_weight": 1.0},
    "join_weight 1.25": {"join_weight": 1.25},
    "join_weight 1.5": {"join_weight": 1.5},
    "join_weight 2": {"join_weight": 2.0},
    "join_weight 3": {"join_weight": 3.0},
    "default": {},
    "default, no domain prior": {"use_domain": False},
    "default, no MMR": {"use_mmr": False},
    "default, no prefilter": {"prefilter": None},
    "default, prefilter 64": {"prefilter": 64},
    "paper, no domain prior": {"join_weight": 1.0, "use_domain": False},
    "paper, no MMR": {"join_weight": 1.0, "use_mmr": False},
    "paper, no prefilter": {"join_weight": 1.0, "prefilter": None},
}


class Item(NamedTuple):
    """A question, its options, and the nodes whose joining triplet decides."""

    text: str
    options: tuple[str, ...]
    gene: int
    diseases: frozenset[int]


def main() -> None:
    """Print the denominator, then the recall of each variant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="Items, from the first.")
    parser.add_argument("--only", nargs="*", default=list(VARIANTS), help="Variants to run.")
    asked = parser.parse_args()
    graph = GraphStore.open(asked.store)
    linker, encoder = GraphLinker(graph), SentenceEncoder()
    vectors = GraphVectors(graph, encoder)
    items, told = adjacent_items(graph, linker)
    out(
        f"{told['questions']} questions; gold gene linked in {told['gene']}; a disease linked in "
        f"{told['disease']}; adjacent (the denominator): {len(items)}; vectors: {vectors.kind}"
    )
    for name in asked.only:
        settings = RegionSettings.model_validate(VARIANTS[name])
        builder = RegionBuilder(graph, linker, encoder, settings, vectors=vectors)
        report(name, builder, items[: asked.limit])


def adjacent_items(graph: GraphStore, linker: GraphLinker) -> tuple[list[Item], dict[str, int]]:
    """Return the items whose gold gene touches a disease of the question, and the counts."""
    told = {"questions": 0, "gene": 0, "disease": 0}
    items = []
    with (SHARED / "kgrag_mcq_questions.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            told["questions"] += 1
            gene = linker.link_name(row["correct_node"].strip(), types=GENES).node
            diseases = {
                node.index
                for name in (row["disease_1"], row["disease_2"])
                for node in namesakes(linker, name)
            }
            told["gene"] += gene is not None
            told["disease"] += bool(diseases)
            if gene is None:
                continue
            near = {int(node) for node in graph.neighbours(gene.index)[0]} & diseases
            options = tuple(o.strip() for o in row["options_combined"].split(",") if o.strip())
            if near:
                items.append(Item(row["text"], options, gene.index, frozenset(near)))
    return items, told


def namesakes(linker: GraphLinker, name: str) -> tuple[Node, ...]:
    """Return the disease, and the phenotypes of the same name."""
    link = linker.link_name(name, types=CONDITIONS)
    return link.candidates if link.node else ()


def report(name: str, builder: RegionBuilder, items: list[Item]) -> None:
    """Print how many items of a variant are found, and the seconds it took."""
    began = time.perf_counter()
    found = sum(holds(builder, item) for item in items)
    share = 100 * found / max(len(items), 1)
    seconds = time.perf_counter() - began
    out(f"{name:28s} {found:4d} of {len(items)} = {share:5.1f} %   {seconds:6.1f} s")


def holds(builder: RegionBuilder, item: Item) -> bool:
    """Say whether the region of an item joins the gold gene to a disease of the question."""
    region = builder.build(item.text, domain="GENE_PROTEIN", options=item.options)
    ends = ({t.head.index, t.tail.index} for t in region.triplets)
    return any(item.gene in pair and pair & item.diseases for pair in ends)


def out(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
