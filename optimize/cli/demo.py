"""`qkgram demo`: the main job on the packaged sample with the embedded model, no key needed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from optimize.cli.options import ConfigOption, ModelOption, read_settings

VIGNETTE = "s046"
"""A test vignette whose answer turns on a patient-specific fact."""


class Job(NamedTuple):
    """A program to evaluate and how many test vignettes it gets."""

    program: str
    sample: int


JOBS = (Job("adjacency", 30), Job("direct", 8), Job("qkgram", 3), Job("regram", 1))
"""The more calls a program makes per question, the fewer questions it gets."""


def demo_command(
    out: Annotated[Path, typer.Option(help="Folder of the runs; the same one resumes.")] = Path(
        "runs/demo"
    ),
    model: ModelOption = None,
    config: ConfigOption = None,
) -> None:
    """Answer one vignette with its evidence, then evaluate four programs on a few more.

    All runs end in one report, an HTML file that opens offline.

    Example: qkgram demo --model local:qwen2.5-coder-0.5b
    """
    from rich.console import Console

    from data.paths import sample_dir
    from data.questions import read_questions, select
    from optimize.asking import ask
    from optimize.report.build import write_report
    from optimize.running import run_program
    from optimize.show import show_answer, show_question
    from optimize.summary_text import show_summary

    start = time.monotonic()
    console = Console()
    settings = read_settings(config, model=model)
    questions = read_questions(sample_dir() / "questions.jsonl")
    vignette = next(q for q in questions if q.id == VIGNETTE)
    console.rule("One vignette through qkgram")
    show_question(vignette, console=console)
    show_answer(vignette, ask(vignette, program="qkgram", settings=settings), console=console)
    for job in JOBS:
        console.rule(f"{job.program} on {job.sample} test vignettes")
        chosen = select(questions, split="test", sample=job.sample)
        summary = run_program(
            job.program,
            chosen,
            settings=settings,
            out=out / job.program,
            selection={"file": "questions.jsonl", "split": "test", "sample": job.sample, "seed": 0},
        )
        show_summary(summary, console)
    page = out / "report.html"
    write_report([out / job.program for job in JOBS], page)
    seconds = time.monotonic() - start
    console.print(f"{page}: every answer with its patient, claims and graph; open it in a browser")
    console.print(f"total {seconds:.0f} s; a smoke test, no evidence of superiority")
