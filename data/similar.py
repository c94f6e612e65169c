"""Questions that are the same, or nearly: what may not stand in two splits at once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Literal, NamedTuple
from unicodedata import normalize

from signatures.schema import Question

THRESHOLD = 0.7
"""Share of common word triples from which two questions are near-duplicates; ours. Measured: a
MedQA vignette with one number changed keeps 0.88 or more, and of the 2.6 million pairs among 2,293
vignettes three reach 0.5; retyped MedMCQA questions lie at 0.7 and above."""
LONG_STEM = 12
"""Words from which a stem alone, whatever its options, makes a near-duplicate; shorter stems such
as "Which of the following is true?" repeat by nature."""


class Pair(NamedTuple):
    """Two questions that are alike, by their positions, the earlier one first."""

    first: int
    second: int
    kind: Literal["same", "near"]
    similarity: float
    """Jaccard similarity of word triples, from 0 to 1; 1 for the same question."""


def plain_words(text: str) -> str:
    """Text to compare by: compatible characters, no case, no punctuation.

    >>> plain_words("Crohn’s  disease, (active)?")
    'crohn s disease active'
    """
    return " ".join(re.findall(r"\w+", normalize("NFKC", text).casefold()))


def similar_pairs(questions: Sequence[Question], *, threshold: float = THRESHOLD) -> list[Pair]:
    """Find the questions that are the same or nearly, whatever the order of their options.

    Of several questions that are the same, each is paired with the first one.

    Args:
        questions: Any number; ten thousand vignettes took 12 s on two cores.
        threshold: Jaccard similarity from which two questions are near-duplicates, above 0.

    >>> def ask(text, *options):
    ...     return Question(id="q", source="s", text=text, options=dict(zip("AB", options)))
    >>> similar_pairs([ask("Why?", "x", "y"), ask("why", "Y", "x"), ask("Why?", "x", "z")])
    [Pair(first=0, second=1, kind='same', similarity=1.0)]
    """
    keys = [_key(question) for question in questions]
    firsts: dict[tuple[str, ...], int] = {}
    pairs = []
    for position, key in enumerate(keys):
        first = firsts.setdefault(key, position)
        if first != position:
            pairs.append(Pair(first, position, "same", 1.0))
    left = sorted(firsts.values())
    triples = {position: _triples(keys[position]) for position in left}
    near = {(a, b): score for a, b, score in _overlapping(triples, threshold)}
    near.update({ab: _jaccard(triples, *ab) for ab in _stems(keys, left) if ab not in near})
    pairs += [Pair(a, b, "near", round(score, 3)) for (a, b), score in near.items()]
    return sorted(pairs)


def _key(question: Question) -> tuple[str, ...]:
    """The stem, then the options, in an order that their letters do not change."""
    return plain_words(question.text), *sorted(map(plain_words, question.options.values()))


def _triples(key: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Word triples of the stem and of each option; a shorter text is one of its own."""
    found: set[tuple[str, ...]] = set()
    for text in key:
        words = tuple(text.split())
        found.update(words[i : i + 3] for i in range(max(1, len(words) - 2)))
    return frozenset(found - {()})


def _jaccard(triples: dict[int, frozenset[tuple[str, ...]]], first: int, second: int) -> float:
    return len(triples[first] & triples[second]) / len(triples[first] | triples[second])


def _overlapping(
    triples: dict[int, frozenset[tuple[str, ...]]], threshold: float
) -> Iterator[tuple[int, int, float]]:
    """Join by prefix filtering: sets this similar share one of their rarest triples (exact).

    Bayardo, Ma, Srikant: Scaling up all pairs similarity search, WWW 2007.
    """
    counts = Counter(triple for held in triples.values() for triple in held)
    index: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for position in sorted(triples, key=lambda p: (len(triples[p]), p)):
        size = len(triples[position])
        rarest = sorted(triples[position], key=lambda triple: (counts[triple], triple))
        candidates: set[int] = set()
        for triple in rarest[: size - ceil(threshold * size) + 1]:
            candidates.update(p for p in index[triple] if len(triples[p]) >= threshold * size)
            index[triple].append(position)
        for other in candidates:
            score = _jaccard(triples, other, position)
            if score >= threshold:
                yield min(other, position), max(other, position), score


def _stems(keys: Sequence[tuple[str, ...]], left: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs of long stems that are the same, each with the first one."""
    firsts: dict[str, int] = {}
    for position in left:
        stem = keys[position][0]
        if len(stem.split()) >= LONG_STEM:
            first = firsts.setdefault(stem, position)
            if first != position:
                yield first, position
