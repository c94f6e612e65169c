"""The dev score of a candidate program: one pass, no example counted for what is not its fault.

`dspy.Evaluate` is not used: it scores a crash as wrong, loses every result at the tenth error and
runs slow examples twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import dspy
from pydantic import Field

from optimize.dspy_metrics import Metric, as_number
from optimize.watch import Halt, Watch, fatal
from signatures.errors import ParseError
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
) -> Score:
    """Run the program on every example and return the mean score.

    Each thread sees the caller's `dspy.context`: language models, roles, adapter, stage.

    Raises:
        Halt: a model could not be reached or a budget is spent; `watch.error` says which.
    """
    done: list[bool] = []

    def one(example: dspy.Example) -> tuple[float, bool]:
        result = _score_one(program, example, metric, name=name, watch=watch)
        done.append(True)
        if progress is not None:
            progress(stage, len(done), len(examples))
        return result

    results = _run(one, examples, threads=threads)
    return Score(
        metric=name,
        value=sum(value for value, _ in results) / len(results),
        n=len(results),
        failed=sum(failed for _, failed in results),
    )


def _run(
    one: Callable[[dspy.Example], tuple[float, bool]],
    examples: Sequence[dspy.Example],
    *,
    threads: int,
) -> list[tuple[float, bool]]:
    if threads <= 1:
        return [one(example) for example in examples]
    pool = ThreadPoolExecutor(max_workers=threads)
    try:
        futures = [pool.submit(copy_context().run, one, example) for example in examples]
        return [future.result() for future in futures]
    finally:
        pool.shutdown(cancel_futures=True)


def _score_one(
    program: dspy.Module, example: dspy.Example, metric: Metric, *, name: str, watch: Watch
) -> tuple[float, bool]:
    watch.check()
    try:
        pred = program(**example.inputs())
    except (dspy.AdapterParseError, ParseError, dspy.ContextWindowExceededError):
        return 0.0, True
    except dspy.LMError as error:
        watch.note(error)
        raise Halt(str(fatal(error))) from error
    return float(as_number(metric(example, pred), metric=name, strict=False)), False
