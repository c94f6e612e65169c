"""A DSPy cache of the test's own, so that no answer outlives it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import dspy


@contextmanager
def memory_cache() -> Iterator[None]:
    """Cache in memory only, in a fresh cache, for the time of the block."""
    before = dspy.cache
    dspy.configure_cache(enable_disk_cache=False)
    try:
        yield
    finally:
        dspy.cache = before
