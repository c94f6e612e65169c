"""What a run says when it ends: accuracy with its interval, outcomes, cost."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable

from metrics.exact_match import Accuracy, accuracy, accuracy_by
from metrics.outcomes import not_run
from optimize.no_entity import found_no_entity
from optimize.rows import Row
from optimize.runs import Run
from signatures.schema import Mode, Outcome, Record, Usage


class Summary(Record):
    """A run in numbers. With repeats, `accuracy` pools them and `mean` and `sd` compare them."""

    run: str
    """Path of the directory."""
    program: str
    fingerprint: str
    models: dict[str, str]
    """Model id per role."""
    planned: int
    """Questions times repeats."""
    done: int
    """Rows, of this call and of earlier ones."""
    incomplete: bool
    stopped: str | None
    """Why the call ended before the last question; `None` when it did not."""
    accuracy: Accuracy
    first: Accuracy | None
    """Of the reasoner's first answers: QKG's "no validator", in the same run."""
    repeats: tuple[Accuracy, ...]
    """One per repeat; empty for a single one."""
    mean: float | None
    """Mean accuracy of the repeats, from 0 to 1."""
    sd: float | None
    """Sample standard deviation of the repeats' accuracy."""
    unscored: int
    """Rows without a gold to score against."""
    no_entity: int = 0
    """Rows for which the graph was asked and no name of the question was linked to a node."""
    by_source: dict[str, Accuracy]
    by_domain: dict[str, Accuracy]
    by_mode: dict[str, Accuracy]
    """By the mode of the last hop."""
    modes: dict[Mode, int]
    """How many hops were answered in each mode."""
    usage: Usage
    """Of all rows."""
    stages: dict[str, Usage]
    spent: Usage
    """Of this call alone."""
    seconds_per_item: float | None
    """Mean wall-clock seconds of a row."""
    reasons: dict[str, int]
    """Why questions were not run or not read, with counts, the most frequent first."""
    notes: tuple[str, ...]


def summarise(run: Run, *, spent: Usage = Usage(), stopped: str | None = None) -> Summary:
    """Work out the summary of a run as it stands on disk.

    Args:
        run: From `RunDirectory.read` or `read_run`.
        spent: What this call spent.
        stopped: Why it ended early.
    """
    rows = tuple(run.rows.values())
    per_repeat = tuple(_accuracy(run, n) for n in range(run.card.repeats))
    values = [part.value for part in per_repeat if part.value is not None]
    several = run.card.repeats > 1
    firsts = [row.first_outcome for row in rows if row.first_outcome]
    identity = run.card.identity
    return Summary(
        run=str(run.path),
        program=identity.program,
        fingerprint=identity.fingerprint,
        models={role: str(model["id"]) for role, model in identity.models.items()},
        planned=len(run.tasks),
        done=len(rows),
        incomplete=run.incomplete,
        stopped=stopped,
        accuracy=_accuracy(run),
        first=accuracy(firsts) if firsts else None,
        repeats=per_repeat if several else (),
        mean=statistics.mean(values) if several and values else None,
        sd=statistics.stdev(values) if len(values) > 1 else None,
        unscored=sum(row.outcome is None for row in rows),
        no_entity=sum(found_no_entity(row.trace) for row in rows),
        by_source=_by(rows, lambda row: row.source),
        by_domain=_by(rows, lambda row: row.domain),
        by_mode=_by(rows, lambda row: row.mode),
        modes=dict(Counter(mode for row in rows for mode in row.modes)),
        usage=total(row.usage for row in rows),
        stages=_stages(rows),
        spent=spent,
        seconds_per_item=statistics.mean(row.seconds for row in rows) if rows else None,
        reasons=_reasons((*rows, *run.failed.values())),
        notes=run.notes,
    )


def total(usages: Iterable[Usage]) -> Usage:
    """Add usages up.

    >>> total([Usage(calls=1, cost=0.5), Usage(calls=2)]).calls
    3
    """
    return sum(usages, start=Usage())


def _accuracy(run: Run, repeat: int | None = None) -> Accuracy:
    """Accuracy over the tasks of one repeat or of all; a task without a row was not run."""
    outcomes: list[Outcome] = []
    for task in run.tasks:
        if repeat is not None and task.repeat != repeat:
            continue
        row = run.rows.get(task.key)
        if row is None:
            outcomes.append(not_run(task.question))
        elif row.outcome is not None:
            outcomes.append(row.outcome)
    return accuracy(outcomes)


def _by(rows: Iterable[Row], name: Callable[[Row], str | None]) -> dict[str, Accuracy]:
    """Accuracy per group, over the rows that have one."""
    pairs = ((name(row), row.outcome) for row in rows)
    return dict(accuracy_by((group, out) for group, out in pairs if group and out))


def _stages(rows: Iterable[Row]) -> dict[str, Usage]:
    stages: dict[str, Usage] = {}
    for row in rows:
        for stage, usage in row.stages.items():
            stages[stage] = stages.get(stage, Usage()) + usage
    return stages


def _reasons(rows: Iterable[Row]) -> dict[str, int]:
    return dict(Counter(row.reason for row in rows if row.reason).most_common())
