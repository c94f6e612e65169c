"""One answer before a judge: what it is shown, and the verdict that comes of its reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue

from optimize.attempts import attempt
from optimize.identity import prompts_digest
from optimize.judged_answers import missing, seen
from optimize.meter import Meter
from optimize.rows import Row, digest
from optimize.run_records import Run
from optimize.verdicts import VerdictRow, shown
from programs.judge import AnswerJudge, JudgedAnswer
from signatures.schema import JudgedMeasure, Verdict


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
) -> VerdictRow:
    """Judge one answer: a function of the task alone, but for the model and the meter.

    An abstention is not shown to the judge. A reply without a reading is a verdict, `unscored`; an
    outage is none, and is tried again by the next call.

    Raises:
        BudgetExceeded: The budget does not allow the next call.
        Exception: A bug of the program.
    """

    def ask() -> Verdict:
        if task.abstained:
            return Verdict(
                measure=task.measure, kind="abstained", reason="the answer states nothing"
            )
        found: Verdict = judge(task.answer)
        return found

    found, booked = attempt(
        ask,
        meter=meter,
        unread=lambda why: Verdict(measure=task.measure, kind="unscored", reason=why),
    )
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
        **booked,
    )
