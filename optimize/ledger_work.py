"""Work through the tasks of a ledger: threads, budget, outages, forecast, a clean stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from data.wording import counted
from optimize.forecast import FIRST, duration
from optimize.keyed_ledger import KeyedLedger, KeyedRow
from optimize.meter import Meter
from optimize.outages import GIVE_UP_AFTER
from optimize.progress import Progress, Silence
from optimize.workers import stop_on_interrupt, work_through
from signatures.errors import BudgetExceeded

INTERRUPTED = "interrupted"


class Keyed(Protocol):
    """A task of a ledger."""

    @property
    def key(self) -> str:
        """Name of its row."""


T = TypeVar("T", bound=Keyed)
R = TypeVar("R", bound=KeyedRow)


class Words(NamedTuple):
    """How messages call the tasks and what is done to them: `triplets`, `annotated`."""

    tasks: str
    done: str


class Filled(NamedTuple, Generic[R]):
    """What a call leaves of its tasks."""

    tasks: int
    """Tasks of this call, each counted once."""
    reused: int
    """Of these, with a result from earlier calls."""
    rows: tuple[R, ...]
    """The rows of the tasks that were ever tried, in the order of the tasks."""
    stopped: str | None
    """Why the call ended early."""

    @property
    def failures(self) -> tuple[str, ...]:
        """Subject and reason of every task that was tried and has no result."""
        return tuple(f"{row.subject}: {row.failure}" for row in self.rows if row.failure)


def fill(
    ledger: KeyedLedger[R],
    work: Callable[[T], R],
    tasks: Sequence[T],
    *,
    words: Words,
    meter: Meter,
    threads: int,
    progress: Progress | None = None,
    abandon: Callable[[], None] | None = None,
) -> Filled[R]:
    """Give every task without a result to `work`, and write its row.

    Ctrl-C lets the tasks at hand finish; a second one calls `abandon`.

    Args:
        ledger: Where the rows go.
        work: From task to row; called in threads, with the caller's `dspy.context`.
        tasks: All of the call; of those with one key the last counts.
        words: For messages.
        meter: Counts the calls; a spent budget ends the work.
        threads: Tasks at a time.
        progress: Told of every row.
        abandon: Called by a second Ctrl-C.

    Raises:
        RunNotWritten: The disk is full; rows so far are kept.
    """
    wanted = {task.key: task for task in tasks}
    left = [task for key, task in wanted.items() if not ledger.has(key)]
    show, stop, reused = progress or Silence(), threading.Event(), len(wanted) - len(left)
    show.begin(len(wanted), done=reused)
    clerk = _Clerk(ledger, meter, show, words=words, left=len(left), threads=threads)

    def interrupted() -> None:
        say = f"finishing the {words.tasks} at hand; Ctrl-C again abandons them"
        clerk.stop_by(INTERRUPTED, say=say)

    try:
        with stop_on_interrupt(stop, first=interrupted, second=abandon or _interrupt):
            todo = work_through(work, left, threads=threads, stop=stop)
            for row in todo:
                clerk.enter(row)
                if clerk.stopped:
                    stop.set()
    except BudgetExceeded as error:
        clerk.stop_by(str(error))
    finally:
        stop.set()
    rows = tuple(ledger.rows[key] for key in wanted if key in ledger.rows)
    return Filled(len(wanted), reused, rows, clerk.stopped)


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
    ) -> None:
        self.stopped: str | None = None
        self._ledger, self._meter, self._show = ledger, meter, show
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
            if row.lasting:
                self.stop_by(row.failure, say="stopped: no other call would be answered either")
            elif self._in_a_row >= GIVE_UP_AFTER:
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
