"""`qkgram evaluate`: a program over a file of questions, kept as a run that can be resumed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from optimize.cli.options import ConfigOption, GraphOption, JsonOption, ModelOption

if TYPE_CHECKING:
    from optimize.summary import Summary

Split = Literal["train", "dev", "test"]
ValidatorChoice = Literal["none", "direct", "agent"]
ValidityChoice = Literal["conventional", "mu", "explicit", "llm"]
UnmetChoice = Literal["exclude", "downweight"]


def evaluate_command(
    program: Annotated[str, typer.Argument(help="Name of the program: direct, regram, qkgram …")],
    questions: Annotated[
        Path | None,
        typer.Option(help="JSONL, CSV or MedQA's JSON; default: the packaged sample."),
    ] = None,
    split: Annotated[Split | None, typer.Option(help="Only questions of this split.")] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="That many questions, drawn by --seed; nested.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Which sample.")] = 0,
    repeats: Annotated[
        int, typer.Option(min=1, help="Times each question is answered; see the temperature.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the run; the same one resumes. Default: below runs/."),
    ] = None,
    compiled: Annotated[Path | None, typer.Option(help="A program saved by `compile`.")] = None,
    max_hops: Annotated[int, typer.Option(min=1, help="Sub-questions at most: H of ReGraM.")] = 3,
    min_relevance: Annotated[
        float, typer.Option(help="Cosine from which a region triplet counts as a fact.")
    ] = 0.0,
    context: Annotated[
        bool, typer.Option("--context/--no-context", help="Check facts for the patient.")
    ] = True,
    validator: Annotated[
        ValidatorChoice, typer.Option(help="Who checks the claims of qkg.")
    ] = "direct",
    validity: Annotated[
        ValidityChoice, typer.Option(help="Which function gives a triplet's validity.")
    ] = "explicit",
    unmet: Annotated[
        UnmetChoice, typer.Option(help="What becomes of a relation stated for other groups only.")
    ] = "exclude",
    tool_turns: Annotated[int, typer.Option(min=1, help="Tool turns of the agent.")] = 20,
    ask_patient: Annotated[
        bool, typer.Option("--ask-patient", help="Ask a model for what rules left of the patient.")
    ] = False,
    shuffle: Annotated[
        int | None, typer.Option(help="Seed: deal the constraints to other triplets (a control).")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Questions at a time.")] = 1,
    max_calls: Annotated[int | None, typer.Option(min=1, help="Calls of this command.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of this command.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="US dollars of this command.")] = None,
    max_minutes: Annotated[float | None, typer.Option(help="Minutes of this command.")] = None,
    track: Annotated[
        str | None,
        typer.Option(metavar="EXPERIMENT", help="Log the run to this MLflow experiment."),
    ] = None,
    tracking: Annotated[
        str | None, typer.Option(help="MLflow's address; default: ./mlflow.db.")
    ] = None,
    graph: GraphOption = None,
    model: ModelOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer every question of a file, one row on disk each, and report accuracy and cost.

    Exit code 2: incomplete (interrupted, budget spent, model away); the same command goes on.

    Example: qkgram evaluate direct --split test --sample 8 --out runs/direct
    """
    from data.paths import sample_dir
    from data.questions import read_questions, select
    from optimize.running import check_complete, run_program
    from optimize.settings import load_settings
    from optimize.tracking import open_tracker
    from programs.registry import ProgramSettings

    file = questions or sample_dir() / "questions.jsonl"
    chosen = select(read_questions(file), split=split, sample=sample, seed=seed)
    flags = {
        "graph": graph,
        "model": model,
        "budget.max_calls": max_calls,
        "budget.max_tokens": max_tokens,
        "budget.max_cost": max_cost,
        "budget.max_minutes": max_minutes,
    }
    summary = run_program(
        program,
        chosen,
        settings=load_settings(config, flags),
        options=ProgramSettings(
            max_hops=max_hops,
            min_relevance=min_relevance,
            use_context=context,
            validator=validator,
            validity=validity,
            unmet=unmet,
            tool_turns=tool_turns,
            ask_patient=ask_patient,
            shuffle=shuffle,
        ),
        compiled=compiled,
        repeats=repeats,
        selection={"file": file.name, "split": split, "sample": sample, "seed": seed},
        out=out,
        threads=threads,
        tracker=None if track is None else open_tracker(track, uri=tracking),
    )
    _report(summary, as_json=as_json)
    check_complete(summary)


def _report(summary: Summary, *, as_json: bool) -> None:
    from rich.console import Console

    from optimize.summary_text import show_summary

    if as_json:
        sys.stdout.write(summary.model_dump_json(indent=2) + "\n")
    else:
        show_summary(summary, Console())
