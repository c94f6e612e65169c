"""Names that are spelt almost like a mention, with the reasons against joining them.

Two rules. `guarded` (ours): Levenshtein similarity of whole names, at least 90 of 100, and none of
the guards objects. `paper` (ReGraM B.2 as RapidFuzz users read it): `fuzz.ratio`, no guard.
Never a partial ratio: by that measure "diabetes" is "diabetes insipidus".
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from retrievers.guards import different
from retrievers.names import NameIndex, Nodes

Rule = Literal["guarded", "paper", "scispacy"]

NEAREST = 10
"""Names considered for one mention."""

WORD_EDITS = 2
"""Edits by which one word of a text may differ from a word of a name."""

WORD_LETTERS = 5
"""A shorter unknown word is not looked up: too many words lie one edit away."""


class Near(NamedTuple):
    """A name near a mention: its nodes, the similarity 0 to 100, and the objection, if any."""

    key: str
    nodes: Nodes
    score: float
    objection: str | None


def similarity(mention: str, name: str, *, rule: Rule = "guarded") -> float:
    """Return the similarity of two whole names, 0 to 100.

    >>> round(similarity("infarction", "infarctoin"), 1)
    80.0
    >>> round(similarity("prednisone", "prednisolone", rule="paper"), 1)
    90.9
    """
    if rule == "paper":
        return float(fuzz.ratio(mention, name))
    return 100 * Levenshtein.normalized_similarity(mention, name)


def near_names(index: NameIndex, key: str, *, rule: Rule, cutoff: float) -> tuple[Near, ...]:
    """Return the names within `cutoff` of a name in written form, best first.

    Equal scores stand in the order of the names, so the answer is deterministic.
    """
    # A similarity of s allows lengths from s to 1/s; Indel similarity (ratio) from s/(2-s).
    share = cutoff / 100 if rule != "paper" else cutoff / (200 - cutoff)
    keys = index.keys_near(math.ceil(share * len(key)), math.floor(len(key) / share))
    if rule != "paper":
        scorer = Levenshtein.normalized_similarity
        hits = process.extract(key, keys, scorer=scorer, score_cutoff=cutoff / 100, limit=NEAREST)
    else:
        hits = process.extract(key, keys, scorer=fuzz.ratio, score_cutoff=cutoff, limit=NEAREST)
    found = (near(index, key, name, rule=rule) for name, _, _ in hits)
    return tuple(sorted(found, key=lambda hit: (-hit.score, hit.key)))


def near(index: NameIndex, mention: str, name: str, *, rule: Rule) -> Near:
    """Weigh one name of the index against a mention, both in written form."""
    reading = index.read(name)
    objection = different(mention, name) if rule != "paper" else None
    nodes = reading.nodes if reading else ()
    return Near(name, nodes, similarity(mention, name, rule=rule), objection)


class WordCorrector:
    """Words of the graph's names near a word that none of them has."""

    def __init__(self, index: NameIndex) -> None:
        """Correct towards the words of `index`; answers are remembered."""
        self._index = index
        self.correct = lru_cache(maxsize=4096)(self._correct)

    def _correct(self, word: str) -> tuple[str, ...]:
        if len(word) < WORD_LETTERS or not word.isalpha() or self._index.knows(word):
            return ()
        hits = process.extract(
            word,
            self._index.words_near(len(word), within=WORD_EDITS),
            scorer=Levenshtein.distance,
            score_cutoff=WORD_EDITS,
            limit=NEAREST,
        )
        return tuple(name for name, *_ in sorted(hits, key=lambda hit: (hit[1], hit[0])))
