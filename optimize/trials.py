"""The candidates that an optimizer evaluates on its way, one report for each."""

from __future__ import annotations

import threading
from collections.abc import Callable

import dspy
from dspy.utils.callback import BaseCallback

Report = Callable[[int, dspy.Module, float], None]
"""Called with the trial's number, its program and its dev score from 0 to 1."""


class Trials(BaseCallback):
    """Reports each full evaluation; minibatches, which score a part of the dev set, are skipped."""

    def __init__(self, report: Report, *, dev: int) -> None:
        """Report evaluations of `dev` examples."""
        self._report, self._dev = report, dev
        self._lock = threading.Lock()
        self._running: dict[str, dspy.Module] = {}
        self._done = 0

    def on_evaluate_start(self, call_id, instance, inputs) -> None:  # type: ignore[no-untyped-def]
        """Remember which program is evaluated."""
        if len(inputs.get("devset") or instance.devset) == self._dev:
            with self._lock:
                self._running[call_id] = inputs["program"]

    def on_evaluate_end(self, call_id, outputs, exception=None) -> None:  # type: ignore[no-untyped-def]
        """Report its score. DSPy counts in percent."""
        with self._lock:
            program = self._running.pop(call_id, None)
            if program is None or exception is not None:
                return
            number, self._done = self._done, self._done + 1
        self._report(number, program, outputs.score / 100)
