"""The command line, `qkgram`: one file per command, errors as one line, exit codes 0, 1 and 2."""

from __future__ import annotations

from optimize.environment import quiet_environment


def main() -> None:
    """Run the command line and exit: 0 done, 1 user error, 2 interrupted or incomplete."""
    quiet_environment()
    from optimize.cli.entry import run
    from optimize.cli.main import app

    run(app)
