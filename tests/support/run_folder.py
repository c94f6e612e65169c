"""Run folders for tests, written as `evaluate` writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from metrics.outcomes import outcome
from optimize.identity import Identity
from optimize.row_files import record_line
from optimize.rows import Row, Task
from optimize.runs import QUESTIONS, ROWS, RunCard
from signatures.schema import Question

TIME = "2026-01-01T00:00:00+00:00"


def make_question(number: int, *, gold: str = "A", **fields: Any) -> Question:
    return Question(
        id=f"q{number}",
        source=fields.pop("source", "made"),
        text=f"Question {number}?",
        options={"A": "Metformin", "B": "Linagliptin", "C": "Insulin", "D": "Glipizide"},
        gold=gold,
        labelled=True,
        **fields,
    )


def write_run(
    path: Path,
    questions: Sequence[Question],
    answers: Mapping[str, str | None],
    *,
    firsts: Mapping[str, str] | None = None,
    reports: Mapping[str, list[Any]] | None = None,
    repeats: int = 1,
    program: str = "made",
) -> Path:
    """Write a run; a question without an answer was not run."""
    identity = Identity(
        program=program, settings={}, prompts="p", models={}, graph=None, version="test"
    )
    card = RunCard(identity=identity, repeats=repeats, created=TIME, updated=TIME, revision=None)
    rows = [
        _row(Task(q, repeat), identity.fingerprint, answers[q.id], firsts or {}, reports or {})
        for repeat in range(repeats)
        for q in questions
        if q.id in answers
    ]
    path.mkdir(parents=True)
    (path / "run.json").write_text(card.model_dump_json())
    (path / QUESTIONS).write_text("".join(map(record_line, questions)))
    (path / ROWS).write_text("".join(map(record_line, rows)))
    return path


def _row(
    task: Task,
    fingerprint: str,
    answer: str | None,
    firsts: Mapping[str, str],
    reports: Mapping[str, list[Any]],
) -> Row:
    question = task.question
    first = firsts.get(question.id)
    return Row(
        key=task.key,
        fingerprint=fingerprint,
        question=question.id,
        repeat=task.repeat,
        source=question.source,
        domain=question.domain,
        answer=answer,
        outcome=outcome(question, answer),
        first=first,
        first_outcome=None if first is None else outcome(question, first),
        finished=TIME,
        trace={"report": reports.get(question.id, [])},
    )
