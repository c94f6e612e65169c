"""From a name to a concept: the graph's own names, the user's vocabulary, its nearest neighbour.

QKG A.1, stage 1, grounds every name by its nearest neighbour among embedded UMLS names. Ours comes
down to that from what is surer: a name that the graph has; a name that the vocabulary has, letter
for letter but for its written form; the graph's guarded fuzzy match; only then the nearest
neighbour, and only above `min_score`. Every grounding says which it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import RLock
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from retrievers.embedding import Embedder
from retrievers.linking import EntityLinker
from retrievers.terminology import Terminology
from retrievers.vectors import VectorRows
from signatures.schema import Node, Record

MIN_SCORE = 0.85
"""Cosine below which the nearest name is another thing; ours, the paper prints none. Under MiniLM
`heart attack` and `myocardial infarction` stand at 0.59, `type 1 diabetes` and `type 2 diabetes` at
0.70: no threshold tells a synonym from a sibling, so neighbours come last."""
_BLOCK = 65_536
"""Vectors compared at once: 100 MB."""
_AT_ONCE = 2_048
"""Names embedded between two reports of progress."""

GroundedBy = Literal["graph", "vocabulary", "fuzzy", "neighbour", "none"]

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Grounding(Record):
    """What a name was taken for."""

    method: GroundedBy
    node: Node | None = None
    """The node, when the graph's own names decided."""
    concepts: tuple[str, ...] = ()
    """Concepts of the vocabulary, likeliest first: `UMLS:C0011860`."""
    name: str = ""
    """The name that was matched."""
    score: float = 0.0
    """0 to 1; 1 is the same name."""

    @property
    def found(self) -> bool:
        """Say whether the name means something."""
        return self.node is not None or bool(self.concepts)


NOTHING = Grounding(method="none")


class Neighbours(Protocol):
    """Finds the nearest names of a vocabulary."""

    def nearest(self, names: Sequence[str]) -> list[tuple[str, str, float]]:
        """Return concept, name and cosine of the name that is nearest to each."""
        ...


class Grounder:
    """Grounds names one way for the whole run; shared by threads."""

    def __init__(
        self,
        linker: EntityLinker,
        *,
        terms: Terminology | None = None,
        neighbours: Neighbours | None = None,
        min_score: float = MIN_SCORE,
    ) -> None:
        """Ground by the graph's names, then by `terms`, then by its `neighbours`."""
        self.linker, self.terms = linker, terms
        self.neighbours, self.min_score = neighbours, min_score
        self._known: dict[str, Grounding] = {}

    def __deepcopy__(self, memo: dict[int, object]) -> Grounder:
        """Return itself: tables and vectors are shared."""
        return self

    def ground(self, names: Sequence[str]) -> list[Grounding]:
        """Ground names, in their order; the nearest neighbours of all are looked up at once."""
        new = [name for name in dict.fromkeys(names) if name not in self._known]
        found = {name: self._by_name(name) for name in new}
        lost = [name for name in new if not found[name].found]
        if lost and self.neighbours is not None:
            for name, near in zip(lost, self.neighbours.nearest(lost), strict=True):
                found[name] = self._by_neighbour(*near)
        self._known |= found
        return [self._known[name] for name in names]

    def _by_name(self, name: str) -> Grounding:
        link = self.linker.link_name(name)
        if link.node is not None and link.method != "fuzzy":
            return Grounding(method="graph", node=link.node, name=link.node.name, score=1.0)
        concepts = self.terms.named(name) if self.terms is not None else ()
        if concepts:
            return Grounding(method="vocabulary", concepts=concepts, name=name, score=1.0)
        if link.node is not None:
            score = round(link.score / 100, 3)
            return Grounding(method="fuzzy", node=link.node, name=link.node.name, score=score)
        return NOTHING

    def _by_neighbour(self, concept: str, name: str, score: float) -> Grounding:
        if score < self.min_score:
            return NOTHING
        return Grounding(
            method="neighbour", concepts=(concept,), name=name, score=round(float(score), 3)
        )


class EmbeddedNames:
    """`Neighbours` over a terminology's names: vectors in a memory-mapped file beside its tables.

    The search is exact, a block at a time: approximate indexes save seconds where embedding takes
    hours.
    """

    def __init__(self, terms: Terminology, embedder: Embedder) -> None:
        self.terms, self.embedder = terms, embedder
        self._lock = RLock()

    @cached_property
    def _vectors(self) -> VectorRows:
        return VectorRows(
            self.terms.folder,
            f"names-{self.embedder.id}",
            rows=self.terms.names.rows,
            dimension=self.embedder.dimension,
            precision="float16",
        )

    def fill(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed every name that has no vector yet; can be stopped and resumed.

        Args:
            progress: told how many names are done, and of how many.

        Returns:
            How many names were embedded by this call.
        """
        total, done = self.terms.names.rows, 0
        for start in range(0, total, _AT_ONCE):
            rows = np.arange(start, min(start + _AT_ONCE, total), dtype=np.int64)
            missing = self._vectors.missing(rows)
            if len(missing):
                cells = self.terms.names.column(2, start=start, stop=int(rows[-1]) + 1)
                texts = [cells[int(row) - start] for row in missing]
                self._vectors.fill(missing, self.embedder.embed(texts))
                done += len(missing)
            if progress is not None:
                progress(int(rows[-1]) + 1, total)
        self._vectors.flush()
        return done

    def nearest(self, names: Sequence[str]) -> list[tuple[str, str, float]]:
        """Return concept, name and cosine of the name nearest to each; the first one on a tie."""
        if not self.terms.names.rows:
            return [("", "", 0.0) for _ in names]
        with self._lock:
            rows, scores = nearest_rows(self.embedder.embed(names), self._vectors)
        table = self.terms.names
        return [
            (table.cell(int(row), 1), table.cell(int(row), 2), float(score))
            for row, score in zip(rows, scores, strict=True)
        ]


def nearest_rows(queries: Floats, vectors: VectorRows) -> tuple[Ints, Floats]:
    """Return the row nearest to each query and its cosine, each of shape (n,).

    Args:
        queries: Unit vectors, shape (n, d).
        vectors: At least one row, all filled.
    """
    best = np.zeros(len(queries), np.int64)
    scores = np.full(len(queries), -np.inf, np.float32)
    for start in range(0, vectors.rows, _BLOCK):
        block = vectors.get(np.arange(start, min(start + _BLOCK, vectors.rows)))
        cosines = queries @ block.T
        row = cosines.argmax(axis=1)
        here = cosines[np.arange(len(queries)), row]
        better = here > scores
        best[better], scores[better] = start + row[better], here[better]
    return best, scores
