"""DSPy's cache without the answers that say nothing.

A server that is broken or overloaded may answer with an empty text. Kept, that text would be the
answer to the same question for ever, also after the server is mended.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dspy
from dspy.clients import DISK_CACHE_LIMIT
from dspy.clients.cache import Cache


class AnswerCache(Cache):
    """A cache that neither keeps nor replays an answer without a text and without a tool call."""

    def get(self, request: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Return the record of a request; an empty one, kept by an older version, is `None`."""
        record = super().get(request, *args, **kwargs)
        return None if says_nothing(record) else record

    def put(self, request: dict[str, Any], value: Any, *args: Any, **kwargs: Any) -> None:
        """Keep the record of a request unless it says nothing."""
        if not says_nothing(value):
            super().put(request, value, *args, **kwargs)


def use_answer_cache(folder: Path | None) -> None:
    """Make DSPy keep answers in `folder`, or in memory only when it is `None`.

    Raises:
        OSError: the folder cannot be written (`sqlite3.OperationalError` from its tables).
    """
    cache = AnswerCache(
        enable_disk_cache=folder is not None,
        enable_memory_cache=True,
        disk_cache_dir=None if folder is None else str(folder),
        disk_size_limit_bytes=DISK_CACHE_LIMIT,
        restrict_pickle=True,
    )
    # Ends DSPy's lazy building of its default cache, which could replace ours from another thread.
    dspy.configure_cache(enable_disk_cache=False)
    dspy.cache = cache


def says_nothing(record: object) -> bool:
    """Tell whether a cached record is an answer of which every output is blank.

    >>> says_nothing({"outputs": [" "]}), says_nothing({"outputs": ["B"]}), says_nothing(None)
    (True, False, False)
    >>> says_nothing({"outputs": [{"text": None, "tool_calls": [{"name": "search"}]}]})
    False
    """
    outputs = record.get("outputs") if isinstance(record, Mapping) else None
    return isinstance(outputs, list) and all(map(_blank, outputs))


def _blank(output: object) -> bool:
    if not isinstance(output, Mapping):
        return not str(output or "").strip()
    return not output.get("tool_calls") and not str(output.get("text") or "").strip()
