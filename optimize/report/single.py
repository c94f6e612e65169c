"""The card of one question that was just asked, as a page of its own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metrics.outcomes import is_scored, outcome
from optimize.asking import Answered
from optimize.identity import Identity, qkgram_version
from optimize.report.collect import setting_of
from optimize.report.page import card_page
from optimize.report.prompts import program_prompts
from optimize.report.records import ReportData, RunPart
from optimize.rows import Row, Task, trace_of
from optimize.run_results import run_results
from optimize.runs import Run, RunCard
from optimize.summary import summarise
from signatures.schema import Outcome, Question

if TYPE_CHECKING:
    from optimize.settings import Settings

TITLE = "One question, and what its answer rests on"


def answer_page(
    question: Question,
    answered: Answered,
    *,
    program: str,
    settings: Settings,
    compiled: Path | None = None,
) -> str:
    """Write the page of one answered question: the card of `report`, with the prompts.

    Args:
        question: As it was asked.
        answered: From `optimize.asking.ask`.
        program: Name of the program.
        settings: The settings it ran under.
        compiled: The program's state, where it had one.
    """
    digest, prompts = program_prompts(program, settings.program, compiled=compiled)
    models = {role: {"id": settings.spec(role).model} for role in ("reasoner", "validator")}
    return single_page(
        question, answered, identity=_identity(program, digest, models), prompts={digest: prompts}
    )


def single_page(
    question: Question,
    answered: Answered,
    *,
    identity: Identity,
    prompts: Mapping[str, Mapping[str, str]],
) -> str:
    """Write the page from an identity and prompts that are known."""
    run = _run(question, answered, identity)
    part = RunPart(identity.program, setting_of(run), run, summarise(run), run_results(run))
    row = next(iter(run.rows.values()))
    return card_page(ReportData(TITLE, row.finished, (part,), (), (), prompts))


def _identity(program: str, prompts: str, models: dict[str, Any]) -> Identity:
    return Identity(
        program=program,
        settings={},
        prompts=prompts,
        models=models,
        graph=None,
        version=qkgram_version(),
    )


def _run(question: Question, answered: Answered, identity: Identity) -> Run:
    """Make the run that `evaluate` would have made of this one question, in memory."""
    task = Task(question, 0)
    row = _row(task, answered, identity)
    card = RunCard(
        identity=identity, repeats=1, created=row.finished, updated=row.finished, revision=None
    )
    stored: dict[str, Outcome | None] = {row.key: row.outcome}
    return Run(Path(), card, (task,), {row.key: row}, {row.key: 1}, {}, (), stored)


def _row(task: Task, answered: Answered, identity: Identity) -> Row:
    said, question = answered.prediction, task.question
    answer, first = said.response.llm_answer_choice, said.get("first")
    given = None if first is None else first.llm_answer_choice
    scored = is_scored(question)
    return Row(
        key=task.key,
        fingerprint=identity.fingerprint,
        question=question.id,
        repeat=0,
        source=question.source,
        domain=said.get("domain") or question.domain,
        modes=tuple(hop.mode for hop in said.get("hops") or ()),
        confidence=said.get("confidence"),
        mismatch=said.get("mismatch"),
        answer=answer,
        outcome=outcome(question, answer) if scored else None,
        first=given,
        first_outcome=outcome(question, given) if scored and given is not None else None,
        usage=answered.usage,
        stages=dict(answered.stages),
        seconds=round(answered.seconds, 3),
        notes=tuple(said.get("notes") or ()),
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
        trace=trace_of(dict(said.items())),
    )
