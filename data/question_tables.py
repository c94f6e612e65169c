"""The rows of a CSV file of questions: every row that cannot be read is named, with its cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from data.wording import counted
from signatures.errors import QuestionFileError

MMLU_COLUMNS = ("question", "A", "B", "C", "D", "answer")
"""Columns of MMLU's CSV files, which have no header."""

_SEPARATORS = {";": "semicolon", "\t": "tab", "|": "bar"}
_TEXTS = ("question", "stem", "prompt", "query", "vignette")


class Entry(NamedTuple):
    """One question as it stands in the file."""

    place: str
    """Where, for messages: `line 3`, `item 3`, `medqa 0001`."""
    fields: Mapping[str, Any]
    table: bool = False
    """True for a row of a CSV file, whose cells are all text."""
    section: str = ""
    """The part of the file that holds it: `medqa` in MIRAGE's file; empty where there is none."""
    key: str = ""
    """Its key, in a file that holds its entries by key."""


Broken = list[QuestionFileError]


def csv_entries(path: Path, text: str, broken: Broken | None) -> Iterator[Entry]:
    """Read the rows of a CSV file; blank lines are no rows.

    Args:
        path: The file, for messages.
        text: What it holds.
        broken: Gets an error for each row that cannot be read; `None`: the first is raised.

    Raises:
        QuestionFileError: The cells are not separated by commas, or as `broken` says.
    """
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    lines = _filled(path, rows, broken)
    header = next(lines, [])
    _check_separator(path, header)
    names: Sequence[str] = [cell.strip() for cell in header]
    if len(header) == len(MMLU_COLUMNS) and names[-1] in set("ABCD"):
        names = MMLU_COLUMNS
        yield _entry(rows.line_num, names, header)
    for cells in lines:
        if len(cells) == len(names):
            yield _entry(rows.line_num, names, cells)
            continue
        wanted = counted(len(names), "cell")
        cure = "put a text with commas in quotes" if len(cells) > len(names) else "add the missing"
        _note(broken, QuestionFileError(
            f"{path}, line {rows.line_num}: wanted {wanted}, got {len(cells)}; {cure}"
        ))  # fmt: skip


def column_hint(entry: Entry) -> str:
    """Say which column a table must name otherwise; empty when that is not to be seen.

    >>> column_hint(Entry("line 2", {"Question": "Why?", "answer": "so"}, table=True))
    "the text's column is `text`, not `Question`"
    """
    if not entry.table or "text" in entry.fields:
        return ""
    near = next((name for name in entry.fields if name.casefold() in ("text", *_TEXTS)), None)
    return f"the text's column is `text`, not `{near}`" if near else ""


def _entry(line: int, names: Sequence[str], cells: Sequence[str]) -> Entry:
    fields: Mapping[str, Any] = dict(zip(names, cells, strict=True))
    return Entry(f"line {line}", fields, table=True)


def _filled(path: Path, rows: Any, broken: Broken | None) -> Iterator[list[str]]:
    while True:
        try:
            cells: list[str] = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            _note(broken, QuestionFileError(f"{path}, line {rows.line_num}: not CSV: {error}"))
            continue
        if cells:
            yield cells


def _check_separator(path: Path, header: Sequence[str]) -> None:
    if len(header) != 1:
        return
    for sign, name in _SEPARATORS.items():
        if sign in header[0]:
            raise QuestionFileError(
                f"{path}: looks {name}-separated; wanted commas between the cells: save it so"
            )


def _note(broken: Broken | None, error: QuestionFileError) -> None:
    if broken is None:
        raise error
    broken.append(error)
