"""Reading thousands of rows without looking for cycles among them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pause Python's cycle collector.

    Rows are trees: they hold no cycle, but each of its passes walks all of them again.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
