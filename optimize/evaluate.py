"""Run a program over questions: threads, budget, outages, and a row on disk for every answer.

`dspy.Evaluate` is not used: it scores a crash as wrong, asks slow questions twice and loses every
result at the tenth error.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from metrics.outcomes import is_scored, not_run, outcome
from optimize.bookkeeping import BLANK, Book
from optimize.meter import Meter
from optimize.outages import failure, is_lasting, reason
from optimize.progress import Progress, Silence
from optimize.rows import Row, Task, blind, trace_of
from optimize.runs import RunDirectory
from optimize.summary import Summary, summarise
from optimize.workers import stop_on_interrupt, work_through
from signatures.errors import BudgetExceeded, ModelCallError, ParseError
from signatures.schema import Outcome, Question

Program = Callable[..., dspy.Prediction]
"""Called with `question`: a program's module, or one opened from the settings."""

INTERRUPTED = "interrupted"
"""Why a run stopped, when the user stopped it."""


def evaluate(
    program: Program,
    run: RunDirectory,
    *,
    meter: Meter,
    threads: int = 1,
    progress: Progress | None = None,
    abandon: Callable[[], None] | None = None,
) -> Summary:
    """Answer every question of the run that has no row yet, and sum the run up.

    The models are those of the caller's `dspy.context`: `lm`, `roles` and the adapter. Ctrl-C lets
    the questions at hand finish; a second one calls `abandon`.

    Args:
        program: Called with `question`, from which the gold has been taken.
        run: Open run directory.
        meter: Where the models' calls are counted; it holds the budget.
        threads: Questions at a time. No part of the run's identity.
        progress: Told how it goes.
        abandon: Ends at once; default: raise `KeyboardInterrupt`.

    Raises:
        RunNotWritten: The disk is full; rows so far are kept.
        Exception: Whatever bug a program has. Rows so far are kept.
    """
    show = progress or Silence()
    stop = threading.Event()
    models = _models_per_repeat(run.card.repeats)

    def answer(task: Task) -> Row:
        with models[task.repeat]():
            return answer_one(task, program, run=run, meter=meter)

    show.begin(len(run.tasks), done=run.reused)
    book = Book(run, meter, show, threads=threads)
    waiting = "finishing the questions at hand; Ctrl-C again abandons them"
    interrupted = partial(book.stopped_by, INTERRUPTED, say=waiting)
    with (
        warnings.catch_warnings(),
        stop_on_interrupt(stop, first=interrupted, second=abandon or _interrupt),
    ):
        # Not true: a rollout id also makes a new cache key at temperature 0.
        warnings.filterwarnings("ignore", message="rollout_id has no effect")
        try:
            for row in work_through(answer, run.todo(), threads=threads, stop=stop):
                book.enter(row)
                if book.stopped:
                    stop.set()
        except BudgetExceeded as error:
            book.stopped_by(str(error))
        finally:
            stop.set()
    return summarise(run.read(), spent=meter.usage(), stopped=book.stopped)


def answer_one(
    task: Task,
    program: Program,
    *,
    run: RunDirectory,
    meter: Meter,
) -> Row:
    """Answer one question: a function of the task alone, but for models and the meter.

    Raises:
        BudgetExceeded: The budget does not allow the next call.
        Exception: A bug of the program.
    """
    question = task.question
    if not question.text.strip():
        return _row(task, run, answer=None, outcome=not_run(question), reason=BLANK)
    begun = time.monotonic()
    answered: dict[str, Any] = {}
    with meter.tally() as tally:
        try:
            answered = _answered(question, program(question=blind(question)))
        except (ParseError, AdapterParseError, ModelCallError, dspy.LMError) as error:
            kind = failure(error)
            if kind is None:
                raise
            final = not_run(question) if kind == "outage" else _outcome(question, None)
            answered = {"answer": None, "outcome": final, "reason": reason(error)}
            answered["lasting"] = kind == "outage" and is_lasting(error)
    return _row(
        task,
        run,
        **answered,
        usage=tally.usage(),
        stages=tally.by_stage(),
        seconds=round(time.monotonic() - begun, 3),
    )


def _answered(question: Question, prediction: dspy.Prediction) -> dict[str, Any]:
    """Fields of the row that come from a prediction."""
    response, first = prediction.response, prediction.get("first")
    given = None if first is None else first.llm_answer_choice
    return {
        "answer": response.llm_answer_choice,
        "outcome": _outcome(question, response.llm_answer_choice),
        "first": given,
        "first_outcome": None if given is None else _outcome(question, given),
        "domain": prediction.get("domain") or question.domain,
        "modes": tuple(hop.mode for hop in prediction.get("hops") or ()),
        "confidence": prediction.get("confidence"),
        "mismatch": prediction.get("mismatch"),
        "notes": tuple(prediction.get("notes") or ()),
        "trace": trace_of(dict(prediction.items())),
    }


def _outcome(question: Question, answer: str | None) -> Outcome | None:
    return outcome(question, answer) if is_scored(question) else None


def _row(task: Task, run: RunDirectory, **fields: Any) -> Row:
    roles = dspy.settings.get("roles") or {"reasoner": dspy.settings.get("lm")}
    return Row(
        **{
            "key": task.key,
            "fingerprint": run.card.identity.fingerprint,
            "question": task.question.id,
            "repeat": task.repeat,
            "rollout": task.repeat or None,
            "source": task.question.source,
            "domain": task.question.domain,
            "models": {role: lm.model for role, lm in roles.items() if lm is not None},
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
            **fields,
        }
    )


def _models_per_repeat(repeats: int) -> tuple[Callable[[], AbstractContextManager[None]], ...]:
    """The models of each repeat: all but the first are asked anew, past the cache."""
    roles: Mapping[str, dspy.LM] = dspy.settings.get("roles") or {}
    lm = dspy.settings.get("lm")

    def context(repeat: int) -> Callable[[], AbstractContextManager[None]]:
        if repeat == 0 or lm is None:
            return lambda: dspy.context(trace=[])
        copies = {id(model): model.copy(rollout_id=repeat) for model in (lm, *roles.values())}
        anew = {role: copies[id(model)] for role, model in roles.items()}
        return lambda: dspy.context(trace=[], lm=copies[id(lm)], roles=anew)

    return tuple(context(repeat) for repeat in range(repeats))


def _interrupt() -> None:
    raise KeyboardInterrupt
