"""How long a region takes. Run: python tests/bench/bench_region_speed.py STORE [--questions 60].

Questions and options of MedQA. *Cold*: no triplet of the question was embedded before (a fresh
table). *Warm*: the same questions again, the query still embedded anew. Then hubs of the graph,
and how much of the region without a prefilter each kind of prefilter keeps.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from retrievers.candidates import Candidates
from retrievers.embedding import SentenceEncoder
from retrievers.graph import GraphStore
from retrievers.graph_vectors import GraphVectors, Vectors
from retrievers.linking import GraphLinker
from retrievers.region import RegionBuilder, RegionSettings
from signatures.schema import Node

REPO = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("QKGRAM_SHARED", REPO.parent / "shared")) / "data"
POOL = (200, 2500)
"""Candidates of the questions on which regions with and without prefilter are compared."""


class Asked(NamedTuple):
    """A question and its options."""

    text: str
    options: tuple[str, ...]


def main() -> None:
    """Print times, then overlaps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--compared", type=int, default=12)
    asked = parser.parse_args()
    graph = GraphStore.open(asked.store)
    began = time.perf_counter()
    linker = GraphLinker(graph)
    linker.link("aspirin")
    out(f"linker's dictionary: {time.perf_counter() - began:.2f} s")
    encoder = SentenceEncoder()
    began = time.perf_counter()
    encoder.embed(["aspirin"])
    out(f"encoder, imports included: {time.perf_counter() - began:.2f} s")
    questions = read_questions()
    kept = GraphVectors(graph, encoder)
    with tempfile.TemporaryDirectory() as folder:
        fresh = copy_without_triplets(kept, Path(folder))
        builder = RegionBuilder(graph, linker, encoder, vectors=fresh)
        lasts = [Asked(last_sentence(q.text), q.options) for q in questions[: asked.questions]]
        times(builder, "last sentence", lasts)
        times(builder, "whole vignette", questions[: asked.questions])
        hubs(builder)
    if asked.compared:
        overlaps(kept, linker, questions, asked.compared)


def read_questions() -> list[Asked]:
    """Return MedQA's dev questions."""
    rows = json.loads((SHARED / "medqa_full_dev.json").read_text("utf-8"))
    return [Asked(row["question"], tuple(text[3:] for text in row["options"])) for row in rows]


def copy_without_triplets(kept: GraphVectors, folder: Path) -> GraphVectors:
    """Return vectors of all names and the fitted tables, and of no triplet."""
    made = GraphVectors(kept.graph, kept.embedder, folder=folder)
    shutil.copytree(kept.folder, made.folder, ignore=shutil.ignore_patterns("triplets.*"))
    out(f"vectors: {made.kind}" + (f", {made.prefilter.report}" if made.prefilter else ""))
    return made


def last_sentence(text: str) -> str:
    """Return what a vignette asks, about as long as a sub-question."""
    return text.split(". ")[-1]


def times(builder: RegionBuilder, kind: str, questions: Sequence[Asked]) -> None:
    """Print p50 and p95 of the same questions, cold and then warm."""
    for name in ("cold", "warm"):
        spent, found, encoding = [], [], []
        for question in questions:
            forget(builder)
            began = time.perf_counter()
            region = builder.build(question.text, domain="DRUG_THERAPY", options=question.options)
            spent.append(1000 * (time.perf_counter() - began))
            found.append(region.candidates)
            forget(builder)
            began = time.perf_counter()
            builder.embedder.embed([question.text])
            encoding.append(1000 * (time.perf_counter() - began))
        p50, p95 = np.percentile(spent, [50, 95])
        out(
            f"{kind}, {name}: p50 {p50:7.1f} ms, p95 {p95:7.1f} ms over {len(spent)} questions; "
            f"of it the query's own vector p50 {np.median(encoding):.1f} ms; "
            f"candidates median {int(np.median(found))}, most {max(found)}"
        )


def hubs(builder: RegionBuilder) -> None:
    """Print the warm time of regions around the biggest hubs."""
    graph = builder.graph
    degree = np.array([graph.degree(node) for node in range(graph.node_count)])
    by_degree = np.argsort(-degree, kind="stable")
    for count in (1, 3, 8):
        anchors: list[Node] = [graph.node(int(node)) for node in by_degree[:count]]
        spent = []
        for _ in range(6):
            forget(builder)
            began = time.perf_counter()
            region = builder.build("Which one is it?", domain="INTEGRATED", anchors=anchors)
            spent.append(1000 * (time.perf_counter() - began))
        out(
            f"{count} biggest hubs, {region.candidates} candidates: first {spent[0]:.0f} ms, "
            f"then p50 {np.median(spent[1:]):.1f} ms"
        )


def overlaps(
    vectors: GraphVectors, linker: GraphLinker, questions: Sequence[Asked], count: int
) -> None:
    """Print the share of the region without prefilter that each prefilter keeps."""
    graph, encoder = vectors.graph, vectors.embedder
    summed = PlainSum(graph, encoder, folder=vectors.folder.parent)
    whole = RegionBuilder(graph, linker, encoder, RegionSettings(prefilter=None), vectors=vectors)
    builders: dict[str, RegionBuilder] = {}
    for size in (64, 128, 256):
        settings = RegionSettings(prefilter=size)
        for name, table in (("plain sum", summed), ("fitted", vectors)):
            made = RegionBuilder(graph, linker, encoder, settings, vectors=table)
            builders[f"{name}, {size}"] = made
            undealt = Undealt(graph, linker, encoder, settings, vectors=table)
            builders[f"{name}, {size}, nothing dealt"] = undealt
    kept: dict[str, list[float]] = {name: [] for name in builders}
    pools: list[int] = []
    for question in questions:
        query = last_sentence(question.text)
        asked = {"domain": "DRUG_THERAPY", "options": question.options}
        size = next(iter(builders.values())).build(query, **asked).candidates  # type: ignore[arg-type]
        if not POOL[0] <= size <= POOL[1]:
            continue
        pools.append(size)
        ids = whole.build(query, **asked).ids  # type: ignore[arg-type]
        for name, builder in builders.items():
            shared = builder.build(query, **asked).ids & ids  # type: ignore[arg-type]
            kept[name].append(len(shared) / len(ids))
        if len(pools) == count:
            break
    out(
        f"overlap with the region without prefilter, {len(pools)} questions, "
        f"{min(pools)} to {max(pools)} candidates (median {int(np.median(pools))}):"
    )
    for name, shares in kept.items():
        out(f"  {name:30s} mean {np.mean(shares):.3f}, least {min(shares):.3f}")


class PlainSum(GraphVectors):
    """Vectors without the fitted composition."""

    @property
    def prefilter(self) -> None:  # type: ignore[override]
        """Nothing was fitted."""
        return


class Undealt(RegionBuilder):
    """A prefilter by score alone."""

    def _prefilter(
        self,
        found: Candidates,
        query: Vectors,
        weights: Vectors,
        anchors: tuple[Node, ...],
    ) -> Candidates:
        limit = self.settings.prefilter
        if limit is None or len(found.edge) <= limit:
            return found
        score = self.vectors.compose(found, query) * weights
        return found.take(np.sort(np.argsort(-score, kind="stable")[:limit]))


def forget(builder: RegionBuilder) -> None:
    """Make the encoder embed the next query anew, as a new question would."""
    builder.embedder._recent.clear()  # type: ignore[attr-defined]


def out(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
