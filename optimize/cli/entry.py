"""Run the commands: every end of one is an exit code, every error one line."""

from __future__ import annotations

import sys

import typer

from optimize.cli.streams import PIPE_CLOSED, Readers, end_quietly, show_what_the_streams_can
from optimize.cli.usage import usage_line
from signatures.errors import QkgramError

_INTERRUPTED = 130
"""The parser's code for Ctrl-C; qkgram says 2 for unfinished work."""


def run(app: typer.Typer) -> None:
    """Run the command line of this process and exit: 0 done, 1 user error, 2 incomplete.

    When the reader of the output leaves, as `head` does, the code is the shell's 141.
    """
    show_what_the_streams_can(sys.argv[1:])
    readers = Readers()
    try:
        code = _code(app)
        sys.stdout.flush()
    except BrokenPipeError:
        code = PIPE_CLOSED
    except SystemExit:  # the parser and the tables end so when a pipe breaks
        if not readers.left():
            raise
        code = PIPE_CLOSED
    if code == PIPE_CLOSED:
        end_quietly()
    sys.exit(code)


def _code(app: typer.Typer) -> int:
    """Run the command line and return its exit code, its error written."""
    try:
        code: int = app(prog_name="qkgram", standalone_mode=False) or 0
    except typer.TyperException as error:
        return _fail(usage_line(error, app=app, words=sys.argv[1:]), 1)
    except typer.Abort:
        return _fail("qkgram: aborted", 1)
    except QkgramError as error:
        return _fail(f"qkgram: {error}", error.exit_code)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        return _fail(f"qkgram: {error.strerror or error}{place}", 1)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    return _fail("qkgram: interrupted", 2) if code == _INTERRUPTED else code


def _fail(line: str, code: int) -> int:
    sys.stderr.write(f"{line}\n" if line else "")
    return code
