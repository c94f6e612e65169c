"""How a hop may be answered: by how many facts its region holds (ReGraM §3.3, figures 6 to 8)."""

from __future__ import annotations

from signatures.schema import Mode, Region

STRICT_FROM = 10
"""Facts from which the graph alone answers; the captions of ReGraM's figures 6 to 8."""


def mode_for(n_facts: int) -> Mode:
    """Return the mode for a number of facts: 10 and more, 1 to 9, none.

    >>> [mode_for(n) for n in (0, 1, 9, 10, 15)]
    ['LLM-GUESS', 'HYBRID', 'HYBRID', 'KG-STRICT', 'KG-STRICT']
    """
    if n_facts >= STRICT_FROM:
        return "KG-STRICT"
    return "HYBRID" if n_facts > 0 else "LLM-GUESS"


def facts_above(region: Region, min_relevance: float) -> int:
    """Return N_facts: the triplets of the region whose cosine with the query is high enough.

    The papers count every triplet, which is `min_relevance` -1; then a region of an entity with
    ten edges is always strict, because a cosine is nearly never too low.
    """
    return sum(relevance >= min_relevance for relevance in region.relevance)
