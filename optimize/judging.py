"""Judge the answers of a run: threads, budget, outages, resumable, nothing judged twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from optimize.judge_tasks import JudgeTask, judge_one, tasks_of_run
from optimize.judged_answers import MEASURES
from optimize.keyed_ledger import KeyedLedger
from optimize.language_models import sampling, use_models
from optimize.ledger_work import Words, fill
from optimize.meter import Meter
from optimize.progress import Progress
from optimize.run_records import Run, read_run
from optimize.settings import Settings
from optimize.verdicts import VerdictRow, open_verdicts
from programs.judge import JUDGES
from signatures.schema import JudgedMeasure, Record, Usage

WORDS = Words("answers", "judged")


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
    progress: Progress | None = None,
    abandon: Callable[[], None] | None = None,
) -> JudgeSummary:
    """Judge with the `judge` role of the caller's `dspy.context`; `settings` is its sampling.

    Raises:
        RunNotWritten: The disk is full; verdicts so far are kept.
    """
    judges = {measure: JUDGES[measure]() for measure in MEASURES if measure in measures}
    todo = tasks_of_run(run, judges, judge=judge, settings=settings, limit=limit)

    def work(task: JudgeTask) -> VerdictRow:
        return judge_one(task, judges[task.measure], meter=meter)

    filled = fill(
        ledger,
        work,
        todo.tasks,
        words=WORDS,
        meter=meter,
        threads=threads,
        progress=progress,
        abandon=abandon,
    )
    return JudgeSummary(
        run=str(run.path),
        judge=judge,
        measures=tuple(judges),
        tasks=filled.tasks,
        judged=sum(row.failure is None for row in filled.rows),
        reused=filled.reused,
        skipped=todo.skipped,
        failures=filled.failures,
        stopped=filled.stopped,
        spent=meter.usage(),
        notes=tuple(_notes(run, judge)),
    )


def _notes(run: Run, judge: str) -> Iterable[str]:
    answered = {str(model.get("id")) for model in run.card.identity.models.values()}
    if judge in answered:
        yield f"{judge} judges its own answers; judges favour themselves: use another model"
    if run.incomplete:
        yield f"{run.missing} questions of the run have no answer yet"
