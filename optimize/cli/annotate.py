"""`qkgram annotate`: for which patients a fact holds, stated by a model, kept in a ledger."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.wording import counted
from optimize.cli.options import JsonOption, takes_settings

if TYPE_CHECKING:
    from optimize.annotating import AnnotationSummary, Tasks
    from optimize.settings import Settings
    from retrievers.graph import GraphStore


@takes_settings()
def annotate_command(
    out: Annotated[
        Path, typer.Option(help="Folder of the ledger; the same one resumes.", show_default=False)
    ],
    labels: Annotated[
        Path | None,
        typer.Option(
            help="CSV of drug labels (drug_id, y_id, label_text): evidence must quote it."
        ),
    ] = None,
    relation: Annotated[
        list[str] | None, typer.Option(help="Only this relation; repeat. Default: all four.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The first that many triplets.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Triplets at a time.")] = 1,
    as_json: JsonOption = False,
    *,
    settings: Settings,
) -> None:
    """State ConstraintItems for drug facts and write them as `constraints.jsonl`.

    Exit code 2: incomplete (interrupted, budget spent, failures); the same command goes on.

    Example: qkgram annotate --limit 5 --relation indication --out runs/annotation
    """
    from optimize.toolbox import open_graph
    from signatures.errors import RunIncomplete

    store = open_graph(settings.graph)
    tasks = _tasks(store, labels=labels, relations=relation, limit=limit)
    summary = _annotate(store, tasks, settings=settings, out=out, threads=threads)
    _report(summary, out, as_json=as_json)
    if summary.incomplete:
        raise RunIncomplete(f"{out} is incomplete: the same command goes on from here")


def _tasks(
    store: GraphStore, *, labels: Path | None, relations: list[str] | None, limit: int | None
) -> Tasks:
    from optimize.annotating import tasks_from_graph, tasks_from_labels
    from programs.annotate import RELATIONS
    from signatures.errors import InputError

    chosen = tuple(relations or RELATIONS)
    if labels is None:
        found = tasks_from_graph(store, relations=chosen, limit=limit)
    else:
        found = tasks_from_labels(store, labels, relations=chosen, limit=limit)
    if not found.tasks:
        raise InputError(
            f"nothing to annotate: {store.path} has no triplet of {', '.join(chosen)}"
            + (f" that a row of {labels} joins" if labels else "")
        )
    return found


def _annotate(
    store: GraphStore, tasks: Tasks, *, settings: Settings, out: Path, threads: int
) -> AnnotationSummary:
    from optimize.annotating import annotate
    from optimize.annotation_ledger import Ledger, LedgerCard
    from optimize.identity import prompts_digest, qkgram_version
    from optimize.language_models import sampling, use_models
    from optimize.meter import Meter
    from optimize.progress import Bar
    from optimize.workers import abandon
    from programs.annotate import Annotate

    program, meter = Annotate(), Meter(settings.budget)
    with use_models(settings, meter) as roles, Bar("triplets") as progress:
        card = LedgerCard(
            model=roles["annotator"].model,
            sampling=sampling(settings.spec("annotator")),
            prompts=prompts_digest(program),
            graph=store.fingerprint,
            version=qkgram_version(),
        )
        with Ledger.open(out, card) as ledger:
            return annotate(
                program,
                ledger,
                tasks,
                meter=meter,
                threads=threads,
                progress=progress,
                abandon=abandon,
            )


def _report(summary: AnnotationSummary, out: Path, *, as_json: bool) -> None:
    from rich.console import Console

    from optimize.annotation_ledger import RELEASE

    if as_json:
        sys.stdout.write(summary.model_dump_json(indent=2) + "\n")
        return
    console = Console()
    for line in summary_lines(summary, out / RELEASE):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def summary_lines(summary: AnnotationSummary, release: Path) -> tuple[str, ...]:
    """Word a summary, one line each; what is zero and needs no word is left out."""
    spent = summary.spent
    tokens = spent.prompt_tokens + spent.completion_tokens
    tasks, triplets = counted(summary.tasks, "task"), counted(summary.triplets, "triplet")
    unmatched = counted(summary.unmatched, "label row fits", "label rows fit")
    said = (
        (True, f"{summary.annotated} of {tasks} annotated, {summary.reused} before"),
        (True, f"{counted(summary.items, 'item')} of {triplets} in {release}"),
        (summary.unmatched, f"{unmatched} no triplet of the graph"),
        (
            summary.unquoted,
            f"{counted(summary.unquoted, 'item')} dropped: the label does not hold the evidence",
        ),
        (
            summary.inverted,
            f"{counted(summary.inverted, 'item')} dropped: a contraindication denied by words "
            "that state it",
        ),
        (
            summary.repeated,
            f"{counted(summary.repeated, 'item')} dropped: their group stood there already",
        ),
        (summary.cut, f"{counted(summary.cut, 'label')} cut to what a prompt holds"),
        (summary.stopped, f"stopped: {summary.stopped}"),
        (True, f"{counted(spent.calls, 'call')}, {counted(tokens, 'token')}"),
    )
    failed = tuple(f"failed: {line}" for line in summary.failures)
    return (*(line for holds, line in said if holds), *failed)
