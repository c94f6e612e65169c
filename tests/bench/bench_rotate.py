"""The RotatE reviewer on a graph: training time, AUC against the degree baseline, scoring time.

    python -m tests.bench.bench_rotate STORE MODEL              train into MODEL, then measure
    python -m tests.bench.bench_rotate STORE MODEL --opened     measure a model that is there

AUC is over held-out pairs of nodes: "even" against a corrupted end drawn evenly from the nodes of
its type, "matched" against one drawn by its degree within the relation. The degree baseline is the
log of the product of both degrees within the relation, over training edges. Scoring is timed with
a freshly opened model, first cold and then warm, over triplets drawn with a fixed seed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from optimize.environment import quiet_environment

if TYPE_CHECKING:
    from programs.review import ProposedTriplet
    from signatures.schema import Triplet

ASKED = 1000
REPEATS = 20


def main() -> None:
    """Train if asked, and print the figures."""
    quiet_environment()  # sets OMP_WAIT_POLICY, before torch is loaded
    from retrievers.graph import GraphStore
    from retrievers.rotate_manifest import RotateSettings
    from retrievers.rotate_train import train_rotate

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--opened", action="store_true", help="Do not train.")
    for name, field in RotateSettings.model_fields.items():
        flag = f"--{name.replace('_', '-')}"
        parser.add_argument(flag, type=type(field.default), default=field.default)
    asked = vars(parser.parse_args())
    graph = GraphStore.open(asked["store"])
    if not asked["opened"]:
        settings = RotateSettings(**{name: asked[name] for name in RotateSettings.model_fields})
        train_rotate(graph, asked["model"], settings=settings, progress=Ticker())
    measure(graph.path, asked["model"])


class Ticker:
    """Says now and then how far the training is, and how long it will take."""

    def __init__(self) -> None:
        """Start the clock."""
        self._began = time.perf_counter()
        self._said = self._began

    def __call__(self, done: int, total: int) -> None:
        """Write a line every 30 s."""
        now = time.perf_counter()
        if now - self._said > 30:
            left = (now - self._began) / done * (total - done)
            sys.stderr.write(f"batch {done} of {total}, {left:.0f} s left\n")
            self._said = now


def measure(store: Path, folder: Path) -> None:
    """Print the table of the model's manifest, and the time that scoring takes."""
    from programs.review_rotate import RotateReviewer
    from retrievers.graph import GraphStore
    from retrievers.rotate import RotateModel
    from retrievers.rotate_data import Triples

    graph = GraphStore.open(store)
    began = time.perf_counter()
    model = RotateModel.open(graph, folder)
    opened = time.perf_counter() - began
    known = model.manifest
    out(f"{known.id}: {known.settings}")
    out(f"{known.train_edges:,} edges trained in {known.seconds:.0f} s, with {known.versions}")
    out(f"{'relation':28}{'edges':>7}{'even':>7}{'degree':>8}{'matched':>9}{'degree':>8}")
    for name, figures in [
        ("all", known.overall),
        *((r.relation, r.figures) for r in known.relations if r.figures.edges),
    ]:
        cells = (figures.auc, figures.degree_auc, figures.matched_auc, figures.matched_degree_auc)
        shown = ("-" if cell is None else f"{cell:.3f}" for cell in cells)
        row = "{:>7}{:>8}{:>9}{:>8}".format(*shown)
        out(f"{name:28}{figures.edges:7d}{row}")
    out(f"Brier score {known.brier}")
    edges = np.random.default_rng(0).integers(graph.edge_count, size=ASKED)
    triples = Triples(*(column.astype(np.int64) for column in graph.endpoints(edges)))
    times = [milliseconds(lambda: model.probability(triples)) for _ in range(1 + REPEATS)]
    out(
        f"open {1000 * opened:.1f} ms; {ASKED} triplets: first {times[0]:.1f} ms, then "
        f"{np.median(times[1:]):.1f} ms (median of {REPEATS})"
    )
    asked = [as_proposed(graph.triplet(int(edge))) for edge in edges]
    reviewer = RotateReviewer(model)
    times = [milliseconds(lambda: reviewer.review(asked, question="")) for _ in range(REPEATS)]
    out(f"reviewed with a reason each: {np.median(times):.1f} ms (median of {REPEATS})")
    size = sum(file.stat().st_size for file in folder.iterdir())
    out(f"{size / 1e6:.1f} MB in {folder.name}")


def as_proposed(triplet: Triplet) -> ProposedTriplet:
    """Return a stored triplet as if a model had proposed it."""
    from programs.review import ProposedTriplet
    from signatures.schema import Hypothesis

    hypothesis = Hypothesis(
        head=triplet.head.name, relation=triplet.relation, tail=triplet.tail.name
    )
    return ProposedTriplet(hypothesis, triplet.head, triplet.tail)


def milliseconds(work: Callable[[], object]) -> float:
    """Return how long the work takes."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def out(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
