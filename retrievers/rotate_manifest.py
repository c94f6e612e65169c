"""What a trained RotatE says of itself; the layout of its folder.

manifest.json       this file
entity.npy          complex64, shape (nodes, dimension)
relation.npy        complex64, shape (relations, dimension)
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from signatures.schema import Record

ROTATE_VERSION = 1
"""Raised whenever a file of the model changes its meaning."""


class RotateSettings(Record):
    """How RotatE is trained. The defaults were measured on a graph of 411,554 edges."""

    dimension: int = Field(default=32, ge=2, le=2048, description="complex numbers per node")
    epochs: int = Field(default=6, ge=1, le=10_000, description="passes over the training edges")
    batch: int = Field(default=4096, ge=1, description="edges per step, at most")
    negatives: int = Field(default=8, ge=2, le=1024, description="corrupted triplets per edge")
    margin: float = Field(default=3.0, gt=0, description="gamma of Sun et al. 2019, equation 4")
    temperature: float = Field(default=1.0, ge=0, description="alpha of Sun et al. 2019, eq. 5")
    learning_rate: float = Field(default=0.05, gt=0, description="of Adam")
    held_out: float = Field(default=0.1, gt=0, lt=1, description="share of pairs that never train")
    seed: int = Field(default=0, ge=0, description="decides the split, the start and the negatives")


class Figures(Record):
    """How well held-out edges are told from corrupted ones; AUC from 0 to 1, .5 is a coin.

    The degree baseline is log(1 + degree of head) + log(1 + degree of tail) over training edges.
    """

    edges: int
    """Held-out edges that were tested."""
    auc: float | None
    """Against corrupted ends drawn evenly from the nodes of the type; `None` without test edges."""
    degree_auc: float | None
    matched_auc: float | None
    """Against corrupted ends drawn by degree: popularity does not help here."""
    matched_degree_auc: float | None


class RelationReport(Record):
    """One relation of the graph under the model."""

    relation: str
    directed: bool
    trained: int
    """Logical edges that the model saw."""
    type_pairs: tuple[tuple[str, str], ...]
    """Head and tail types that the graph joins by this relation."""
    figures: Figures
    slope: float = Field(gt=0)
    """Probability = 1 / (1 + exp(-(slope * score + intercept)))."""
    intercept: float
    calibrated_on: Literal["relation", "all relations"]
    """`all relations` where the relation has too few held-out edges of its own."""

    def joins(self, head_type: str, tail_type: str) -> bool:
        """Say whether the graph joins such types by this relation."""
        pair = (head_type, tail_type)
        return pair in self.type_pairs or (not self.directed and pair[::-1] in self.type_pairs)


class RotateManifest(Record):
    """The model's own description, as `manifest.json` holds it."""

    kind: Literal["rotate"] = "rotate"
    schema_version: int
    fingerprint: str
    """Of the graph store that it was trained on."""
    settings: RotateSettings
    versions: dict[str, str]
    """PyKEEN and torch, as installed."""
    nodes: int
    train_edges: int
    calibration_edges: int
    test_edges: int
    relations: tuple[RelationReport, ...]
    """In order of the relation codes of the store."""
    overall: Figures
    brier: float | None
    """Mean squared error of the probability, test edges and corrupted ones weighing the same: 0 is
    perfect, a constant 0.5 gives 0.25."""
    losses: tuple[float, ...]
    """Mean loss of each epoch."""
    seconds: float

    @property
    def id(self) -> str:
        """Name of the model for result rows: kind, dimension, epochs, seed and graph."""
        s = self.settings
        return f"rotate-d{s.dimension}-e{s.epochs}-s{s.seed}-{self.fingerprint[:8]}"
