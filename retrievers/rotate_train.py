"""Training the RotatE reviewer of a graph: split, fit, calibrate, test, write.

Held-out pairs of nodes are halved: one half calibrates, the other tests, so that no figure is of
edges that anything was fitted to. Nothing is written before everything is done.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retrievers.graph import GraphStore
from retrievers.manifest import MANIFEST
from retrievers.rotate import default_folder, score_both_ways
from retrievers.rotate_data import (
    Corrupted,
    Degrees,
    Known,
    Pools,
    Sides,
    Split,
    Triples,
    all_triples,
    corrupt,
    pools_of,
    sides_of,
    split_edges,
    with_mirrors,
)
from retrievers.rotate_fit import Fitted, fit, require_pykeen
from retrievers.rotate_manifest import (
    ROTATE_VERSION,
    Figures,
    RelationReport,
    RotateManifest,
    RotateSettings,
)
from retrievers.rotate_measures import Calibration, Floats, auc, brier, logistic, platt
from retrievers.store_files import store_at, write_array, write_bytes
from signatures.errors import InputError

OWN_CALIBRATION = 100
"""Held-out edges from which on a relation gets a curve of its own: two numbers fitted to them."""

Scorer = Callable[[Triples], Floats]
Mask = npt.NDArray[np.bool_]


class Trial(NamedTuple):
    """Held-out edges and what was made of them."""

    true: Triples
    even: Corrupted
    matched: Corrupted

    def of(self, mask: Mask, score: Scorer) -> tuple[Floats, Floats, Floats]:
        """Return scores of the true triples under the mask and of those made from them."""
        made = (c.triples.take(mask[c.made_from]) for c in (self.even, self.matched))
        even, matched = (score(triples) for triples in made)
        return score(self.true.take(mask)), even, matched


def train_rotate(
    graph: GraphStore,
    out: Path | None = None,
    *,
    settings: RotateSettings = RotateSettings(),
    progress: Callable[[int, int], None] | None = None,
) -> RotateManifest:
    """Train, calibrate and test RotatE on the graph's logical edges, and write it.

    Args:
        graph: the store; only read.
        out: folder of the model, by default beside the store; an older model there is replaced
            when the new one is complete.
        settings: size and length of the training.
        progress: told how many batches are done, and of how many.

    Raises:
        MissingError: PyKEEN is not installed.
        InputError: `out` is something else, or the graph has no pair of nodes to hold out.
    """
    folder = default_folder(graph) if out is None else out
    require_pykeen()
    _check_target(folder)
    began = time.perf_counter()
    triples, sides = all_triples(graph), sides_of(graph)
    rng = np.random.default_rng(settings.seed)
    split = _split(graph, triples, settings, rng)
    train = triples.take(split.train)
    pools = pools_of(train, sides, relations=len(graph.relations))
    fitted = fit(
        with_mirrors(train, sides.directed),
        pools,
        nodes=graph.node_count,
        relations=len(graph.relations),
        settings=settings,
        progress=progress,
    )
    known = Known(triples, nodes=graph.node_count)
    trials = [
        _trial(triples.take(part), pools, known, rng) for part in (split.calibration, split.test)
    ]
    manifest = _describe(graph, triples, sides, split, fitted, trials, settings)
    manifest = manifest.model_copy(update={"seconds": round(time.perf_counter() - began, 3)})
    _write(folder, fitted, manifest)
    return manifest


def _split(
    graph: GraphStore, triples: Triples, settings: RotateSettings, rng: np.random.Generator
) -> Split:
    few = f"{graph.path} is too small to train RotatE: it has no pair of nodes to hold out twice"
    if not graph.edge_count:
        raise InputError(f"{few}; take a larger graph")
    split = split_edges(triples, held_out=settings.held_out, rng=rng)
    if not len(split.calibration) or not len(split.test):
        raise InputError(f"{few} at a share of {settings.held_out}; take a larger graph or share")
    return split


def _trial(true: Triples, pools: Pools, known: Known, rng: np.random.Generator) -> Trial:
    made = (corrupt(true, pool, known, rng) for pool in (pools.even, pools.matched))
    return Trial(true, *made)


def _describe(
    graph: GraphStore,
    triples: Triples,
    sides: Sides,
    split: Split,
    fitted: Fitted,
    trials: list[Trial],
    settings: RotateSettings,
) -> RotateManifest:
    """Calibrate on the first trial and test on the second."""

    def score(wanted: Triples) -> Floats:
        return score_both_ways(fitted.entity, fitted.relation, sides.directed, wanted)

    train = triples.take(split.train)
    degree = Degrees(train, nodes=graph.node_count).score
    calibration, test = trials
    curves = _curves(calibration, score, relations=len(graph.relations))
    counts = np.bincount(train.relation, minlength=len(graph.relations))
    reports = tuple(
        RelationReport(
            relation=name,
            directed=bool(sides.directed[code]),
            trained=int(counts[code]),
            type_pairs=_type_pairs(triples.take(triples.relation == code), sides),
            figures=_figures(test, test.true.relation == code, score, degree),
            **curves[code][0]._asdict(),
            calibrated_on="relation" if curves[code][1] else "all relations",
        )
        for code, name in enumerate(graph.relations)
    )
    everything = np.ones(len(test.true.head), dtype=np.bool_)
    return RotateManifest(
        schema_version=ROTATE_VERSION,
        fingerprint=graph.fingerprint,
        settings=settings,
        versions=fitted.versions,
        nodes=graph.node_count,
        train_edges=len(split.train),
        calibration_edges=len(split.calibration),
        test_edges=len(split.test),
        relations=reports,
        overall=_figures(test, everything, score, degree),
        brier=_brier(test, score, [curve for curve, _ in curves]),
        losses=fitted.losses,
        seconds=0.0,
    )


def _curves(trial: Trial, score: Scorer, *, relations: int) -> list[tuple[Calibration, bool]]:
    """Return the curve of each relation, and whether it is its own.

    Raises:
        InputError: a better score does not mean a likelier triplet: nothing was learned.
    """
    codes = trial.true.relation
    shared = _curve(trial, np.ones(len(codes), dtype=np.bool_), score)
    if shared is None:
        raise InputError(
            "RotatE tells held-out edges from corrupted ones no better than chance; "
            "take more --epochs or a larger graph"
        )
    curves = []
    for code in range(relations):
        mask = codes == code
        own = _curve(trial, mask, score) if mask.sum() >= OWN_CALIBRATION else None
        curves.append((shared if own is None else own, own is not None))
    return curves


def _curve(trial: Trial, mask: Mask, score: Scorer) -> Calibration | None:
    true, even, matched = trial.of(mask, score)
    return platt(true, np.concatenate([even, matched]))


def _figures(trial: Trial, mask: Mask, score: Scorer, degree: Scorer) -> Figures:
    true, even, matched = trial.of(mask, score)
    true_degree, even_degree, matched_degree = trial.of(mask, degree)
    return Figures(
        edges=int(mask.sum()),
        auc=auc(true, even),
        degree_auc=auc(true_degree, even_degree),
        matched_auc=auc(true, matched),
        matched_degree_auc=auc(true_degree, matched_degree),
    )


def _brier(trial: Trial, score: Scorer, curves: list[Calibration]) -> float | None:
    slope, intercept = np.array(curves).T

    def likely(triples: Triples) -> Floats:
        return logistic(slope[triples.relation] * score(triples) + intercept[triples.relation])

    true, even, matched = trial.of(np.ones(len(trial.true.head), dtype=np.bool_), likely)
    return brier(true, np.concatenate([even, matched]))


def _type_pairs(triples: Triples, sides: Sides) -> tuple[tuple[str, str], ...]:
    kinds = len(sides.type_names)
    pairs = np.unique(sides.types[triples.head] * kinds + sides.types[triples.tail])
    return tuple((sides.type_names[p // kinds], sides.type_names[p % kinds]) for p in pairs)


def _check_target(folder: Path) -> None:
    """Refuse, before training, a place that holds anything but an older RotatE model."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    try:
        fields = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        fields = {}
    if not isinstance(fields, dict) or fields.get("kind") != "rotate":
        raise InputError(f"{folder} is there and is no RotatE model; name another --out")


def _write(folder: Path, fitted: Fitted, manifest: RotateManifest) -> None:
    with store_at(folder) as partial:
        write_array(partial, "entity", fitted.entity)
        write_array(partial, "relation", fitted.relation)
        write_bytes(partial, MANIFEST, manifest.model_dump_json(indent=1).encode())
