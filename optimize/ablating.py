"""Run an ablation study: each variant a run of its own, one budget, then paired comparisons.

    DIR/full/            run of the unchanged program
    DIR/no-mmr/          run of a variant
    DIR/ablation.md      the tables

A study that stopped goes on with the same command: a run is resumed, never repeated, and variants
share the cached answers of their models.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from optimize.ablation_progress import Watched
from optimize.ablation_records import StudyReport, VariantResult
from optimize.ablation_studies import Variant, study_variants
from optimize.comparing import Comparison, compare_with
from optimize.meter import Meter
from optimize.progress import Bar, Progress
from optimize.run_records import Run, read_card
from optimize.run_results import run_results
from optimize.running import Selection, Shared, run_program
from optimize.runs import read_run
from optimize.settings import Settings, changed, preset_label
from optimize.summary import summarise
from optimize.toolbox import open_toolbox
from programs.registry import program_spec
from signatures.errors import RunIncomplete
from signatures.schema import Question, Usage


class Plan(NamedTuple):
    """A variant with its settings and the folder of its run."""

    variant: Variant
    settings: Settings
    folder: Path
    same_as: str | None
    """Earlier variant with the same settings; its run is this one's."""


def run_study(
    program: str,
    questions: tuple[Question, ...],
    *,
    study: str,
    settings: Settings,
    selection: Selection,
    out: Path,
    only: Iterable[str] = (),
    threads: int = 1,
    progress: Progress | None = None,
) -> StudyReport:
    """Run what is left of a study and compare every complete variant with the full program.

    Args:
        program: Name in the registry.
        questions: The same for every variant.
        study: Name in `STUDIES`.
        settings: Of the full program; their budget is that of the whole study.
        selection: Which questions these are, for the cards of the runs.
        out: Folder of the study.
        only: Names of variants; none: all. The full program is always run.
        threads: Questions at a time.
        progress: Told how it goes; default: a bar on a terminal.

    Raises:
        InputError: A name is unknown, or a folder holds a run of something else.
        MissingError: The graph store or a model file is absent.
    """
    plans = plan_study(study, program, settings=settings, out=out, only=only)
    tools = open_toolbox(settings) if program_spec(program).needs_graph else None
    meter = Meter(settings.budget)
    with Bar() if progress is None else nullcontext(progress) as shown:
        watch = Watched(shown, total=len(_own(plans)) * len(questions))
        watch.start(done=sum(_rows_there(plan.folder) for plan in _own(plans)))
        shared = Shared(meter, watch, tools)
        stopped = None
        for number, plan in enumerate(_own(plans), start=1):
            watch.turn_to(plan.variant.name, number=number, of=len(_own(plans)))
            stopped = run_program(
                program,
                questions,
                settings=plan.settings,
                selection=selection,
                out=plan.folder,
                threads=threads,
                shared=shared,
            ).stopped or watch.overtime(settings.budget.max_minutes)
            if stopped:
                break
    return report_study(study, program, plans, settings=settings, out=out, stopped=stopped)


def plan_study(
    study: str, program: str, *, settings: Settings, out: Path, only: Iterable[str] = ()
) -> tuple[Plan, ...]:
    """Return the variants with their settings; those that equal an earlier one share its folder.

    Raises:
        InputError: The program, the study or a variant is unknown.
    """
    program_spec(program)
    plans: list[Plan] = []
    for variant in study_variants(study, program, only=only):
        made = changed(settings, variant.changes)
        twin = next((plan for plan in plans if plan.settings == made), None)
        folder = out / variant.name if twin is None else twin.folder
        plans.append(Plan(variant, made, folder, twin.variant.name if twin else None))
    return tuple(plans)


def report_study(
    study: str,
    program: str,
    plans: Sequence[Plan],
    *,
    settings: Settings,
    out: Path,
    stopped: str | None = None,
) -> StudyReport:
    """Sum up what stands on disk of a study."""
    runs = {plan.folder: _run_there(plan.folder) for plan in plans}
    compared = _compare(plans, runs)
    full = runs[plans[0].folder]
    variants = []
    for plan in plans:
        run = runs[plan.folder]
        variants.append(
            VariantResult(
                name=plan.variant.name,
                changes=dict(plan.variant.changes),
                source=plan.variant.source,
                same_as=plan.same_as,
                summary=None if run is None else summarise(run, spent=Usage()),
                comparison=compared.get(plan.folder),
            )
        )
    return StudyReport(
        study=study,
        program=program,
        preset=preset_label(settings),
        folder=str(out),
        stopped=stopped,
        variants=tuple(variants),
        notes=() if full is None else run_results(full).notes,
    )


def check_study(report: StudyReport) -> None:
    """Say that questions are left.

    Raises:
        RunIncomplete: They are; the command line exits with 2.
    """
    if report.incomplete:
        left = [variant.name for variant in report.variants if not variant.complete]
        raise RunIncomplete(
            f"{report.folder} is incomplete ({report.stopped or 'some questions were not run'}; "
            f"left: {', '.join(left)}): the same command goes on from here"
        )


def _own(plans: Sequence[Plan]) -> list[Plan]:
    """Return the plans with a run of their own."""
    return [plan for plan in plans if plan.same_as is None]


def _run_there(folder: Path) -> Run | None:
    return None if read_card(folder) is None else read_run(folder)


def _rows_there(folder: Path) -> int:
    run = _run_there(folder)
    return 0 if run is None else len(run.rows)


def _compare(plans: Sequence[Plan], runs: dict[Path, Run | None]) -> dict[Path, Comparison]:
    """Compare the complete variants with the full program, as one family for Holm."""
    whole = {
        plan.folder: run_results(run)
        for plan in _own(plans)
        if (run := runs[plan.folder]) is not None and not run.incomplete
    }
    base = whole.pop(plans[0].folder, None)
    if base is None or not base.rows or not whole:
        return {}
    found = compare_with(base, tuple(whole.values()))
    return dict(zip(whole, found, strict=True))
