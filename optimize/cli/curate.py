"""`qkgram curate`: an evaluation set of questions that the graph can say something about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.options import (
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
    from optimize.settings import Settings


@takes_settings()
def curate_command(
    out: Annotated[
        Path, typer.Option(help="Folder of the set; the same one resumes.", show_default=False)
    ],
    questions: QuestionsOption = None,
    split: SplitOption = None,
    sample: SampleOption = None,
    seed: SeedOption = 0,
    top: Annotated[
        int | None, typer.Option(min=1, help="Keep that many, those with the most paths.")
    ] = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Find entities by the graph's names alone.")
    ] = False,
    mrconso: Annotated[
        Path | None, typer.Option(help="MRCONSO.RRF of your UMLS: names and codes.")
    ] = None,
    mrrel: Annotated[
        Path | None, typer.Option(help="MRREL.RRF of your UMLS: what is broader.")
    ] = None,
    vocabulary: Annotated[
        list[str] | None, typer.Option(help="Only this vocabulary (SAB) of UMLS; repeat.")
    ] = None,
    references: Annotated[
        list[Path] | None, typer.Option(help="CSV of equal identifiers; repeat.")
    ] = None,
    hierarchy: Annotated[
        list[Path] | None, typer.Option(help="OBO file: names, references, is_a; repeat.")
    ] = None,
    neighbours: Annotated[
        bool, typer.Option(help="Ground by the nearest embedded name where no name is equal.")
    ] = True,
    min_score: Annotated[
        float, typer.Option(min=0, max=1, help="Least cosine of a nearest name.")
    ] = 0.85,
    max_steps: Annotated[int, typer.Option(min=0, help="Steps up a hierarchy at most.")] = 3,
    threads: ThreadsOption = 1,
    as_json: JsonOption = False,
    *,
    settings: Settings,
) -> None:
    """Keep the questions that a path of the graph joins to an option, with their patients.

    Writes questions.jsonl for `evaluate`, curated.jsonl with entities, paths and patients, and
    dropped.jsonl with a reason for every other question. Exit code 2: incomplete; the same command
    goes on.

    Example: qkgram curate --no-model --out runs/curated
    """
    from optimize.cli.curation_run import run_curation
    from optimize.curation_setup import CurationOptions
    from retrievers.terminology import Sources

    chosen, _ = choose_questions(questions, split=split, sample=sample, seed=seed)
    options = CurationOptions(
        ask=not no_model,
        sources=Sources(
            mrconso=mrconso,
            mrrel=mrrel,
            vocabularies=frozenset(vocabulary) if vocabulary else None,
            references=tuple(references or ()),
            ontologies=tuple(hierarchy or ()),
        ),
        neighbours=neighbours,
        min_score=min_score,
        max_steps=max_steps,
    )
    run_curation(
        chosen, out, settings=settings, options=options, top=top, threads=threads, as_json=as_json
    )
