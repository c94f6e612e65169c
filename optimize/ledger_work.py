"""Work through the tasks of a ledger: threads, budget, outages, forecast, a clean stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from data.wording import counted
from optimize.forecast import FIRST, duration
from optimize.keyed_ledger import KeyedLedger, KeyedRow
from optimize.meter import Meter
from optimize.outages import Patience
from optimize.progress import Progress
from optimize.workers import stop_on_interrupt, work_through
from signatures.errors import BudgetExceeded

INTERRUPTED = "interrupted"

T = TypeVar("T")
R = TypeVar("R", bound=KeyedRow)


class Words(NamedTuple):
    """How messages call the tasks and what is done to them: `triplets`, `annotated`."""

    tasks: str
    done: str


def fill(
    ledger: KeyedLedger[R],
    work: Callable[[T], R],
    tasks: Sequence[T],
    *,
    words: Words,
    meter: Meter,
    stop: threading.Event,
    threads: int,
    patience: Patience,
    progress: Progress,
    abandon: Callable[[], None] | None = None,
) -> str | None:
    """Give every task to `work` and write its row; return why the call ended early, if it did.

    Ctrl-C lets the tasks at hand finish; a second one calls `abandon`.

    Args:
        ledger: Where the rows go.
        work: From task to row; called in threads, with the caller's `dspy.context`.
        tasks: Those without a result.
        words: For messages.
        meter: Counts the calls; a spent budget ends the work.
        stop: Set when no further task is to be begun.
        threads: Tasks at a time.
        patience: After how many failures in a row the work ends.
        progress: Told of every row.
        abandon: Called by a second Ctrl-C.

    Raises:
        RunNotWritten: The disk is full; rows so far are kept.
    """
    clerk = _Clerk(
        ledger, meter, progress, words=words, left=len(tasks), threads=threads, patience=patience
    )

    def interrupted() -> None:
        say = f"finishing the {words.tasks} at hand; Ctrl-C again abandons them"
        clerk.stop_by(INTERRUPTED, say=say)

    try:
        with stop_on_interrupt(stop, first=interrupted, second=abandon or _interrupt):
            for row in work_through(work, tasks, threads=threads, stop=stop):
                clerk.enter(row)
                if clerk.stopped:
                    stop.set()
    except BudgetExceeded as error:
        clerk.stop_by(str(error))
    finally:
        stop.set()
    return clerk.stopped


class _Clerk(Generic[R]):
    """Enters rows, tells the user, and decides whether to go on."""

    def __init__(
        self,
        ledger: KeyedLedger[R],
        meter: Meter,
        show: Progress,
        *,
        words: Words,
        left: int,
        threads: int,
        patience: Patience,
    ) -> None:
        self.stopped: str | None = None
        self._ledger, self._meter, self._show, self._patience = ledger, meter, show, patience
        self._words = words
        self._left, self._first, self._done, self._in_a_row = left, max(FIRST, threads), 0, 0
        self._begun = time.monotonic()

    def enter(self, row: R) -> None:
        """Write a row to the disk."""
        self._ledger.append(row)
        self._left -= 1
        if row.failure is not None:
            self._show.note(f"{row.subject} was not {self._words.done}: {row.failure}")
            self._in_a_row += 1
            if self._in_a_row >= self._patience.give_up_after:
                self.stop_by(f"{self._in_a_row} {self._words.tasks} in a row failed: {row.failure}")
            return
        self._in_a_row, self._done = 0, self._done + 1
        self._show.advance(spent=self._meter.usage(), right=None)
        if self._done == self._first and self._left:
            self._show.note(self._forecast())

    def stop_by(self, why: str, *, say: str | None = None) -> None:
        """Remember why the call ends; the first reason counts."""
        if self.stopped is None:
            self.stopped = why
            self._show.note(say or f"stopped: {why}")

    def _forecast(self) -> str:
        spent, each = self._meter.usage(), self._left / self._done
        tokens = (spent.prompt_tokens + spent.completion_tokens) * each
        cost = "" if spent.cost is None else f", ${spent.cost * each:.2f}"
        seconds = (time.monotonic() - self._begun) * each
        return (
            f"the remaining {self._left} {self._words.tasks} take about {duration(seconds)}, "
            f"{counted(round(spent.calls * each), 'call')}, {counted(round(tokens), 'token')}{cost}"
        )


def _interrupt() -> None:
    raise KeyboardInterrupt
