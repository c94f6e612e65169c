"""Judge the answers of a run: threads, budget, outages, resumable, nothing judged twice."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import JsonValue

from optimize.identity import prompts_digest
from optimize.judged_answers import MEASURES, missing, seen
from optimize.keyed_ledger import KeyedLedger
from optimize.language_models import sampling, use_models
from optimize.ledger_work import Words, fill
from optimize.meter import Meter
from optimize.outages import Patience, failure, reason, with_patience
from optimize.progress import Progress, Silence
from optimize.rows import Row, digest
from optimize.run_records import Run, read_run
from optimize.settings import Settings
from optimize.verdicts import VerdictRow, open_verdicts, shown
from programs.judge import JUDGES, AnswerJudge, JudgedAnswer
from signatures.errors import ModelCallError, ParseError
from signatures.schema import JudgedMeasure, Record, Usage, Verdict

WORDS = Words("answers", "judged")


class JudgeTask(NamedTuple):
    """One answer for one measure and one judge."""

    row: Row
    measure: JudgedMeasure
    answer: JudgedAnswer
    abstained: bool
    judge: str
    prompt: str

    @property
    def shown(self) -> str:
        """Digest of what the judge is shown."""
        return shown(self.answer, self.measure, abstained=self.abstained)

    @property
    def key(self) -> str:
        """Name of the verdict."""
        return digest(
            [self.row.key, self.row.fingerprint, self.measure, self.judge, self.prompt, self.shown]
        )


class JudgeTodo(NamedTuple):
    """What is to be judged."""

    tasks: tuple[JudgeTask, ...]
    skipped: dict[str, int]
    """Why answers cannot be judged, with counts: `similarity: no reference`."""


class JudgeSummary(Record):
    """What a call of `judge_run` came to."""

    run: str
    judge: str
    measures: tuple[JudgedMeasure, ...]
    tasks: int
    judged: int
    """Tasks with a verdict, those of earlier calls included."""
    reused: int
    """Of these, from earlier calls."""
    skipped: dict[str, int]
    failures: tuple[str, ...]
    """Question and reason of every task that was tried and has no verdict."""
    stopped: str | None
    """Why the call ended early."""
    spent: Usage
    notes: tuple[str, ...] = ()

    @property
    def incomplete(self) -> bool:
        """True when a task has no verdict."""
        return self.judged < self.tasks


def judge_settings(settings: Settings) -> Settings:
    """Return the settings for judging alone: every role is the judge, at temperature 0.

    A run is judged without its own models, which need not be installed.
    """
    spec = settings.spec("judge")
    if not spec.is_reasoning:
        spec = spec.model_copy(update={"temperature": 0.0, "top_p": None})
    return settings.model_copy(update={"model": spec, "roles": {}})


def judge_run(
    path: Path,
    *,
    settings: Settings,
    measures: Sequence[JudgedMeasure] = ("similarity",),
    out: Path | None = None,
    limit: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    abandon: Callable[[], None] | None = None,
) -> JudgeSummary:
    """Judge every answer of the run at `path` that has no verdict of this judge.

    Args:
        path: Folder of the run.
        settings: Name the judge; its temperature is taken as 0 whatever they say.
        measures: What to judge.
        out: Folder of the verdicts; the run's own without.
        limit: The first that many answers.
        threads: Answers at a time.
        progress: Told of every verdict.
        abandon: Called by a second Ctrl-C.

    Raises:
        InputError: There is no run at `path`, or another process judges into the folder.
        ModelNotFound: The judge is a local model that is absent.
        RunNotWritten: The disk is full; verdicts so far are kept.
    """
    run, own = read_run(path), judge_settings(settings)
    meter = Meter(own.budget)
    with use_models(own, meter) as roles, open_verdicts(out or path) as ledger:
        return judge_answers(
            run,
            ledger,
            measures=measures,
            judge=roles["judge"].model,
            settings=sampling(own.spec("judge")),
            meter=meter,
            limit=limit,
            threads=threads,
            progress=progress,
            abandon=abandon,
        )


def judge_answers(
    run: Run,
    ledger: KeyedLedger[VerdictRow],
    *,
    measures: Sequence[JudgedMeasure],
    judge: str,
    settings: Mapping[str, JsonValue],
    meter: Meter,
    limit: int | None = None,
    threads: int = 1,
    patience: Patience = Patience(),
    progress: Progress | None = None,
    abandon: Callable[[], None] | None = None,
) -> JudgeSummary:
    """Judge with the `judge` role of the caller's `dspy.context`; `settings` is its sampling.

    Raises:
        RunNotWritten: The disk is full; verdicts so far are kept.
    """
    judges = {measure: JUDGES[measure]() for measure in MEASURES if measure in measures}
    todo = tasks_of_run(run, judges, judge=judge, settings=settings, limit=limit)
    left = [task for task in todo.tasks if not ledger.has(task.key)]
    show, stop = progress or Silence(), threading.Event()
    show.begin(len(todo.tasks), done=len(todo.tasks) - len(left))

    def work(task: JudgeTask) -> VerdictRow:
        return judge_one(task, judges[task.measure], meter=meter, patience=patience, stop=stop)

    stopped = fill(
        ledger,
        work,
        left,
        words=WORDS,
        meter=meter,
        stop=stop,
        threads=threads,
        patience=patience,
        progress=show,
        abandon=abandon,
    )
    rows = [ledger.rows[task.key] for task in todo.tasks if task.key in ledger.rows]
    return JudgeSummary(
        run=str(run.path),
        judge=judge,
        measures=tuple(judges),
        tasks=len(todo.tasks),
        judged=sum(row.failure is None for row in rows),
        reused=len(todo.tasks) - len(left),
        skipped=todo.skipped,
        failures=tuple(f"{row.subject}: {row.failure}" for row in rows if row.failure),
        stopped=stopped,
        spent=meter.usage(),
        notes=tuple(_notes(run, judge)),
    )


def tasks_of_run(
    run: Run,
    judges: Mapping[JudgedMeasure, AnswerJudge],
    *,
    judge: str,
    settings: Mapping[str, JsonValue],
    limit: int | None = None,
) -> JudgeTodo:
    """Pair every answer of the run with every measure that it can be judged by."""
    prompts = {m: digest([prompts_digest(j), dict(settings)]) for m, j in judges.items()}
    answered = [task for task in run.tasks if task.key in run.rows][:limit]
    tasks: list[JudgeTask] = []
    skipped: Counter[str] = Counter()
    for task in answered:
        row = run.rows[task.key]
        answer, abstained = seen(row, task.question)
        for measure, prompt in prompts.items():
            lack = missing(answer, measure)
            if lack:
                skipped[f"{measure}: {lack}"] += 1
            else:
                tasks.append(JudgeTask(row, measure, answer, abstained, judge, prompt))
    return JudgeTodo(tuple(tasks), dict(skipped))


def judge_one(
    task: JudgeTask,
    judge: AnswerJudge,
    *,
    meter: Meter,
    patience: Patience,
    stop: threading.Event,
) -> VerdictRow:
    """Judge one answer: a function of the task alone, but for the model and the meter.

    An abstention is not shown to the judge. A reply without a reading is a verdict, `unscored`; an
    outage is none, and is tried again by the next call.

    Raises:
        BudgetExceeded: The budget does not allow the next call.
        Exception: A bug of the program.
    """
    begun, found, failed = time.monotonic(), None, None
    with meter.tally() as tally:
        try:
            found = _asked(task, judge, patience=patience, stop=stop)
        except (ParseError, AdapterParseError, ModelCallError, dspy.LMError) as error:
            kind = failure(error)
            if kind is None:
                raise
            if kind == "unparsed":
                found = Verdict(measure=task.measure, kind="unscored", reason=reason(error))
            else:
                failed = reason(error)
    return VerdictRow(
        key=task.key,
        row=task.row.key,
        question=task.row.question,
        repeat=task.row.repeat,
        measure=task.measure,
        judge=task.judge,
        prompt=task.prompt,
        shown=task.shown,
        verdict=found,
        failure=failed,
        usage=tally.usage(),
        seconds=round(time.monotonic() - begun, 3),
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _asked(
    task: JudgeTask, judge: AnswerJudge, *, patience: Patience, stop: threading.Event
) -> Verdict:
    if task.abstained:
        return Verdict(measure=task.measure, kind="abstained", reason="the answer states nothing")
    found: Verdict = with_patience(lambda: judge(task.answer), patience, stop=stop)
    return found


def _notes(run: Run, judge: str) -> Iterable[str]:
    answered = {str(model.get("id")) for model in run.card.identity.models.values()}
    if judge in answered:
        yield f"{judge} judges its own answers; judges favour themselves: use another model"
    if run.incomplete:
        yield f"{run.missing} questions of the run have no answer yet"
