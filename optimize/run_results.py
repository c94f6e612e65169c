"""The rows of a run folder as results: what was run, what was not, where each row stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from data.wording import counted
from metrics.outcomes import is_scored, not_run
from optimize.results import ResultRow, Results
from optimize.rows import Task
from optimize.runs import ROWS, Run, read_run


def read_run_results(path: Path) -> Results:
    """Read a run folder; outcomes are read again from the answers, with the run's own questions.

    Raises:
        InputError: there is no run at `path`.
    """
    return run_results(read_run(path))


def run_results(run: Run) -> Results:
    """Return the rows of a run that was read already."""
    scored = [task for task in run.tasks if is_scored(task.question)]
    shared = _shared_ids(run.tasks)
    return Results(
        name=run.path.resolve().name,
        path=str(run.path),
        rows=tuple(_row(run, task, shared) for task in scored),
        notes=(*run.notes, *_remarks(run, scored)),
        tuned=any(task.question.split in ("train", "dev") for task in scored),
    )


def _row(run: Run, task: Task, shared: frozenset[str]) -> ResultRow:
    key, question = task.key, task.question
    name = f"{question.id} ({key[:6]})" if question.id in shared else question.id
    row = run.rows.get(key)
    if row is None or row.outcome is None:
        return ResultRow(
            key=name,
            repeat=task.repeat,
            digest=key,
            first=None,
            final=not_run(question),
            place=str(run.path / ROWS),
            source=question.source,
        )
    report = row.trace.get("report")
    return ResultRow(
        key=name,
        repeat=task.repeat,
        digest=key,
        first=row.first_outcome,
        final=row.outcome,
        stored=run.stored[key],
        place=f"{run.path / ROWS}:{run.lines[key]}",
        report=tuple(report) if isinstance(report, list) else (),
        source=row.source,
        domain=row.domain,
        mode=row.mode,
    )


def _shared_ids(tasks: Sequence[Task]) -> frozenset[str]:
    """Ids that two questions have: part of the key is written beside them."""
    seen = Counter(task.question.id for task in tasks if task.repeat == 0)
    return frozenset(name for name, count in seen.items() if count > 1)


def _remarks(run: Run, scored: Sequence[Task]) -> Iterator[str]:
    if run.incomplete:
        tasks = counted(len(run.tasks), "question")
        yield f"{run.missing} of {tasks} were not run: the run is incomplete"
    if len(scored) < len(run.tasks):
        unscored = len(run.tasks) - len(scored)
        yield counted(
            unscored,
            "question has no gold and is left out",
            "questions have no gold and are left out",
        )
    if run.card.repeats > 1:
        yield f"only the first of {run.card.repeats} repeats is compared or audited"
    seen = Counter(task.question.split for task in scored if task.repeat == 0)
    tuned = seen["train"] + seen["dev"]
    if tuned:
        tuned_on = counted(tuned, "question is", "questions are")
        yield f"{tuned_on} of the train or dev split: no p-value is reported"
