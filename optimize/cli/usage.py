"""A wrong command line in one line: where, what was wanted, what came and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from pydantic import ValidationError
from typer.main import get_command


def usage_line(error: typer.TyperException, *, app: typer.Typer, words: Sequence[str]) -> str:
    """Return the line for a command line that the parser refuses.

    Args:
        error: What the parser raised.
        app: All commands.
        words: The command line after the program's name.

    Returns:
        Empty when the parser has shown a help page in place of an error, as for a bare `qkgram`.
    """
    said = " ".join(error.format_message().split()).replace(": Value error, ", ": ")
    if not said:
        return ""
    command = _command(app, words)
    text = _nearest(error) or f"{said[0].lower()}{said[1:].rstrip('.')}{_came(error, said=said)}"
    see = f" See {command} --help" if text.endswith("?") else f"; see {command} --help"
    return f"{command}: {text}{see}"


def _command(app: typer.Typer, words: Sequence[str]) -> str:
    """Return the words that name a command; not every error of the parser knows its own."""
    named, node = ["qkgram"], get_command(app)
    for word in words:
        if (inner := getattr(node, "commands", {}).get(word)) is None:
            break
        named, node = [*named, word], inner
    return " ".join(named)


def _nearest(error: typer.TyperException) -> str:
    """Return the text for an option that does not exist, with the nearest one that does."""
    if not (name := getattr(error, "option_name", None)):
        return ""
    near = getattr(error, "possibilities", None)
    if near is None:
        return ""
    return f"no option {name}; did you mean {near[0]}?" if near else f"no option {name}"


def _came(error: typer.TyperException, *, said: str) -> str:
    """Return the value that was refused, where the parser's text leaves it out."""
    if not isinstance(error.__cause__, ValidationError):
        return ""
    came = repr(error.__cause__.errors(include_url=False)[0]["input"])
    return "" if came in said else f", got {came}"
