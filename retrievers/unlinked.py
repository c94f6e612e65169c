"""What a text may have meant where nothing was linked: names near its unread words, for a person.

Suggestions are shown and never linked: they lie below the similarity that a link needs, or a guard
objects to them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from retrievers.fuzzy import near_names
from retrievers.lexicon import Lexicon
from retrievers.normalise import normalise, tokens
from signatures.schema import Link

SIMILARITY = 75.0
"""Least likeness of a suggestion, of 100: one letter of four may differ."""

LETTERS = 6
"""A shorter unread word is not looked up: too many names lie near it."""

SHOWN = 3
"""Suggestions for one word."""


class Suggestion(NamedTuple):
    """A word that no mention covers, and the names that it is nearly."""

    word: str
    near: tuple[str, ...]
    """Names with type and likeness, best first."""


def suggestions(lexicon: Lexicon, text: str, links: Iterable[Link]) -> tuple[Suggestion, ...]:
    """Return the words of a running text that stand in no name but near one, in order.

    Args:
        lexicon: The names.
        text: The text that was linked.
        links: Its mentions, refused ones included; their words are left out.
    """
    spans = [(link.start, link.end) for link in links]
    found: dict[str, Suggestion] = {}
    for token in tokens(text):
        read = any(start < token.end and token.start < end for start, end in spans)
        if read or len(token.norm) < LETTERS or not lexicon.corrector.correct(token.norm):
            continue
        word = text[token.start : token.end]
        if near := nearby(lexicon, word):
            found.setdefault(token.norm, Suggestion(word, near))
    return tuple(found.values())


def nearby(lexicon: Lexicon, name: str) -> tuple[str, ...]:
    """Word the names that a name is nearly: `Metformin (drug, 89)`."""
    hits = near_names(lexicon.index, normalise(name), rule="guarded", cutoff=SIMILARITY)
    said = []
    for hit in hits[:SHOWN]:
        node = next(iter(lexicon.order(hit.nodes)), None)
        if node is not None:
            said.append(f"{node.name} ({node.type}, {hit.score:.0f})")
    return tuple(dict.fromkeys(said))
