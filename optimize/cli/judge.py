"""`qkgram judge`: what another model says of a run's answers, kept beside its rows."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.options import (
    ConfigOption,
    JsonOption,
    MaxCallsOption,
    MaxCostOption,
    MaxMinutesOption,
    MaxTokensOption,
)

if TYPE_CHECKING:
    from optimize.judged_results import JudgedRun
    from optimize.judging import JudgeSummary
    from signatures.schema import JudgedMeasure


def judge_command(
    run: Annotated[Path, typer.Argument(help="Folder of a run, as `evaluate` writes it.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            help="similarity (the default), inconsistency, evidence_inconsistency, hallucination, "
            "reasoning_error; repeat for more."
        ),
    ] = None,
    judge_model: Annotated[
        str | None, typer.Option(help="Model of the judge; default: roles.judge of the settings.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the verdicts; default: the run's own.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The first that many answers.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Answers at a time.")] = 1,
    max_calls: MaxCallsOption = None,
    max_tokens: MaxTokensOption = None,
    max_cost: MaxCostOption = None,
    max_minutes: MaxMinutesOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge the answers of a finished run at temperature 0; a second judge adds Cohen's kappa.

    A reply that cannot be read is unscored and counted, never right or wrong. Exit code 2:
    incomplete (interrupted, budget spent, judge away); the same command goes on.

    Example: qkgram judge runs/direct --measure similarity --limit 8
    """
    from optimize.judged_results import judged_run
    from optimize.judging import judge_run
    from optimize.progress import Bar
    from optimize.settings import load_settings
    from optimize.workers import abandon
    from signatures.errors import RunIncomplete

    flags = {
        "roles.judge.model": judge_model,
        "budget.max_calls": max_calls,
        "budget.max_tokens": max_tokens,
        "budget.max_cost": max_cost,
        "budget.max_minutes": max_minutes,
    }
    with Bar() as progress:
        summary = judge_run(
            run,
            settings=load_settings(config, flags),
            measures=_measures(measure or ["similarity"]),
            out=out,
            limit=limit,
            threads=threads,
            progress=progress,
            abandon=partial(abandon, "verdicts"),
        )
    _report(summary, judged_run(run, verdicts=out), as_json=as_json)
    if summary.incomplete:
        raise RunIncomplete(f"{run} is judged in part: the same command goes on from here")


def _measures(names: list[str]) -> tuple[JudgedMeasure, ...]:
    from optimize.judged_answers import MEASURES
    from signatures.errors import InputError

    unknown = sorted(set(names) - set(MEASURES))
    if unknown:
        raise InputError(f"there is no measure {unknown[0]!r}; use {', '.join(MEASURES)}")
    return tuple(measure for measure in MEASURES if measure in names)


def _report(summary: JudgeSummary, found: JudgedRun, *, as_json: bool) -> None:
    from optimize.cli.reporting import note, write
    from optimize.judged_tables import judged_tables

    note(summary_lines(summary, found))
    data = {"summary": summary.model_dump(mode="json"), "results": found.model_dump(mode="json")}
    write(judged_tables(found), data, style="json" if as_json else "table")


def summary_lines(summary: JudgeSummary, found: JudgedRun) -> tuple[str, ...]:
    """Word what was done, one line each; what is zero and needs no word is left out."""
    spent = summary.spent
    tokens = spent.prompt_tokens + spent.completion_tokens
    said = (
        (True, f"{summary.judged} of {summary.tasks} answers judged by {summary.judge}, "
               f"{summary.reused} before"),
        *((True, f"{count} answers not judged: {why}") for why, count in summary.skipped.items()),
        (found.stale, f"{found.stale} verdicts are of earlier answers or references; not counted"),
        (summary.stopped, f"stopped: {summary.stopped}"),
        (True, f"{spent.calls} calls, {spent.cached} from the cache, {tokens} tokens"),
        *((True, line) for line in summary.notes),
    )  # fmt: skip
    failed = tuple(f"failed: {line}" for line in summary.failures)
    return (*(line for holds, line in said if holds), *failed)
