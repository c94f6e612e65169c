"""An optimizer's own evaluations, with the journal before every answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

import dspy
from dspy.utils.callback import BaseCallback

from optimize.dspy_metrics import Metric
from optimize.journal import Journal, candidate_key, score_once
from optimize.plain import plain
from optimize.rows import digest


class Replayed(dspy.Prediction):
    """Stands in for an answer whose score is known."""


class Replay(BaseCallback):
    """Lets an optimizer's evaluations take known scores, and keeps those they make.

    While `dspy.Evaluate` runs a candidate, its `forward` looks into the journal first. In a traced
    pass, which DSPy marks by a `forward` that also returns the trace, the answers to training
    examples are needed and not only their scores: there scores are kept and not taken.
    """

    def __init__(
        self,
        journal: Journal,
        metric: Metric,
        *,
        name: str,
        train: Sequence[dspy.Example],
        dev: Sequence[dspy.Example],
    ) -> None:
        """Take the examples that candidates are scored on."""
        self._journal, self._metric, self._name = journal, metric, name
        self._known = {_asked(example.inputs()): example for example in (*train, *dev)}
        self._reflected = {_asked(example.inputs()) for example in train}
        self._lock = threading.Lock()
        self._running: dict[str, tuple[dspy.Module, object]] = {}

    def on_evaluate_start(self, call_id, instance, inputs) -> None:  # type: ignore[no-untyped-def]
        """Put the journal before the candidate."""
        program = inputs["program"]
        with self._lock:
            self._running[call_id] = program, vars(program).get("forward")
        program.forward = self._forward(program, candidate_key(program))

    def on_evaluate_end(self, call_id, outputs, exception=None) -> None:  # type: ignore[no-untyped-def]
        """Take it away."""
        with self._lock:
            program, before = self._running.pop(call_id, (None, None))
        if program is not None:
            vars(program).pop("forward", None)
            if before is not None:
                program.forward = before

    def _forward(self, program: dspy.Module, candidate: str) -> Callable[..., object]:
        # Not through the attribute: DSPy warns about a `forward` that is taken and not called.
        original = object.__getattribute__(program, "forward")
        traced = getattr(original, "__name__", "") == _TRACED

        def forward(**inputs: object) -> object:
            asked = _asked(inputs)
            example = self._known.get(asked)
            if example is None:
                return original(**inputs)
            if traced and asked in self._reflected:
                said = original(**inputs)
                self._score(lambda: said[0], example, candidate)
                return said
            run = (lambda: original(**inputs)[0]) if traced else lambda: original(**inputs)
            replayed = Replayed(score=self._score(run, example, candidate))
            return (replayed, []) if traced else replayed

        return forward

    def _score(self, run: Callable[[], object], example: dspy.Example, candidate: str) -> float:
        return score_once(
            run,
            example,
            self._metric,
            name=self._name,
            journal=self._journal,
            candidate=candidate,
        ).value


_TRACED = "patched_forward"
"""Name of the `forward` that `dspy.teleprompt.bootstrap_trace` puts on a program."""


def _asked(inputs: Mapping[str, object]) -> str:
    return digest(plain(dict(inputs.items())))
