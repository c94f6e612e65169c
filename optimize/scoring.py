"""The score of a candidate program: one pass, no example counted for what is not its fault.

`dspy.Evaluate` is not used: it scores a crash as wrong, loses every result at the tenth error and
runs slow examples twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import dspy
from pydantic import Field

from metrics.intervals import Interval, wilson
from optimize.dspy_metrics import Metric
from optimize.journal import Entry, Journal, candidate_key, example_key, score_once
from optimize.watch import Halt, Watch, fatal
from signatures.schema import Record

Progress = Callable[[str, int, int], None]
"""Called with the stage, how many are done and of how many. May be called from threads."""


class Score(Record):
    """Mean of a metric over a set of examples."""

    metric: str
    value: float = Field(ge=0, le=1)
    n: int = Field(ge=1)
    failed: int = 0
    """Examples without a readable answer: scored 0, and counted here."""
    values: dict[str, float] = Field(default={}, repr=False)
    """Value per example, by its key."""

    @property
    def right(self) -> dict[str, bool]:
        """Whether each example got the full score: what the paired test compares."""
        return {key: value >= 1.0 for key, value in self.values.items()}

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval; of a metric with partial scores, that of the rounded sum."""
        return wilson(round(self.value * self.n), self.n)


def score_program(
    program: dspy.Module,
    examples: Sequence[dspy.Example],
    metric: Metric,
    *,
    name: str,
    stage: str,
    watch: Watch,
    threads: int = 1,
    progress: Progress | None = None,
    journal: Journal | None = None,
) -> Score:
    """Run the program on every example without a score in the journal; return the mean score.

    Each thread sees the caller's `dspy.context`: language models, roles, adapter, stage.

    Raises:
        Halt: a model could not be reached or a budget is spent; `watch.error` says which.
    """
    done: list[bool] = []
    kept = journal or Journal()
    candidate = candidate_key(program)

    def one(example: dspy.Example) -> Entry:
        entry = _score_one(
            program, example, metric, name=name, watch=watch, journal=kept, candidate=candidate
        )
        done.append(True)
        if progress is not None:
            progress(stage, len(done), len(examples))
        return entry

    results = _run(one, examples, threads=threads)
    return Score(
        metric=name,
        value=sum(entry.value for entry in results) / len(results),
        n=len(results),
        failed=sum(entry.failed for entry in results),
        values={
            example_key(example): entry.value
            for example, entry in zip(examples, results, strict=True)
        },
    )


def _run(
    one: Callable[[dspy.Example], Entry], examples: Sequence[dspy.Example], *, threads: int
) -> list[Entry]:
    if threads <= 1:
        return [one(example) for example in examples]
    pool = ThreadPoolExecutor(max_workers=threads)
    try:
        futures = [pool.submit(copy_context().run, one, example) for example in examples]
        return [future.result() for future in futures]
    finally:
        pool.shutdown(cancel_futures=True)


def _score_one(
    program: dspy.Module,
    example: dspy.Example,
    metric: Metric,
    *,
    name: str,
    watch: Watch,
    journal: Journal,
    candidate: str,
) -> Entry:
    watch.check()
    try:
        return score_once(
            lambda: program(**example.inputs()),
            example,
            metric,
            name=name,
            journal=journal,
            candidate=candidate,
        )
    except dspy.LMError as error:
        watch.note(error)
        raise Halt(str(fatal(error))) from error
