"""`qkgram ask`: one question, answered with its evidence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.options import PROGRAM_NAMES, JsonOption, takes_settings
from signatures.errors import InputError

if TYPE_CHECKING:
    from optimize.settings import Settings


@takes_settings()
def ask_command(
    question: Annotated[
        str | None, typer.Argument(help="The question, options at its end. `-`: stdin.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option's text; repeat for B, C …")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="Read the question from this text file.")
    ] = None,
    program: Annotated[str, typer.Option(help=f"{PROGRAM_NAMES}.")] = "qkgram",
    compiled: Annotated[Path | None, typer.Option(help="A program saved by `compile`.")] = None,
    as_json: JsonOption = False,
    html: Annotated[Path | None, typer.Option(help="Also write the card as an HTML file.")] = None,
    *,
    settings: Settings,
) -> None:
    """Answer one question and show what the answer rests on.

    Example: qkgram ask "Which drug suits a man with type 2 diabetes and an eGFR of 24?"
    -o Metformin -o Linagliptin
    """
    from data.typed import read_typed
    from optimize.asking import ask, check_options
    from optimize.show import answer_json, show_answer

    text = _question_text(question, file)
    asked = read_typed(text, options=option or ())
    check_options(asked, program=program)
    answered = ask(asked, program=program, settings=settings, compiled=compiled)
    if html is not None:
        from optimize.report.single import answer_page
        from optimize.report.writing import write_page

        page = answer_page(asked, answered, program=program, settings=settings, compiled=compiled)
        write_page(page, html)
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
