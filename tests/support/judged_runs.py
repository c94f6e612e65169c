"""Runs of short answers for the tests of judging, and a judge by script."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import dspy

from optimize.adapter import QkgramAdapter
from optimize.budget import Budget
from optimize.judging import JudgeSummary, judge_answers
from optimize.meter import Meter
from optimize.rows import Row, Task
from optimize.run_records import read_run
from optimize.scripted import Answer, ScriptedCall, ScriptedLM
from optimize.verdicts import open_verdicts
from signatures.schema import JudgedMeasure, Question
from tests.support.evaluate_toy import open_toy, toy_identity

TIME = "2026-01-01T00:00:00+00:00"


def open_question(number: int, **fields: Any) -> Question:
    """A short-answer question with a reference."""
    return Question(
        **{
            "id": f"s{number}",
            "source": "made",
            "text": f"Open question {number}?",
            "reference": f"reference {number}",
            **fields,
        }
    )


def write_answers(
    path: Path, questions: Sequence[Question], answers: Sequence[str | None], **fields: Any
) -> Path:
    """Write a run with these answers; `fields` go into every row."""
    with open_toy(path, questions) as run:
        for question, answer in zip(questions, answers, strict=True):
            run.append(
                Row(
                    key=Task(question, 0).key,
                    fingerprint=toy_identity().fingerprint,
                    question=question.id,
                    repeat=0,
                    source=question.source,
                    answer=answer,
                    outcome=None,
                    finished=TIME,
                    **{"domain": None, **fields},
                )
            )
    return path


def scores(call: ScriptedCall) -> Answer:
    """A judge that reads its score in brackets in the answer: `Metformin [0.9]`."""
    said = re.findall(r"\[([^\]]*)\]", call.user)[-1]
    return {call.fields[0]: "compared", call.fields[-1]: said}


def judge(
    path: Path,
    script: Callable[[ScriptedCall], Answer] = scores,
    *,
    name: str = "judge/one",
    measures: Sequence[JudgedMeasure] = ("similarity",),
    budget: Budget | None = None,
    reasks: int = 0,
    **options: Any,
) -> tuple[JudgeSummary, ScriptedLM]:
    """Judge a run with a scripted judge; the reasoner's model would fail if it were asked."""
    meter = Meter(budget)
    model = ScriptedLM(script, model=name, role="judge", meter=meter)
    roles = {"judge": model, "reasoner": ScriptedLM([])}
    with (
        dspy.context(lm=roles["reasoner"], roles=roles, adapter=QkgramAdapter(reasks=reasks)),
        open_verdicts(options.pop("out", path)) as ledger,
    ):
        summary = judge_answers(
            read_run(path),
            ledger,
            measures=measures,
            judge=name,
            settings=options.pop("settings", {"temperature": 0.0}),
            meter=meter,
            **options,
        )
    return summary, model
