"""Reading a saved trace that may be of another version, or of a program that is not ours.

Nothing is taken for granted: a field that is absent or of another type reads as empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

Loose = Mapping[str, object]
"""A JSON object."""


def mapping(value: object) -> Loose:
    """Return an object as it is, anything else as an empty one.

    >>> mapping({"a": 1}), mapping(None), mapping([1])
    ({'a': 1}, {}, {})
    """
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[Loose]:
    """Return the objects of a list.

    >>> mappings([{"a": 1}, "b", None]), mappings("no list")
    ([{'a': 1}], [])
    """
    return [item for item in sequence(value) if isinstance(item, dict)]


def sequence(value: object) -> list[object]:
    """Return a list as it is, anything else as an empty one."""
    return list(value) if isinstance(value, (list, tuple)) else []


def words(value: object) -> str:
    """Return a text as it is, nothing as an empty text, anything else in words.

    >>> words("a"), words(None), words(3), words(True)
    ('a', '', '3', 'True')
    """
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value)


def lines(value: object) -> list[str]:
    """Return the texts of a list, the empty ones left out."""
    items: Iterable[object] = [value] if isinstance(value, str) else sequence(value)
    return [text for text in map(words, items) if text]


def number(value: object) -> float | None:
    """Return a finite number, also one that was written as text.

    >>> number(2), number("-Infinity"), number("x"), number(True)
    (2.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        found = float(value)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
