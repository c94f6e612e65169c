"""What an optimizer is given: a metric that cannot fail in silence, and no terminal to print on."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Iterator

import dspy

from optimize.dspy_metrics import Metric, as_number
from optimize.scoring import Progress
from optimize.watch import Watch
from signatures.errors import QkgramError

_log = logging.getLogger(__name__)


class Judge:
    """A metric as an optimizer calls it: checked, counted, and stopped with the study.

    Optimizers catch whatever a metric raises and go on, so an error of ours is noted by the watch
    and leaves as a `Halt`.
    """

    def __init__(
        self, metric: Metric, *, name: str, watch: Watch, total: int, progress: Progress | None
    ) -> None:
        """Judge with `metric`; `total` is how many examples the progress is counted against."""
        self._metric, self._name, self._watch = metric, name, watch
        self._total, self._progress = total, progress
        self._done = 0

    def __call__(
        self, example: dspy.Example, pred: object, trace: object | None = None
    ) -> float | bool:
        """Return a float when evaluating, a bool when bootstrapping."""
        self._watch.check()
        try:
            said = self._metric(example, pred, trace)
            value = as_number(said, metric=self._name, strict=trace is not None)
        except QkgramError as error:
            self._watch.note(error)
            self._watch.check()
            raise
        self._done += 1
        if self._progress is not None:
            self._progress("compile", self._done, max(self._total, self._done))
        return value


@contextlib.contextmanager
def unprinted() -> Iterator[None]:
    """Keep what optimizers print off the terminal; a script reads standard output."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            yield
    finally:
        for line in said.getvalue().splitlines():
            _log.debug("optimizer: %s", line)
