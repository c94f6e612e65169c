"""Runs to one frozen `ReportData`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from optimize.report.judged import judged_of, left_out
from optimize.report.pairs import compare_all
from optimize.report.prompts import prompts_of
from optimize.report.records import WITHHELD_NOTE, ReportData, RunPart
from optimize.results import name_results
from optimize.run_results import run_results
from optimize.runs import Run, read_run
from optimize.summary import summarise

TITLE = "Questions, answers and what they rest on"


def collect(
    paths: Sequence[Path], *, names: Sequence[str] = (), title: str = TITLE, seed: int = 0
) -> ReportData:
    """Read the runs of a study and compare every two of them.

    Args:
        paths: Run folders of `evaluate`.
        names: One name per run; the folders' names where none is given.
        title: Heading of the report.
        seed: Seed of the bootstrap intervals.

    Raises:
        InputError: A path is no run, or the names do not fit.
    """
    runs = [read_run(path) for path in paths]
    results = name_results([run_results(run) for run in runs], names)
    parts = tuple(
        RunPart(found.name, setting_of(run), run, summarise(run), found, judged_of(run, path))
        for path, run, found in zip(paths, runs, results, strict=True)
    )
    paired = compare_all(results, seed=seed)
    return ReportData(
        title=title,
        made=max((row.finished for run in runs for row in run.rows.values()), default=""),
        parts=parts,
        comparisons=paired.comparisons,
        notes=(*_notes(parts), *paired.notes),
        prompts=prompts_of(run.card.identity for run in runs),
    )


def setting_of(run: Run) -> str:
    """Name what a run does, in the words of QKG §4 where it is one of its conditions."""
    identity = run.card.identity
    options = _options(identity.settings)
    if identity.program not in ("qkg", "qkgram"):
        return identity.program
    if options.get("validator") == "none":
        return f"{identity.program}, no validator"
    if options.get("use_context") is False or options.get("validity") == "conventional":
        return f"{identity.program}, KG without patient context"
    shuffled = options.get("shuffle") is not None
    return f"{identity.program}, KG with {'shuffled' if shuffled else 'patient'} context"


def _options(settings: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    program = settings.get("program")
    return program if isinstance(program, dict) else {}


def _notes(parts: Sequence[RunPart]) -> Iterator[str]:
    for part in parts:
        for line in part.results.notes:
            if "no p-value is reported" not in line:
                yield f"{part.name}: {line}"
        if part.results.tuned:
            yield f"{part.name}: {WITHHELD_NOTE}"
        if part.judged is not None and part.judged.stale:
            yield f"{part.name}: {left_out(part.judged.stale)}"
        if not part.run.tasks:
            yield f"{part.name}: the run holds no question"
