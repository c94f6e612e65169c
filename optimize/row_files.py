"""The file of a run's rows: appended a line at a time, read past whatever a crash left behind."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic_core import PydanticSerializationError

from optimize.rows import Row
from signatures.errors import RunNotWritten
from signatures.schema import Record


class Scan(NamedTuple):
    """What a file of rows holds."""

    rows: dict[str, Row]
    """Key to the last row that was run."""
    lines: dict[str, int]
    """Key to its line, from 1."""
    failed: dict[str, Row]
    """Key to the last row that could not be run."""
    torn: int
    """Lines that are no row: the end of a write that was cut off."""
    repeated: int
    """Rows that were run and stand there again."""
    foreign: int
    """Rows of another fingerprint."""


def scan_rows(path: Path, *, fingerprint: str) -> Scan:
    """Read every row. The last one that was run counts, also when a failed one follows it."""
    rows: dict[str, Row] = {}
    lines: dict[str, int] = {}
    failed: dict[str, Row] = {}
    torn = repeated = foreign = 0
    for number, line in _lines(path):
        row = _row(line)
        if row is None:
            torn += 1
        elif row.fingerprint != fingerprint:
            foreign += 1
        elif not row.was_run:
            failed[row.key] = row
        else:
            repeated += row.key in rows
            rows[row.key], lines[row.key] = row, number
    return Scan(rows, lines, failed, torn, repeated, foreign)


def record_line(record: Record) -> str:
    """Return a record as one line of JSON."""
    try:
        return record.model_dump_json() + "\n"
    except PydanticSerializationError:
        # Half of a surrogate pair has no UTF-8; JSON can escape it.
        return json.dumps(record.model_dump(), ensure_ascii=True) + "\n"


def append_line(path: Path, line: str) -> None:
    """Write a line at the end of a file and wait until the disk has it.

    Raises:
        RunNotWritten: It cannot be written; what was written of it is taken back.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        size = os.fstat(handle).st_size
        try:
            _write(handle, line.encode())
            os.fsync(handle)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(handle, size)
            raise cannot_write(path, error) from error
    finally:
        os.close(handle)


def finish_torn_line(path: Path) -> None:
    """End a last line that a crash cut off, so that the next row does not join it."""
    if not path.exists() or not path.stat().st_size:
        return
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        torn = file.read(1) != b"\n"
    if torn:
        append_line(path, "\n")


def replace_file(path: Path, text: str) -> None:
    """Write a small file so that it is the old one or the new one, never a part.

    Raises:
        RunNotWritten: It cannot be written.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> RunNotWritten:
    """Return the error for a file that cannot be written, with its remedy."""
    why = f"cannot write {path}: {error.strerror or error}"
    if not _has_rows(path):
        return RunNotWritten(f"{why}; it holds no row yet: choose a place that can be written")
    return RunNotWritten(
        f"{why}; the rows so far are kept: make room or change the permissions, then give the "
        "same command again"
    )


def _has_rows(path: Path) -> bool:
    """Say whether the file, or the run that it or the folder belongs to, holds rows already."""
    lines = path.suffix == ".jsonl" and path.name != "questions.jsonl"
    rows = path if lines else (path if path.is_dir() else path.parent) / "rows.jsonl"
    try:
        return rows.stat().st_size > 0
    except OSError:
        return False


def _write(handle: int, line: bytes) -> None:
    """Write all of it: the system may take less than it was given."""
    left = memoryview(line)
    while left:
        left = left[os.write(handle, left) :]


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number and text of every line that is not blank."""
    if path.exists():
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line


def _row(line: bytes) -> Row | None:
    try:
        return Row.model_validate_json(line)
    except ValueError:  # Python's reader, half as fast, also takes a lone surrogate
        pass
    try:
        return Row.model_validate(json.loads(line))
    except (ValueError, RecursionError):
        return None
