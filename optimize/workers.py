"""Threads that work through tasks, and a stop that loses nothing."""

from __future__ import annotations

import contextvars
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from signatures.errors import RunIncomplete

T = TypeVar("T")
R = TypeVar("R")

_CHECK = 0.5
"""Seconds between two looks at whether a signal came."""


def work_through(
    work: Callable[[T], R], tasks: Iterable[T], *, threads: int, stop: threading.Event
) -> Iterator[R]:
    """Yield the results as they come; each task sees the caller's context (`dspy.context`).

    A thread begins its next task once the caller has dealt with one of the results before: at
    most `threads` tasks are ever paid for and not yet written down, however fast they fail.

    When `stop` is set no task is begun any more and those that run are waited for. When a task
    raises, the same happens and then its error is raised: no result is lost.

    >>> sorted(work_through(len, ["a", "bb", "ccc"], threads=2, stop=threading.Event()))
    [1, 2, 3]
    """
    todo = iter(tasks)
    lock = threading.Lock()
    free = threading.Semaphore(threads)
    results: queue.SimpleQueue[tuple[bool, R | BaseException | None]] = queue.SimpleQueue()
    here = contextvars.copy_context()

    def following() -> tuple[T] | None:
        free.acquire()
        with lock:
            return None if stop.is_set() else next(((task,) for task in todo), None)

    def loop() -> None:
        try:
            while (task := following()) is not None:
                results.put((True, here.copy().run(work, *task)))
        except BaseException as error:  # handed to the caller, who raises it
            stop.set()
            results.put((False, error))
        finally:
            results.put((False, None))

    for number in range(threads):
        threading.Thread(target=loop, name=f"evaluate-{number}", daemon=True).start()
    try:
        yield from _collect(results, threads, dealt_with=free.release)
    finally:
        stop.set()
        free.release(threads)


def _collect(
    results: queue.SimpleQueue[tuple[bool, R | BaseException | None]],
    running: int,
    *,
    dealt_with: Callable[[], None],
) -> Iterator[R]:
    failed: BaseException | None = None
    while running:
        try:
            done, value = results.get(timeout=_CHECK)
        except queue.Empty:
            continue
        if done:
            yield value  # type: ignore[misc]
            dealt_with()
        elif isinstance(value, BaseException):
            failed = failed or value
            dealt_with()
        else:
            running -= 1
    if failed is not None:
        raise failed


@contextmanager
def stop_on_interrupt(
    stop: threading.Event, *, first: Callable[[], None], second: Callable[[], None]
) -> Iterator[None]:
    """Make Ctrl-C set `stop` and call `first`; a second Ctrl-C calls `second`.

    Outside the main thread, where signals cannot be caught, nothing changes.
    """
    pressed = threading.Event()

    def caught(number: int, frame: FrameType | None) -> None:
        again = pressed.is_set()
        pressed.set()
        stop.set()
        (second if again else first)()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, caught)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def abandon(kept: str = "rows") -> None:
    """End at once: all that is `kept` is on disk, and a local model cannot be interrupted else."""
    sys.stderr.write(f"qkgram: abandoned; the {kept} so far are kept\n")
    sys.stderr.flush()
    os._exit(RunIncomplete.exit_code)
