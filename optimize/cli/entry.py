"""Run the commands: every end of one is an exit code, every error one line."""

from __future__ import annotations

import sys

import typer

from optimize.cli.usage import usage_line
from signatures.errors import QkgramError

_INTERRUPTED = 130
"""The parser's code for Ctrl-C; qkgram says 2 for unfinished work."""


def run(app: typer.Typer) -> None:
    """Run the command line of this process and exit: 0 done, 1 user error, 2 incomplete."""
    try:
        code = app(prog_name="qkgram", standalone_mode=False)
    except typer.TyperException as error:
        sys.exit(_fail(usage_line(error, app=app, words=sys.argv[1:]), 1))
    except typer.Abort:
        sys.exit(_fail("qkgram: aborted", 1))
    except QkgramError as error:
        sys.exit(_fail(f"qkgram: {error}", error.exit_code))
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        sys.exit(_fail(f"qkgram: {error.strerror or error}{place}", 1))
    except KeyboardInterrupt:
        code = _INTERRUPTED
    sys.exit(_fail("qkgram: interrupted", 2) if code == _INTERRUPTED else code)


def _fail(line: str, code: int) -> int:
    sys.stderr.write(f"{line}\n" if line else "")
    return code
