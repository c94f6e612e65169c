"""JSON objects inside a model's text: what they state as the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

KEYS = (
    "llm answer choice",
    "final answer",
    "answer choice",
    "answer letter",
    "answer idx",
    "answer option",
    "correct answer",
    "correct option",
    "selected answer",
    "selected option",
    "predicted answer",
    "answer",
    "prediction",
    "choice",
    "option",
    "letter",
)
"""Keys that hold an answer, the most telling first; case and punctuation do not matter."""

MAX_OBJECTS = 64
"""Opening braces that are tried; a text with more is no answer."""

MAX_DEPTH = 3
"""How deep an answer may lie: an object in an object, or JSON in a string."""

_MARK = 0xE100
"""First of the private characters that stand for an object's statement."""

T = TypeVar("T")


def lift_objects(text: str, read: Callable[[Any], T]) -> tuple[str, list[T]]:
    r"""Replace every JSON object by a cue that points at what the object states.

    An object without an answer becomes a line break: its other fields state nothing.

    >>> lifted, stated = lift_objects('So: {"answer": "B"}', str)
    >>> lifted == "So: \nanswer: " + statement_mark(0) + "\n", stated
    (True, ['B'])
    """
    decoder = json.JSONDecoder(strict=False)
    parts: list[str] = []
    stated: list[T] = []
    done = start = 0
    for _ in range(MAX_OBJECTS):
        start = text.find("{", start)
        if start < 0:
            break
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start += 1
            continue
        found, answer = find_answer(value)
        parts.append(text[done:start])
        parts.append(f"\nanswer: {statement_mark(len(stated))}\n" if found else "\n")
        if found:
            stated.append(read(answer))
        done = start = end
    return "".join(parts) + text[done:], stated


def find_answer(value: Any, depth: int = 0) -> tuple[bool, Any]:
    """Find the answer of a decoded object: whether there is one, and its value.

    >>> find_answer({"reasoning": "A is wrong", "Final_Answer": "B"})
    (True, 'B')
    >>> find_answer({"evidence": "if {eGFR < 30"})
    (False, None)
    """
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        return False, None
    named = {re.sub(r"[\W_]+", " ", str(key)).strip().lower(): item for key, item in value.items()}
    for key in KEYS:
        if named.get(key) is not None:
            return True, named[key]
    for item in value.values():
        found, answer = find_answer(item, depth + 1)
        if found:
            return True, answer
    return False, None


def statement_mark(index: int) -> str:
    """Return the private character of the statement with this index."""
    return chr(_MARK + index)


def statement_index(mark: str) -> int | None:
    """Return the index that a private character stands for, `None` for any other character.

    >>> statement_index(statement_mark(7)), statement_index("B")
    (7, None)
    """
    index = ord(mark) - _MARK
    return index if 0 <= index < MAX_OBJECTS else None
