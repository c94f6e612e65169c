"""Text files of the user's, gzipped or not, and one line of error when they cannot be read."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from signatures.errors import InputError

_GZIP = b"\x1f\x8b"


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open UTF-8 text, gzipped or not, with or without a byte-order mark.

    Raises:
        InputError: It cannot be opened, or not be read while the block runs.
    """
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == _GZIP
        with (
            gzip.open(path, "rt", encoding="utf-8-sig", newline="")
            if zipped
            else path.open(encoding="utf-8-sig", newline="")
        ) as lines:
            yield lines
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InputError(
            f"{path} cannot be read: {why}; give UTF-8 text, gzipped or not"
        ) from error
