"""The Reviewer without a language model: RotatE's probability of a proposed triplet.

It knows the graph's shape only, neither the question nor the patient, and it is asked about any
two nodes: that a triplet is a fact of the graph is not looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from programs.review import UNVERIFIABLE, ProposedTriplet, Review, unverifiable
from retrievers.graph import GraphStore
from retrievers.rotate import RotateModel
from retrievers.rotate_data import Triples


class _Askable(NamedTuple):
    """A triplet that RotatE has vectors for: canonical ends and relation code."""

    head: int
    relation: int
    tail: int


class RotateReviewer:
    """Reviews triplets by a `RotateModel`; satisfies `programs.review.Reviewer`."""

    def __init__(self, model: RotateModel) -> None:
        """Review with this model; its name is the reviewer's, as written in every row."""
        self.model = model
        self.id = model.id

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the reviewer itself: optimizers copy programs, and the model is shared."""
        return self

    def review(self, triplets: Sequence[ProposedTriplet], *, question: str) -> tuple[Review, ...]:
        """Return one review per triplet, in their order; the question does not matter.

        The probability is `None` where an end is no node of the graph or the relation was not
        trained, and 0 where the graph never joins such types by the relation, or both ends are one.
        """
        read = [self._read(proposed) for proposed in triplets]
        askable = [found for found in read if isinstance(found, _Askable)]
        likely = iter(self._likely(askable))
        return tuple(
            found if isinstance(found, Review) else self._judge(found, next(likely))
            for found in read
        )

    def _likely(self, askable: Sequence[_Askable]) -> list[float]:
        columns = np.array(askable, dtype=np.int64).reshape(-1, 3).T
        return [float(value) for value in self.model.probability(Triples(*columns))]

    def _read(self, proposed: ProposedTriplet) -> _Askable | Review:
        head, tail, relation = proposed.head, proposed.tail, proposed.hypothesis.relation
        if head is None or tail is None:
            return unverifiable(proposed)
        code = self.model.code(relation)
        if code is None:
            return Review(None, f"{UNVERIFIABLE}: RotatE was not trained on relation {relation!r}")
        if head.index == tail.index:
            return Review(0.0, f"both ends are {head.name}")
        first, last = self.model.orient(head, relation, tail)
        report = self.model.report(code)
        if not report.joins(first.type, last.type):
            return Review(0.0, f"{relation} never joins {head.type} to {tail.type} in the graph")
        return _Askable(first.index, code, last.index)

    def _judge(self, asked: _Askable, likely: float) -> Review:
        report = self.model.report(asked.relation)
        figures = report.figures
        known = "untested on this relation"
        if figures.auc is not None and figures.degree_auc is not None:
            known = f"held-out AUC {figures.auc:.2f}, by degree alone {figures.degree_auc:.2f}"
        return Review(likely, f"RotatE {likely:.2f} for {report.relation} ({known})")


def open_reviewer(graph: GraphStore, path: Path | None = None) -> RotateReviewer:
    """Open the RotatE reviewer of this graph, by default beside its store.

    Raises:
        ModelNotFound: there is none; the message holds the command that trains it.
        StoreMismatch: it was trained on another graph.
    """
    return RotateReviewer(RotateModel.open(graph, path))
