"""scispaCy's candidate generator over the names of one graph.

scispaCy builds its own index only with scipy below 1.11 (Python 3.10), and its index takes most of
an hour for 160,000 names. Both are avoided with its own classes unmodified: `CandidateGenerator`
accepts any index that has nmslib's `knnQueryBatch`, and below half a million names an exact one
takes a fraction of a second to make, forgets no name and answers in milliseconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from retrievers.names import NameIndex

if TYPE_CHECKING:
    from scispacy.candidate_generation import CandidateGenerator
    from scispacy.linking_utils import KnowledgeBase

    from retrievers.graph import GraphStore

Neighbours = tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]

MIN_NAMES = 1
"""Names that must share a trigram; scispaCy's 10 drops short gene names altogether."""


class ExactIndex:
    """Exact cosine neighbours among unit tf-idf rows, with nmslib's way to be asked."""

    def __init__(self, rows: Any) -> None:
        """Hold the rows, a scipy CSR matrix of shape (names, trigrams)."""
        self._columns = rows.T.tocsr()

    def knnQueryBatch(self, vectors: Any, k: int = 10, num_threads: int = 0) -> list[Neighbours]:  # noqa: N802
        """Return the k nearest names of each row: their numbers and cosine distances."""
        products = (vectors @ self._columns).tocsr()
        starts = products.indptr
        return [
            _nearest(products.indices[a:b], products.data[a:b], k)
            for a, b in zip(starts[:-1], starts[1:], strict=True)
        ]


def graph_knowledge_base(graph: GraphStore, index: NameIndex) -> KnowledgeBase:
    """Return the nodes of a graph as scispaCy entities: the label, then every alias.

    The id of an entity is the node's index in decimals.
    """
    from scispacy.linking_utils import Entity, KnowledgeBase

    names: dict[int, list[str]] = defaultdict(list)
    for name, node in graph.names():
        names[node].append(name)
    for alias, reading in [*index.aliases.items(), *index.short.items()]:
        if " | " not in reading.via:
            for node in reading.nodes:
                names[node].append(alias)
    return KnowledgeBase(
        Entity(str(node), forms[0], list(dict.fromkeys(forms[1:])), [graph.node(node).type])
        for node, forms in sorted(names.items())
    )


def candidate_generator(knowledge: KnowledgeBase) -> CandidateGenerator:
    """Return an unmodified `CandidateGenerator` over a knowledge base, with the exact index."""
    from scispacy.candidate_generation import CandidateGenerator
    from sklearn.feature_extraction.text import TfidfVectorizer

    aliases = sorted(knowledge.alias_to_cuis)
    vectorizer = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(3, 3), min_df=MIN_NAMES, dtype=np.float32
    )
    rows = vectorizer.fit_transform(aliases)
    return CandidateGenerator(ExactIndex(rows), vectorizer, aliases, knowledge)


def nodes_of(candidates: Iterable[tuple[str, float]]) -> list[tuple[int, float]]:
    """Return node indexes and scores 0 to 100 of scispaCy's (id, similarity) pairs, best first."""
    scored = [(int(concept), 100 * min(float(score), 1.0)) for concept, score in candidates]
    return sorted(scored, key=lambda pair: (-round(pair[1], 3), pair[0]))


def _nearest(
    numbers: npt.NDArray[np.int32], cosines: npt.NDArray[np.float32], k: int
) -> Neighbours:
    if len(cosines) > k:
        best = np.argpartition(-cosines, k)[:k]
        numbers, cosines = numbers[best], cosines[best]
    order = np.lexsort((numbers, -cosines))
    return numbers[order], 1 - cosines[order]
