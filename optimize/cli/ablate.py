"""`qkgram ablate`: a program with one part switched off at a time, and what that changes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.options import (
    PROGRAM_NAMES,
    JsonOption,
    QuestionsOption,
    SampleOption,
    SeedOption,
    SplitOption,
    ThreadsOption,
    choose_questions,
    takes_settings,
)

if TYPE_CHECKING:
    from optimize.ablation_records import StudyReport
    from optimize.settings import Settings

PAGE = "ablation.md"
"""File of the tables, in the folder of the study."""


@takes_settings()
def ablate_command(
    program: Annotated[str, typer.Argument(help=f"{PROGRAM_NAMES}.")],
    study: Annotated[str, typer.Option(help="regram, hops, k, lambda or qkg.")],
    out: Annotated[
        Path, typer.Option(help="Folder of the study; the same one resumes.", show_default=False)
    ],
    only: Annotated[
        str | None, typer.Option(help="Only these variants, by commas; the full one is always run.")
    ] = None,
    questions: QuestionsOption = None,
    split: SplitOption = None,
    sample: SampleOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    as_json: JsonOption = False,
    *,
    settings: Settings,
) -> None:
    """Run a program whole and with parts switched off, and test each difference in pairs.

    Every variant is a run below --out. Exit code 2: incomplete; the same command goes on.

    Example: qkgram ablate regram --study regram --only no-mmr --sample 4 --out runs/ablation
    """
    from optimize.ablating import check_study, run_study

    chosen, selection = choose_questions(questions, split=split, sample=sample, seed=seed)
    report = run_study(
        program,
        chosen,
        study=study,
        settings=settings,
        selection=selection,
        out=out,
        only=[name.strip() for name in (only or "").split(",") if name.strip()],
        threads=threads,
    )
    _report(report, out, as_json=as_json)
    check_study(report)


def _report(report: StudyReport, out: Path, *, as_json: bool) -> None:
    from optimize.ablation_tables import study_markdown, study_tables
    from optimize.cli.reporting import note, write
    from optimize.row_files import replace_file

    replace_file(out / PAGE, study_markdown(report))
    if as_json:
        sys.stdout.write(report.model_dump_json(indent=2) + "\n")
        return
    note(report.notes)
    write(study_tables(report), {}, style="table")
    note([f"tables: {out / PAGE}"])
