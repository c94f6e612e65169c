"""A run of `evaluate`, written down with a tracker, and fetched again by its run id."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import dspy

from metrics.exact_match import Accuracy
from optimize.compare_tables import comparison_table
from optimize.comparing import Comparison
from optimize.figures import draw_validation, settings_of
from optimize.formats import to_csv, to_markdown
from optimize.results import Results
from optimize.run_records import CARD, QUESTIONS, ROWS, Run, read_run
from optimize.store_uri import tracking_uri
from optimize.summary import Summary
from optimize.traces import sampled, trace_row
from optimize.tracking import Tracker
from optimize.usage_measures import named, stage_measures
from signatures.errors import InputError

SCHEME = "mlflow:"
"""Before a run id, where a path could stand: `qkgram compare mlflow:RUN_ID runs/b`."""

FOLDER = "run"
"""Artifact folder of a run directory."""

SAMPLE = 10
"""Questions whose traces are written, where none is asked for."""


def track_run(
    summary: Summary,
    run: Path,
    tracker: Tracker,
    *,
    program: dspy.Module | None = None,
    traces: int = SAMPLE,
) -> None:
    """Write a finished or interrupted run: numbers, its directory, prompts, sampled traces.

    Args:
        summary: What `evaluate` returned.
        run: The run's directory.
        tracker: Not started yet; it is started and finished here.
        program: Whose prompts are written too; under the adapter of the current `dspy.context`.
        traces: How many questions get a trace.
    """
    found = read_run(run)
    tracker.start(f"evaluate {summary.program}", params=run_params(summary, found))
    try:
        if program is not None:
            tracker.candidate("program", program=program, metrics=run_metrics(summary))
        tracker.attach({FOLDER: run}, names=(CARD, QUESTIONS, ROWS))
        questions = {task.key: task.question for task in found.tasks}
        for row in sampled(tuple(found.rows.values()), traces):
            tracker.trace(trace_row(row, questions[row.key]))
    finally:
        tracker.finish(
            status="KILLED" if summary.incomplete else "FINISHED",
            metrics=run_metrics(summary),
            texts={"summary.json": summary.model_dump_json(indent=2)},
        )


def track_comparison(
    comparisons: Sequence[Comparison],
    tracker: Tracker,
    *,
    title: str,
    results: Sequence[Results] = (),
) -> None:
    """Write comparisons of runs: table, intervals and p-values, and the figure of `results`."""
    named_runs = sorted({name for c in comparisons for name in (c.a, c.b)})
    tracker.start(title, params={"runs": named_runs})
    metrics = {
        f"comparison.{number}.{name}": getattr(found, name)
        for number, found in enumerate(comparisons)
        for name in ("difference", "low", "high", "p", "p_holm", "total")
    }
    table = comparison_table(comparisons)
    texts = {
        "comparison.md": to_markdown(table) + "\n",
        "comparison.csv": to_csv(table),
        "comparison.jsonl": "".join(f"{found.model_dump_json()}\n" for found in comparisons),
    }
    if results:
        texts["comparison.svg"] = _figure(results, title)
    tracker.finish(status="FINISHED", metrics=metrics, texts=texts)


def _figure(results: Sequence[Results], title: str) -> str:
    with TemporaryDirectory() as folder:
        drawn = draw_validation(settings_of(results), Path(folder) / "runs.svg", title=title)
        return drawn.read_text(encoding="utf-8")


def run_params(summary: Summary, run: Run) -> dict[str, object]:
    """Return what a run was made from."""
    return {
        "program": summary.program,
        "fingerprint": summary.fingerprint,
        "selection": dict(run.card.selection),
        "repeats": run.card.repeats,
        "revision": run.card.revision or "",
        **{f"model.{role}": name for role, name in summary.models.items()},
    }


def run_metrics(summary: Summary) -> dict[str, float | None]:
    """Return accuracy with its interval, outcomes, and cost and latency per stage."""
    groups = {"accuracy": summary.accuracy, "first": summary.first}
    groups |= {f"domain.{name}": found for name, found in summary.by_domain.items()}
    groups |= {f"mode.{name}": found for name, found in summary.by_mode.items()}
    found: dict[str, float | None] = {}
    for name, accuracy in groups.items():
        found |= _accuracy(name, accuracy)
    return {
        **found,
        "planned": summary.planned,
        "done": summary.done,
        "no_entity": summary.no_entity,
        "seconds_per_item": summary.seconds_per_item,
        **named("usage", summary.usage),
        **stage_measures("stage", summary.stages),
    }


def _accuracy(name: str, found: Accuracy | None) -> dict[str, float | None]:
    if found is None:
        return {}
    return {
        name: found.value,
        f"{name}.low": found.interval.low,
        f"{name}.high": found.interval.high,
        f"{name}.n": found.counted,
    }


def local_run(reference: str | Path, *, uri: str | None = None) -> Path:
    """Return the folder of a run: a path as it is, `mlflow:RUN_ID` fetched from its store.

    Args:
        reference: Path of a run or a result file, or `mlflow:` and the id of a tracked run.
        uri: Tracking address; default: `MLFLOW_TRACKING_URI`, else `./mlflow.db`.

    Raises:
        InputError: the store has no such run, or the run has no directory attached.
    """
    text = str(reference)
    if not text.startswith(SCHEME):
        return Path(reference)
    from optimize.mlflow_client import fetch_artifacts

    run_id = text.removeprefix(SCHEME)
    address = tracking_uri(uri or os.environ.get("MLFLOW_TRACKING_URI"))
    target = Path(mkdtemp(prefix=f"qkgram-{run_id[:8]}-"))
    folder = fetch_artifacts(address, run_id, FOLDER, target)
    if not (folder / CARD).is_file():
        raise InputError(
            f"run {run_id} has no run directory attached; track it with: "
            "qkgram evaluate --track EXPERIMENT"
        )
    return folder.rename(target / run_id)
