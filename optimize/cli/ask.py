"""`qkgram ask`: one question, answered with its evidence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from optimize.cli.options import ConfigOption, GraphOption, JsonOption, ModelOption, read_settings
from signatures.errors import InputError


def ask_command(
    question: Annotated[
        str | None, typer.Argument(help="The question; options on lines of their own. `-`: stdin.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option's text; repeat for B, C …")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="Read the question from this text file.")
    ] = None,
    program: Annotated[str, typer.Option(help="direct, regram or qkgram.")] = "qkgram",
    compiled: Annotated[Path | None, typer.Option(help="A program saved by `compile`.")] = None,
    graph: GraphOption = None,
    model: ModelOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer one question and show what the answer rests on.

    Example: qkgram ask "Which drug suits a man with type 2 diabetes and an eGFR of 24?"
    -o Metformin -o Linagliptin
    """
    from data.typed import read_typed, with_options
    from optimize.asking import ask
    from optimize.show import answer_json, show_answer

    text = _question_text(question, file)
    asked = with_options(read_typed(text), option or ())
    settings = read_settings(config, graph=graph, model=model)
    answered = ask(asked, program=program, settings=settings, compiled=compiled)
    if as_json:
        sys.stdout.write(answer_json(asked, answered) + "\n")
    else:
        show_answer(asked, answered)


def _question_text(question: str | None, file: Path | None) -> str:
    if (question is None) == (file is None):
        raise InputError(
            'give one question: as an argument, as "-" for standard input, or with --file'
        )
    if file is not None:
        return _read(file)
    return sys.stdin.read() if question == "-" else str(question)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: expected a text file in UTF-8, got other bytes") from error
