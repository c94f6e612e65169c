"""Standard output and standard error of a command: signs they lack, and readers that leave."""

from __future__ import annotations

import codecs
import io
import os
import select
import sys
from collections.abc import Sequence
from typing import TextIO

PIPE_CLOSED = 141
"""What a shell says of a program whose reader has left: 128 and the number of SIGPIPE, 13."""

_ESCAPE = "qkgram.json"


def show_what_the_streams_can(words: Sequence[str]) -> None:
    """Make the streams replace what their encoding lacks, in place of an error.

    For people it is replaced by a question mark, and in JSON by an escape, so that nothing is lost.

    Args:
        words: The command line after the program's name.
    """
    codecs.register_error(_ESCAPE, _escaped)
    for stream, errors in ((sys.stdout, _ESCAPE if asks_json(words) else "replace"),
                           (sys.stderr, "replace")):  # fmt: skip
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def asks_json(words: Sequence[str]) -> bool:
    """Say whether a command line asks for JSON on standard output.

    >>> asks_json(["compare", "a", "--format", "json"]), asks_json(["ask", "json?"])
    (True, False)
    """
    pairs = zip(words, [*words[1:], ""], strict=True)
    return any(
        word in ("--json", "--format=json") or (word == "--format" and after == "json")
        for word, after in pairs
    )


def _escaped(error: UnicodeError) -> tuple[str, int]:
    r"""Write signs as JSON escapes them; those beyond the first plane as two surrogates.

    >>> _escaped(UnicodeEncodeError("ascii", "a→", 1, 2, ""))
    ('\\u2192', 2)
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (units[place : place + 2] for place in range(0, len(units), 2))
    return "".join(f"\\u{pair.hex()}" for pair in pairs), error.end


class Readers:
    """Tells at any time whether the reader of a standard stream has left.

    The descriptors are kept, because others point the streams elsewhere once a write has failed.
    """

    def __init__(self) -> None:
        self._kept = [kept for kept in (_kept(sys.stdout), _kept(sys.stderr)) if kept is not None]

    def left(self) -> bool:
        """Say whether a stream's pipe has no reader any more."""
        if not hasattr(select, "poll"):
            return False
        poll = select.poll()
        for descriptor in self._kept:
            poll.register(descriptor, select.POLLOUT)
        return any(event & select.POLLERR for _, event in poll.poll(0))


def end_quietly() -> None:
    """Send what is still to be written nowhere, so that the end of the process says nothing."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if isinstance(stream, io.TextIOWrapper):
            os.dup2(nowhere, stream.fileno())


def _kept(stream: TextIO) -> int | None:
    try:
        return os.dup(stream.fileno())
    except (OSError, ValueError, AttributeError):
        return None
