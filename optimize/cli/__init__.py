"""The command line, `qkgram`: one file per command, errors as one line, exit codes 0, 1 and 2."""

from __future__ import annotations

import sys

from optimize.environment import quiet_environment
from signatures.errors import QkgramError

_USAGE, _INTERRUPTED = 2, 130
"""How the argument parser exits; qkgram says 1 for a user error and 2 for unfinished work."""


def main() -> None:
    """Run the command line and exit: 0 done, 1 user error, 2 interrupted or incomplete."""
    quiet_environment()
    from optimize.cli.main import app

    try:
        app()
    except QkgramError as error:
        sys.exit(_fail(str(error), error.exit_code))
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        sys.exit(_fail(f"{error.strerror or error}{place}", 1))
    except KeyboardInterrupt:
        sys.exit(_fail("interrupted", 2))
    except SystemExit as done:
        if done.code == _INTERRUPTED:
            sys.exit(_fail("interrupted", 2))
        sys.exit(1 if done.code == _USAGE else done.code)


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"qkgram: {message}\n")
    return code
