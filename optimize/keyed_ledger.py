"""A file of rows by key, one line a row, each on disk before the next one is begun.

Rows are appended and never changed. A row with a `failure` is tried again; one without is final. A
line that a crash cut off costs its own row and no other. One process writes a ledger at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from filelock import FileLock, Timeout
from pydantic import Field, ValidationError

from optimize.row_files import append_line, cannot_write, finish_torn_line, record_line
from signatures.errors import InputError
from signatures.schema import Record, Usage


class KeyedRow(Record):
    """What every ledger keeps of a task."""

    key: str
    """Name of the task: changes with everything that changes the result."""
    failure: str | None = None
    """One line: why there is no result; such a task is tried again."""
    lasting: bool = Field(default=False, exclude=True)
    """Whether every other task would fail alike, such as by a refused key; not written down."""
    usage: Usage = Usage()
    seconds: float = 0.0
    finished: str
    """Time in UTC, ISO 8601."""

    @property
    def subject(self) -> str:
        """What the row is about, for messages: `triplet e12`."""
        return f"task {self.key}"


R = TypeVar("R", bound=KeyedRow)


class KeyedLedger(Generic[R]):
    """The rows of a file that is being written, by this process alone.

    Args:
        path: The file; it is made by the first row.
        row_type: Class of the rows.
        lock: Held already; released at the end of the `with` block.
        counts: Which rows of the file belong here; all by default.
    """

    def __init__(
        self,
        path: Path,
        row_type: type[R],
        lock: FileLock,
        *,
        counts: Callable[[R], bool] = lambda row: True,
    ) -> None:
        self.path, self._lock = path, lock
        finish_torn_line(path)
        self.rows: dict[str, R] = read_keyed(path, row_type, counts=counts)
        """The last row of every key; one without failure is never replaced."""

    def has(self, key: str) -> bool:
        """Say whether the task of this key has its result."""
        return key in self.rows and self.rows[key].failure is None

    def append(self, row: R) -> None:
        """Write a row to the disk; nothing when its task has its result already.

        Raises:
            RunNotWritten: The disk is full; rows so far are kept.
        """
        if self.has(row.key):
            return
        append_line(self.path, record_line(row))
        self.rows[row.key] = row

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()


def read_keyed(
    path: Path, row_type: type[R], *, counts: Callable[[R], bool] = lambda row: True
) -> dict[str, R]:
    """Read rows by key, torn lines passed over; a result outlives a later failure."""
    rows: dict[str, R] = {}
    if not path.exists():
        return rows
    with path.open("rb") as lines:
        for line in lines:
            row = _row(line, row_type)
            if row is None or not counts(row):
                continue
            before = rows.get(row.key)
            if before is None or before.failure is not None:
                rows[row.key] = row
    return rows


def lock_ledger(path: Path, *, busy: str) -> FileLock:
    """Take the lock of a ledger, its folder made where it is absent.

    Args:
        path: The lock file.
        busy: What to say when another process holds it.

    Raises:
        InputError: Another process holds it.
        RunNotWritten: The folder cannot be written.
    """
    lock = FileLock(path, timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise InputError(busy) from error
    except OSError as error:
        raise cannot_write(path.parent, error) from error
    return lock


def _row(line: bytes, row_type: type[R]) -> R | None:
    try:
        return row_type.model_validate_json(line)
    except ValidationError:
        return None
