"""Progress where no bar can be drawn (nohup, CI, a pipe): a plain line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable

from optimize.forecast import duration

EVERY_SECONDS = 30.0
EVERY_ITEMS = 10
"""A line is due after so many seconds or items, whichever comes first."""

MOST_LINES = 20
"""Lines that items alone may cause: of 1,000 fast ones every fiftieth gets its line."""


class PlainLines:
    """Writes `questions: 30 of 100, 60 calls, $0.12, about 4 min left`, not too often."""

    def __init__(
        self,
        write: Callable[[str], None],
        *,
        what: str,
        total: int,
        done: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with `done` of `total` items.

        Args:
            write: Takes a line, without its end.
            what: What the items are, for the line.
            total: Items in all.
            done: Items of an earlier call.
            clock: Seconds, for tests.
        """
        self._write, self._what, self._total, self._clock = write, what, total, clock
        self._before = self._done = self._said = done
        self._begun = self._said_at = clock()
        self._step = max(EVERY_ITEMS, -(-total // MOST_LINES))
        if total > done:
            write(f"{what}: {done} of {total} done, begins")

    def reach(self, done: int, detail: str = "") -> None:
        """Note that `done` items are done, and write a line when one is due or the last is done."""
        self._done = done
        late = self._clock() - self._said_at >= EVERY_SECONDS
        if late or done - self._said >= self._step or done >= self._total > self._said:
            self._said, self._said_at = done, self._clock()
            self._write(", ".join(part for part in (self._counts(), detail, self._left()) if part))

    def advance(self, detail: str = "") -> None:
        """Note that one more item is done."""
        self.reach(self._done + 1, detail)

    def _counts(self) -> str:
        return f"{self._what}: {self._done} of {self._total}"

    def _left(self) -> str:
        made, left = self._done - self._before, self._total - self._done
        if made <= 0 or left <= 0:
            return ""
        return f"about {duration((self._clock() - self._begun) / made * left)} left"
