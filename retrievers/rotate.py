"""RotatE of a graph, opened: how likely a triplet is, in plain numpy over memory-mapped vectors.

ReGraM §B.1 names RotatE on PrimeKG as the start of its Reviewer. Training is in
`retrievers.rotate_train`; neither PyKEEN nor torch is needed here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from data.relations import reads_forward
from retrievers.graph import GraphStore
from retrievers.manifest import MANIFEST
from retrievers.rotate_data import Triples
from retrievers.rotate_manifest import ROTATE_VERSION, RelationReport, RotateManifest
from retrievers.rotate_measures import Floats, logistic, rotate_score
from signatures.errors import ModelNotFound, StoreMismatch
from signatures.schema import Node

Complex = npt.NDArray[np.complex64]


class RotateModel:
    """A trained model of one graph; shared by threads and never copied."""

    def __init__(self, path: Path, manifest: RotateManifest, entity: Complex, relation: Complex):
        """Hold mapped vectors; use `open`."""
        self.path = path
        self.manifest = manifest
        self._entity, self._relation = entity, relation
        self._code = {report.relation: code for code, report in enumerate(manifest.relations)}
        self._directed = np.array([report.directed for report in manifest.relations])
        self._slope = np.array([report.slope for report in manifest.relations])
        self._intercept = np.array([report.intercept for report in manifest.relations])

    @classmethod
    def open(cls, graph: GraphStore, path: Path | None = None) -> Self:
        """Open the model of this graph, by default beside its store; no vector is read yet.

        Raises:
            ModelNotFound: there is none; the message holds the command that trains it.
            StoreMismatch: it was trained on another graph, by another version, or is damaged.
        """
        folder = default_folder(graph) if path is None else path
        remedy = train_command(graph, folder)
        manifest = read_rotate_manifest(folder, remedy=remedy)
        graph.require(manifest.fingerprint, what=f"the RotatE model {folder}", remedy=remedy)
        shape = (manifest.nodes, manifest.settings.dimension)
        entity = _map(folder, "entity", shape=shape, remedy=remedy)
        shape = (len(manifest.relations), manifest.settings.dimension)
        return cls(folder, manifest, entity, _map(folder, "relation", shape=shape, remedy=remedy))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the model itself: optimizers copy programs, and the vectors are shared."""
        return self

    @property
    def id(self) -> str:
        """Name of the model for result rows."""
        return self.manifest.id

    def code(self, relation: str) -> int | None:
        """Return the code of a relation that the model was trained on, else `None`."""
        code = self._code.get(relation)
        return code if code is not None and self.manifest.relations[code].trained else None

    def report(self, code: int) -> RelationReport:
        """Return what is known of a relation under the model."""
        return self.manifest.relations[code]

    def orient(self, head: Node, relation: str, tail: Node) -> tuple[Node, Node]:
        """Return both ends in the relation's canonical order, by their types."""
        forward = reads_forward(relation, head.type, tail.type)
        return (tail, head) if forward is False else (head, tail)

    def score(self, triples: Triples) -> Floats:
        """Return -‖h ∘ r - t‖ of canonical triples, shape (n,); 0 is a perfect fit.

        A relation without a known direction gives the mean of both.
        """
        return score_both_ways(self._entity, self._relation, self._directed, triples)

    def probability(self, triples: Triples) -> Floats:
        """Return how likely each triple is, 0 to 1, shape (n,).

        Calibrated for even odds: as many true as corrupted triplets, of which half have an end
        drawn evenly among the nodes of its type and half by degree within the relation.
        """
        code = triples.relation
        return logistic(self._slope[code] * self.score(triples) + self._intercept[code])


def score_both_ways(
    entity: Complex, relation: Complex, directed: npt.NDArray[np.bool_], triples: Triples
) -> Floats:
    """Return scores of shape (n,); the mean of both ways where the direction is not known."""
    head, tail = entity[triples.head], entity[triples.tail]
    turn = relation[triples.relation]
    scores = rotate_score(head, turn, tail)
    lost = ~directed[triples.relation]
    scores[lost] = (scores[lost] + rotate_score(tail[lost], turn[lost], head[lost])) / 2
    return scores


def default_folder(graph: GraphStore) -> Path:
    """Return where a graph's RotatE model is kept: beside its store."""
    return graph.path.with_name(graph.path.name + ".rotate")


def train_command(graph: GraphStore, folder: Path) -> str:
    """Return the command that trains the model at `folder`, for error messages."""
    out = "" if folder == default_folder(graph) else f" --out {folder}"
    return f"qkgram reviewer train --graph {graph.path}{out}"


def read_rotate_manifest(folder: Path, *, remedy: str) -> RotateManifest:
    """Read the manifest of the model in `folder`.

    Raises:
        ModelNotFound: there is no model.
        StoreMismatch: it is damaged, of another version, or something else.
    """
    file = folder / MANIFEST
    if not file.is_file():
        raise ModelNotFound(f"no RotatE model at {folder}; run: {remedy}")
    try:
        fields = json.loads(file.read_text(encoding="utf-8"))
        version = fields.get("schema_version") if isinstance(fields, dict) else None
        if version != ROTATE_VERSION:
            raise StoreMismatch(
                f"the RotatE model at {folder} has version {version}, this qkgram reads "
                f"{ROTATE_VERSION}; run: {remedy}"
            )
        return RotateManifest.model_validate(fields)
    except (ValueError, ValidationError) as error:
        raise StoreMismatch(f"{file} is no RotatE model or is damaged; run: {remedy}") from error


def _map(folder: Path, name: str, *, shape: tuple[int, int], remedy: str) -> Complex:
    file = folder / f"{name}.npy"
    try:
        array = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise StoreMismatch(f"{file} is missing or damaged; run: {remedy}") from error
    if array.shape != shape or array.dtype != np.complex64:
        raise StoreMismatch(
            f"{file} holds {array.dtype} {array.shape} instead of complex64 {shape}; run: {remedy}"
        )
    # A plain view of the mapping: indexing gives plain arrays, and still reads only its pages.
    return np.asarray(array)
