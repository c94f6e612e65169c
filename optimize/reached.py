"""Did a call reach its model, or did the cache answer? The cache lies between the two who know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_REACHED: ContextVar[list[bool] | None] = ContextVar("qkgram_reached", default=None)


@contextmanager
def watch_reached() -> Iterator[list[bool]]:
    """Yield a list that stays empty when the cache answers the call made inside.

    A list and not a flag: a thread that copies the context still fills the same one.
    """
    reached: list[bool] = []
    token = _REACHED.set(reached)
    try:
        yield reached
    finally:
        _REACHED.reset(token)


def is_watched() -> bool:
    """Tell whether this context is inside a call that is watched."""
    return _REACHED.get() is not None


def mark_reached() -> None:
    """Note that the call of this context went past the cache."""
    reached = _REACHED.get()
    if reached is not None:
        reached.append(True)
