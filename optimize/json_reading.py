"""Find the answer's JSON object in what a model wrote around it.

Models wrap their object in fences, prose, thoughts and markers, write it in Python's spelling, or
are cut off in the middle of it. The first kinds are read; a cut object is an error, because the
repair of a cut list is a shorter list that looks whole.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any


class Unreadable(ValueError):
    """Why a text has no reading, in words that its author can act on."""


def read_object(text: str, fields: Collection[str]) -> dict[str, Any]:
    r"""Return the object of `text` that has most of `fields`; on a tie the last one.

    Raises:
        Unreadable: There is no such object, or it was cut off.

    >>> read_object('Sure! ```json\n{"a": "if {x < 3"}\n```[[ ## completed ## ]]', ["a"])
    {'a': 'if {x < 3'}
    >>> read_object("{'a': True, }", ["a"])
    {'a': True}
    >>> read_object('{"a": [1, 2', ["a"])
    Traceback (most recent call last):
    ...
    optimize.json_reading.Unreadable: the answer was cut off before its JSON object ended: ...
    """
    wanted = set(fields)
    best: dict[str, Any] | None = None
    for found in _objects(text):
        if best is None or len(wanted & found.keys()) >= len(wanted & best.keys()):
            best = found
    if best is not None and wanted & best.keys():
        return best
    if _is_cut(text):
        raise Unreadable("the answer was cut off before its JSON object ended: write a shorter one")
    if best is not None:
        came = ", ".join(map(repr, best)) or "none"
        raise Unreadable(f"the JSON object has none of the wanted fields; it has {came}")
    raise Unreadable("the answer holds no JSON object")


def read_nested(value: Any) -> Any:
    """Return a value, parsed when a model wrote a list or an object as a string.

    Raises:
        Unreadable: It looks like JSON and is not; it is never taken for an empty list.

    >>> read_nested('[{"status": "SUPPORTED"}]'), read_nested("plain")
    ([{'status': 'SUPPORTED'}], 'plain')
    """
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value, strict=False)
    except ValueError as error:
        raise Unreadable("holds a string that is broken JSON: write the list itself") from error


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost objects of a text, in order; braces that hold none are skipped."""
    start = text.find("{")
    while start >= 0:
        end = _end(text, start)
        found = None if end is None else _load(text[start:end])
        if found is None:
            start = text.find("{", start + 1)
        else:
            yield found
            start = text.find("{", end or start + 1)


def _load(chunk: str) -> dict[str, Any] | None:
    try:
        found = json.loads(chunk, strict=False)
    except ValueError:
        found = _repair(chunk)
    return found if isinstance(found, dict) else None


def _repair(chunk: str) -> Any:
    """Read Python's spelling, trailing commas and the like; the chunk is known to be whole."""
    import json_repair

    return json_repair.loads(chunk) if ":" in chunk else None


def _end(text: str, start: int) -> int | None:
    """Return the position after the brace that closes the one at `start`, or `None`."""
    depth, quoted, escaped = 0, False, False
    for position in range(start, len(text)):
        character = text[position]
        if escaped:
            escaped = False
        elif quoted:
            escaped = character == "\\"
            quoted = character != '"'
        elif character == '"':
            quoted = True
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return position + 1
    return None


def _is_cut(text: str) -> bool:
    start = text.find("{")
    return start >= 0 and _end(text, start) is None
