"""Independent steps of one question at once: their model calls need not wait for each other."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import dspy

A = TypeVar("A")
B = TypeVar("B")


def both(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """Run two independent steps at once and return what they return.

    >>> both(lambda: 1, lambda: "b")
    (1, 'b')
    """
    a, b = together([first, second])
    return a, b


def together(steps: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run independent steps at once; results in the order of `steps`.

    Every step sees the caller's `dspy.context`. DSPy's trace gets the calls in the order of
    `steps`, so that a compiled program does not depend on which model was faster.

    Raises:
        BaseException: The error of the first step that failed, once all steps have ended.
    """
    results = [_Result() for _ in steps]
    # daemons: a second Ctrl-C must not wait for a model
    threads = [
        threading.Thread(
            target=contextvars.copy_context().run, args=(_run, step, into), daemon=True
        )
        for step, into in zip(steps[1:], results[1:], strict=True)
    ]
    for thread in threads:
        thread.start()
    if steps:
        _run(steps[0], results[0])
    for thread in threads:
        thread.join()
    outer = dspy.settings.trace
    for result in results:
        if result.error is not None:
            raise result.error
        if outer is not None:
            outer.extend(result.trace)
    return [result.value for result in results]


class _Result:
    """What became of one step."""

    def __init__(self) -> None:
        self.value: Any = None
        self.error: BaseException | None = None
        self.trace: list[Any] = []


def _run(work: Callable[[], Any], into: _Result) -> None:
    traced = dspy.settings.trace is not None
    try:
        with dspy.context(trace=into.trace if traced else None):
            into.value = work()
    except BaseException as error:  # raised again by `together`, in the caller's thread
        into.error = error
