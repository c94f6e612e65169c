"""A curation in the terminal: counts per stage, and the sources before and after (Table 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optimize.cli.tables import count_table
from optimize.curated_set import CURATED, DROPPED, QUESTIONS, CurationSummary, SourceCount
from programs.curation import STAGES

if TYPE_CHECKING:
    from rich.console import Console

TOTAL = "total"
_SILENT = "-"


def show_curation(summary: CurationSummary, folder: Path, console: Console) -> None:
    """Print the counts of a curation and where its files lie."""
    rows = [*summary.sources, total(summary.sources)]
    stages = [(r.source, r.read, *(getattr(r, stage) for stage in STAGES), r.kept) for r in rows]
    console.print(
        count_table("Questions after each stage", ("source", "read", *STAGES, "kept"), stages)
    )
    header = ("source", "n", "%", "curated", "%")
    console.print(count_table("QA-source distribution", header, distribution(summary.sources)))
    for line in summary_lines(summary, folder):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def distribution(sources: tuple[SourceCount, ...]) -> list[tuple[str, int, str, int, str]]:
    """Return the rows of QKG's Table 3: n and per cent read, n and per cent kept.

    >>> def row(source, read, kept):
    ...     return SourceCount(source=source, read=read, options=read, entities=kept,
    ...                        grounded=kept, aligned=kept, paths=kept, kept=kept)
    >>> distribution((row("MedQA", 8016, 1981), row("HLE", 57, 5)))[0]
    ('MedQA', 8016, '99.3', 1981, '99.7')
    """
    whole = total(sources)
    return [
        (r.source, r.read, _percent(r.read, whole.read), r.kept, _percent(r.kept, whole.kept))
        for r in (*sources, whole)
    ]


def total(sources: tuple[SourceCount, ...]) -> SourceCount:
    """Return the sum of the sources."""
    names = ("read", *STAGES, "kept")
    sums = {name: sum(getattr(source, name) for source in sources) for name in names}
    return SourceCount(source=TOTAL, **sums)


def summary_lines(summary: CurationSummary, folder: Path) -> Iterator[str]:
    """Word a summary, one line each; what is zero and needs no word is left out."""
    kept = total(summary.sources).kept
    yield f"{summary.curated} of {summary.questions} questions curated, {summary.reused} before"
    yield f"{kept} kept in {folder / QUESTIONS}, their paths and patients in {CURATED}"
    if summary.reasons:
        yield f"dropped ({DROPPED}): {_counts(summary.reasons)}"
    yield f"{summary.entities} entities: grounded {_counts(summary.grounded)}"
    yield f"aligned {_counts(summary.aligned)}"
    if kept:
        patient = _counts(summary.patient)
        joined = f"{summary.gold_joined} with one to the right option"
        yield f"{summary.paths / kept:.1f} paths a question, {joined}; patients give {patient}"
    if summary.unwritten:
        yield f"{summary.unwritten} names of the model dropped: they stand in no text"
    if summary.stopped:
        yield f"stopped: {summary.stopped}"
    spent = summary.spent
    tokens = spent.prompt_tokens + spent.completion_tokens
    yield f"{spent.calls} calls, {tokens} tokens, {summary.seconds:.0f} s"
    yield from (f"failed: {line}" for line in summary.failures)


def _counts(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or _SILENT


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else _SILENT
