"""Rich Release Format: UMLS tables as lines of `|`-separated fields, every line ended by a `|`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from data.text_files import open_text
from signatures.errors import InputError


def read_rrf(path: Path, columns: Sequence[str], wanted: Sequence[str]) -> Iterator[list[str]]:
    """Yield the wanted fields of every line, in the order of `wanted`; nothing is held in memory.

    Args:
        path: An .RRF file, gzipped or not.
        columns: All columns of the table, in the order of its file.
        wanted: Names of the columns to yield.

    Raises:
        InputError: The file cannot be read, or a line has another number of fields; the message
            names the line.
    """
    places = [columns.index(name) for name in wanted]
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            fields = line.rstrip("\r\n").split("|")
            if len(fields) != len(columns) + 1 or fields[-1]:
                raise InputError(
                    f"{path}:{number}: wanted {len(columns)} fields, {columns[0]} to "
                    f"{columns[-1]}, each ended by '|', got {len(fields) - 1}; give the table of a "
                    "UMLS release as it is"
                )
            yield [fields[place] for place in places]
