"""A summary as the user reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from data.wording import counted
from metrics.exact_match import Accuracy
from optimize.folding import folding_table
from optimize.forecast import duration
from optimize.summary import Summary
from signatures.schema import Usage

if TYPE_CHECKING:
    from rich.console import Console

Name = TypeVar("Name", bound=str)

MAX_REASONS = 5
"""Reasons that are shown; the rows hold all of them."""


def show_summary(summary: Summary, console: Console) -> None:
    """Print a summary as a table."""
    from rich.text import Text

    title = Text(f"{summary.program} · {summary.run}")
    table = folding_table("", "", show_header=False, title=title)
    for name, value in summary_rows(summary):
        table.add_row(Text(name), Text(value))
    console.print(table)


def summary_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    """Yield what is shown, a name and a value a row."""
    yield "accuracy", _whole(summary)
    if summary.mean is not None:
        yield "repeats", ", ".join(accuracy_text(part) for part in summary.repeats)
    if summary.first is not None:
        yield "first answers", f"{accuracy_text(summary.first)} (before the graph is asked)"
    yield "parsed only", _percent(summary.accuracy.parsed_only)
    yield "outcomes", _counts(summary.accuracy.counts)
    if summary.unscored:
        yield "without a gold", str(summary.unscored)
    if summary.no_entity:
        yield "no entity linked", f"{summary.no_entity} of {counted(summary.done, 'question')}"
    for title, groups in (
        ("by source", summary.by_source),
        ("by domain", summary.by_domain),
        ("by mode", summary.by_mode),
    ):
        if len(groups) > 1:
            yield title, "; ".join(f"{key} {accuracy_text(a)}" for key, a in groups.items())
    if summary.modes:
        yield "modes of hops", _counts(summary.modes)
    yield "all rows", usage_text(summary.usage)
    yield "this call", usage_text(summary.spent)
    if summary.seconds_per_item is not None:
        yield "per item", f"{summary.seconds_per_item:.2f} s"
    for stage, usage in summary.stages.items():
        yield f"  {stage}", usage_text(usage)
    for reason, count in list(summary.reasons.items())[:MAX_REASONS]:
        yield "not answered", f"{count} × {reason}"
    for note in summary.notes:
        yield "note", note
    if summary.incomplete:
        yield "INCOMPLETE", _incomplete(summary)


def accuracy_text(accuracy: Accuracy) -> str:
    """Say an accuracy with its interval and its numbers.

    >>> from metrics.exact_match import accuracy
    >>> from signatures.schema import Outcome
    >>> kinds = ["correct"] * 8 + ["wrong"] * 2
    >>> accuracy_text(accuracy(Outcome(kind=k, letter=None, gold="A") for k in kinds))
    '80.0 % [49.0, 94.3] of 10'
    """
    if accuracy.value is None:
        return "nothing was run"
    low, high = accuracy.interval.low, accuracy.interval.high
    return f"{_percent(accuracy.value)} [{100 * low:.1f}, {100 * high:.1f}] of {accuracy.counted}"


def usage_text(usage: Usage) -> str:
    """Say what was spent.

    >>> usage_text(Usage(calls=3, cached=1, prompt_tokens=1200, completion_tokens=80, seconds=7.5))
    '3 calls, 1 cached, 1,200 + 80 tokens, no price known, 8 s in models'
    >>> usage_text(Usage(calls=3, cut=1)).removesuffix(", no price known, 0 s in models")
    '3 calls, 1 cut at its limit of tokens, 0 cached, 0 + 0 tokens'
    """
    cost = "no price known" if usage.cost is None else f"${usage.cost:.4f}"
    cut = f" {usage.cut:,} cut at its limit of tokens," if usage.cut else ""
    return (
        f"{counted(usage.calls, 'call')},{cut} {usage.cached:,} cached, {usage.prompt_tokens:,} + "
        f"{usage.completion_tokens:,} tokens, {cost}, {duration(usage.seconds)} in models"
    )


def _whole(summary: Summary) -> str:
    """Accuracy over all questions; of repeats, whose rows are not independent, the mean."""
    if summary.unscored and summary.accuracy.value is None:
        return f"none: {counted(summary.unscored, 'answer')} without a gold to score against"
    if summary.mean is None:
        return f"{accuracy_text(summary.accuracy)}, Wilson 95 %"
    sd = "" if summary.sd is None else f" ± {100 * summary.sd:.1f} (SD)"
    return f"{_percent(summary.mean)}{sd} over {counted(len(summary.repeats), 'repeat')}"


def _incomplete(summary: Summary) -> str:
    why = f": {summary.stopped}" if summary.stopped else ""
    return (
        f"{summary.planned - summary.done} of {summary.planned} have no row{why}; "
        "give the same command again to go on"
    )


def _counts(counts: Mapping[Name, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "none"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"
