"""Numbers and their nouns, and choices, in text for people."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def counted(number: float, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the singular for one; thousands are separated.

    >>> counted(1, "call"), counted(0, "call"), counted(1234, "triplet"), counted(0.5, "minute")
    ('1 call', '0 calls', '1,234 triplets', '0.5 minutes')
    >>> counted(2, "query", "queries"), counted(1, "row was", "rows were")
    ('2 queries', '1 row was')
    """
    text = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{text} {noun if number == 1 else plural or noun + 's'}"


def choices(word: str, known: Iterable[str]) -> str:
    """Return a clause that lists the known words, the nearest one first if there is one.

    >>> choices("adjacancy", ["adjacency", "direct"])
    "did you mean 'adjacency'? use one of adjacency, direct"
    >>> choices("zzz", ["a", "b"])
    'use one of a, b'
    """
    words = list(known)
    near = get_close_matches(word, words, n=1, cutoff=0.6)
    listed = f"use one of {', '.join(words)}"
    return f"did you mean {near[0]!r}? {listed}" if near else listed
