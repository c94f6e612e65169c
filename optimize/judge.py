"""What an optimizer is given: a metric that cannot fail in silence, and no terminal to print on."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Iterator
from typing import Any

import dspy

from optimize.dspy_metrics import Metric, as_number
from optimize.feedback import feedback
from optimize.replay import Replayed
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

    def __call__(self, example: dspy.Example, pred: object, trace: object | None = None) -> Any:
        """Return a float when evaluating, a bool when bootstrapping."""
        return self._judged(example, pred, trace)

    def _judged(self, example: dspy.Example, pred: object, trace: object | None) -> float | bool:
        self._watch.check()
        if isinstance(pred, Replayed):
            value: float | bool = float(pred.score)
        else:
            value = self._measured(example, pred, trace)
        self._done += 1
        if self._progress is not None:
            self._progress("compile", self._done, max(self._total, self._done))
        return value

    def _measured(self, example: dspy.Example, pred: object, trace: object | None) -> float | bool:
        try:
            said = self._metric(example, pred, trace)
            return as_number(said, metric=self._name, strict=trace is not None)
        except QkgramError as error:
            self._watch.note(error)
            self._watch.check()
            raise


class FeedbackJudge(Judge):
    """A metric as GEPA calls it: five arguments, and words beside the score.

    The score is the same with and without a trace, and with and without a predictor's name.
    """

    def __init__(
        self,
        metric: Metric,
        *,
        name: str,
        field: str,
        watch: Watch,
        total: int,
        progress: Progress | None,
    ) -> None:
        """Judge with `metric`, which reads the output `field`."""
        super().__init__(metric, name=name, watch=watch, total=total, progress=progress)
        self._field = field

    def __call__(
        self,
        example: dspy.Example,
        pred: object,
        trace: object | None = None,
        pred_name: str | None = None,
        pred_trace: object | None = None,
    ) -> dspy.Prediction:
        """Return `score` and `feedback`."""
        score = float(self._judged(example, pred, None))
        said = (
            ""
            if isinstance(pred, Replayed)
            else feedback(example, pred, score=score, field=self._field)
        )
        return dspy.Prediction(score=score, feedback=said)


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
