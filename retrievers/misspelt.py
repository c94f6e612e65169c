"""Misspelt names in a running text: in the gaps that the dictionary left, one word corrected."""

from __future__ import annotations

from collections.abc import Iterator

from retrievers.fuzzy import Near, near
from retrievers.scan import STOP, Scan
from retrievers.whole_name import Verdict, weigh
from signatures.schema import Link

FUZZY_WORDS = 5
"""Longest misspelt mention, in words."""

REFUSED_NEAR = 85.0
"""A refused name below this similarity, of 100, is not worth reporting."""

NO_NOUN = ("ed", "ing", "ly")
"""Endings of single words that are no misspelt name: "excluded", "speculating"."""


def misspelt(scan: Scan) -> Iterator[Link]:
    """Yield the mentions in the gaps that are nearly a name."""
    if not scan.lexicon.settings.fuzzy:
        return
    for at, word in enumerate(scan.words):
        if scan.covered[at] or not scan.lexicon.corrector.correct(word.norm):
            continue
        found = _nearly(scan, at)
        if found is None:
            continue
        verdict, first, size = found
        scan.cover(first, size)
        yield verdict.at(*scan.place(first, size))


def _nearly(scan: Scan, at: int) -> tuple[Verdict, int, int] | None:
    best: tuple[tuple[Near, ...], int, int] | None = None
    for first, size in _windows(scan, at):
        hits = _hits(scan, first, size, at)
        if hits and (best is None or _better(hits, size, best)):
            best = hits, first, size
    if best is None:
        return None
    hits, first, size = best
    return weigh(scan.lexicon, hits, None), first, size


def _better(hits: tuple[Near, ...], size: int, best: tuple[tuple[Near, ...], int, int]) -> bool:
    allowed = hits[0].objection is None
    return (allowed, size) > (best[0][0].objection is None, best[2])


def _windows(scan: Scan, at: int) -> Iterator[tuple[int, int]]:
    for size in range(1, FUZZY_WORDS + 1):
        for first in range(max(0, at - size + 1), at + 1):
            free = not any(scan.covered[first : first + size])
            if free and size <= scan.room(first) and first + size > at:
                yield first, size


def _hits(scan: Scan, first: int, size: int, at: int) -> tuple[Near, ...]:
    lexicon, settings = scan.lexicon, scan.lexicon.settings
    words = [word.norm for word in scan.words[first : first + size]]
    mention = " ".join(words)
    if not lexicon.long_enough(mention) or (size == 1 and mention.endswith(NO_NOUN)):
        return ()
    found = []
    for right in lexicon.corrector.correct(words[at - first]):
        name = " ".join([*words[: at - first], right, *words[at - first + 1 :]])
        if lexicon.index.read(name) is None or (size == 1 and name in STOP):
            continue
        hit = near(lexicon.index, mention, name, rule=settings.rule)
        least = REFUSED_NEAR if hit.objection else settings.cutoff
        found += [hit] if hit.score >= least and mention[0] == name[0] else []
    return tuple(sorted(found, key=lambda hit: (hit.objection is not None, -hit.score, hit.key)))
