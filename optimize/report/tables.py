"""The tables of a report: what was run, the headline, paired tests, outcomes, cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from metrics.exact_match import Accuracy
from metrics.revisions import Revisions, revisions
from optimize.compare_tables import comparison_table, flips_table, percent
from optimize.formats import TextTable
from optimize.report.records import ReportData, RunPart
from signatures.schema import Usage

NONE = "—"
"""Stands where a run has no such number."""


class Shown(NamedTuple):
    """A table with the name of its file and what a reader must know of it."""

    name: str
    table: TextTable
    caption: str = ""


def headline(data: ReportData) -> Shown:
    """Accuracy of every run with its interval, its first answers, and whether it is complete."""
    header = ("Run", "N", "Accuracy %", "95 % interval", "First %", "W→C", "C→W", "State")
    rows = [
        (
            part.name,
            f"{part.summary.accuracy.counted:,}",
            percent(part.summary.accuracy.value),
            interval(part.summary.accuracy),
            percent(part.summary.first.value) if part.summary.first else NONE,
            *_flips(changed(part)),
            state(part),
        )
        for part in data.parts
    ]
    return Shown(
        "headline",
        TextTable("Accuracy", header, tuple(rows)),
        "Exact match over questions that were run; what cannot be read counts as wrong. Wilson "
        "intervals. First: the answer before the graph was asked, in the same run. W→C and C→W: "
        "questions that the final answer put right or spoilt.",
    )


def made_of(data: ReportData) -> Shown:
    """What every run was made of."""
    header = ("Run", "Program", "Model", "Questions", "Graph", "Prompts", "Code", "Last row")
    rows = [_made_of(part) for part in data.parts]
    return Shown("runs", TextTable("What was run", header, tuple(rows)))


def paired(data: ReportData) -> Shown:
    """Exact McNemar tests with Holm's adjustment; no p-value of questions that were tuned on."""
    table = comparison_table(data.comparisons)
    return Shown(
        "paired",
        TextTable("Paired tests", table.header, table.rows),
        "Question by question, on those that both answered. Exact two-sided McNemar, Holm over all "
        "rows of this table, paired bootstrap interval of the difference in percentage points. "
        "Detectable: the least difference that this N would show with power 0.8.",
    )


def outcomes(data: ReportData) -> Shown:
    """How many questions had each outcome."""
    kinds = [
        kind
        for kind in (data.parts[0].summary.accuracy.counts if data.parts else {})
        if any(part.summary.accuracy.counts[kind] for part in data.parts)
    ]
    header = ("Run", *(kind.replace("_", " ") for kind in kinds), "without gold")
    rows = [
        (
            part.name,
            *(f"{part.summary.accuracy.counts[kind]:,}" for kind in kinds),
            f"{part.summary.unscored:,}",
        )
        for part in data.parts
    ]
    return Shown("outcomes", TextTable("Outcomes", header, tuple(rows)))


def efficiency(data: ReportData) -> Shown:
    """Calls, tokens and seconds per question (ReGraM Table 13 gives seconds per item)."""
    header = (
        "Run",
        "Rows",
        "Calls / q",
        "Cached / q",
        "Prompt tokens / q",
        "Answer tokens / q",
        "Seconds / q",
        "In models / q",
        "Cost",
    )
    rows = [
        (part.name, f"{part.summary.done:,}", *_spent(part.summary.usage, part))
        for part in data.parts
    ]
    caption = "Means per row. Calls answered from the cache cost nothing and are counted apart."
    return Shown("efficiency", TextTable("Efficiency", header, tuple(rows)), caption)


def stages(data: ReportData) -> Shown:
    """What every stage spent per question."""
    header = ("Run", "Stage", "Calls / q", "Cached / q", "Tokens / q", "Seconds / q")
    rows = [
        (
            part.name,
            stage,
            _per(usage.calls, part),
            _per(usage.cached, part),
            _per(usage.prompt_tokens + usage.completion_tokens, part, digits=0),
            _per(usage.seconds, part),
        )
        for part in data.parts
        for stage, usage in part.summary.stages.items()
    ]
    return Shown("stages", TextTable("Stages", header, tuple(rows)))


def flips(data: ReportData) -> Shown:
    """Every question that is right under one side of a comparison only."""
    return Shown("flips", flips_table(data.comparisons))


def changed(part: RunPart) -> Revisions | None:
    """How final answers differ from first ones; `None` where the program has no first answer."""
    found = revisions((row.first, row.final) for row in part.results.rows)
    return found if found.total else None


def interval(accuracy: Accuracy) -> str:
    """Write an interval in per cent; a dash when nothing was run."""
    if accuracy.value is None:
        return NONE
    return f"{100 * accuracy.interval.low:.1f} to {100 * accuracy.interval.high:.1f}"


def state(part: RunPart) -> str:
    """Say whether a run is whole: a part of a run is never passed off as one."""
    planned = len(part.run.tasks)
    if not planned:
        return "empty"
    if part.run.incomplete:
        return f"INCOMPLETE: {part.run.missing:,} of {planned:,} not run"
    return "complete"


def with_rows(tables: Iterable[Shown]) -> tuple[Shown, ...]:
    """Leave out tables without a row."""
    return tuple(shown for shown in tables if shown.table.rows)


def _flips(found: Revisions | None) -> Sequence[str]:
    if found is None:
        return (NONE, NONE)
    return tuple(f"{found.counts[k]:,}" for k in ("wrong_to_correct", "correct_to_wrong"))


def _made_of(part: RunPart) -> tuple[str, ...]:
    card = part.run.card
    identity = card.identity
    models = dict.fromkeys(part.summary.models.values())
    asked = ", ".join(
        str(card.selection[key]) for key in ("file", "split") if card.selection.get(key)
    )
    return (
        part.name,
        part.setting,
        ", ".join(models) or "no model",
        asked or f"{len(part.run.tasks):,} questions",
        (identity.graph or "none")[:12],
        identity.prompts[:12],
        f"{identity.version} {card.revision or ''}".strip(),
        max((row.finished for row in part.run.rows.values()), default=NONE).replace("+00:00", "Z"),
    )


def _spent(usage: Usage, part: RunPart) -> tuple[str, ...]:
    seconds = part.summary.seconds_per_item
    return (
        _per(usage.calls, part),
        _per(usage.cached, part),
        _per(usage.prompt_tokens, part, digits=0),
        _per(usage.completion_tokens, part, digits=0),
        NONE if seconds is None else f"{seconds:.2f}",
        _per(usage.seconds, part),
        "no price known" if usage.cost is None else f"${usage.cost:.4f}",
    )


def _per(value: float, part: RunPart, *, digits: int = 2) -> str:
    return f"{value / part.summary.done:,.{digits}f}" if part.summary.done else NONE
