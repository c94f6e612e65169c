"""Numbers and their nouns in text for people."""

from __future__ import annotations


def counted(number: float, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the singular for one; thousands are separated.

    >>> counted(1, "call"), counted(0, "call"), counted(1234, "triplet"), counted(0.5, "minute")
    ('1 call', '0 calls', '1,234 triplets', '0.5 minutes')
    >>> counted(2, "query", "queries"), counted(1, "row was", "rows were")
    ('2 queries', '1 row was')
    """
    text = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{text} {noun if number == 1 else plural or noun + 's'}"
