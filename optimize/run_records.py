"""Runs as they stand on disk, read without a lock."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import JsonValue, ValidationError

from data.wording import counted
from optimize.identity import Identity
from optimize.row_files import Scan, scan_rows
from optimize.rows import Row, Task, rescored
from signatures.errors import InputError
from signatures.schema import Outcome, Question, Record

ROWS, QUESTIONS, CARD, LOCK = "rows.jsonl", "questions.jsonl", "run.json", "lock"
FORMAT: Literal[1] = 1
"""Version of the directory; a reader refuses a later one."""


# What a reader must know of a run's rows, for one of them and for several.
_TORN = (
    "line of rows.jsonl cannot be read and was skipped",
    "lines of rows.jsonl cannot be read and were skipped",
)
_REPEATED = (
    "row repeats a question; the last one counts",
    "rows repeat a question; the last one counts",
)
_OUTSIDE = (
    "row belongs to a question outside the selection",
    "rows belong to questions outside the selection",
)
_FOREIGN = (
    "row was made from something else and does not count",
    "rows were made from something else and do not count",
)
_CHANGED = (
    "outcome was read again and differs from the one in rows.jsonl",
    "outcomes were read again and differ from the ones in rows.jsonl",
)


class RunCard(Record):
    """What `run.json` holds."""

    format: Literal[1] = FORMAT
    identity: Identity
    repeats: int
    selection: dict[str, JsonValue] = {}
    """File, split, sample and seed of the questions, for the reader."""
    preset: str | None = None
    """Preset of the settings and what stands otherwise than in it, for the reader."""
    created: str
    """Time in UTC, ISO 8601."""
    updated: str
    revision: str | None
    """Git revision of the code that last wrote to the run."""


class Run(NamedTuple):
    """A run as it stands on disk."""

    path: Path
    card: RunCard
    tasks: tuple[Task, ...]
    """Every question and repeat of the latest selection."""
    rows: dict[str, Row]
    """Key to row, for the tasks that were run; outcomes follow today's gold and reader."""
    lines: dict[str, int]
    """Key to the line of `rows.jsonl` that its row stands on."""
    failed: dict[str, Row]
    """Key to the last row of a task that was tried and could not be run."""
    notes: tuple[str, ...]
    """What a reader must know: torn lines, repeated rows, rows of other questions."""
    stored: dict[str, Outcome | None]
    """Key to the outcome as it was written, before it was read again."""

    @property
    def missing(self) -> int:
        """How many tasks have no row."""
        return len(self.tasks) - len(self.rows)

    @property
    def incomplete(self) -> bool:
        """True when some tasks have no row."""
        return self.missing > 0


def read_run(path: Path) -> Run:
    """Read a run; nothing is locked or changed.

    Raises:
        InputError: There is no run at `path`, or a newer version wrote it.
    """
    card = read_card(path)
    if card is None:
        raise InputError(f"{path}: no run there; wanted a folder with {CARD} and {ROWS}")
    questions = _read_questions(path / QUESTIONS)
    return assemble(path, card, tasks_of(questions, card.repeats))


def assemble(path: Path, card: RunCard, tasks: Sequence[Task]) -> Run:
    """Put a run together from its card, its tasks and its rows."""
    scan = scan_run(path, card)
    rows = {t.key: rescored(scan.rows[t.key], t.question) for t in tasks if t.key in scan.rows}
    open_ = scan.failed.keys() - rows.keys()
    failed = {t.key: scan.failed[t.key] for t in tasks if t.key in open_}
    changed = sum(row.outcome != scan.rows[key].outcome for key, row in rows.items())
    found = (
        (scan.torn, *_TORN),
        (scan.repeated, *_REPEATED),
        (len(scan.rows) - len(rows), *_OUTSIDE),
        (scan.foreign, *_FOREIGN),
        (changed, *_CHANGED),
    )
    notes = tuple(counted(count, one, many) for count, one, many in found if count)
    stored = {key: scan.rows[key].outcome for key in rows}
    return Run(path, card, tuple(tasks), rows, scan.lines, failed, notes, stored)


def scan_run(path: Path, card: RunCard) -> Scan:
    """Read the rows that were made from what the card says."""
    return scan_rows(path / ROWS, fingerprint=card.identity.fingerprint)


def tasks_of(questions: Sequence[Question], repeats: int) -> tuple[Task, ...]:
    """Return every question once per repeat."""
    return tuple(Task(question, repeat) for repeat in range(repeats) for question in questions)


def asked_keys(path: Path, card: RunCard) -> frozenset[str]:
    """Return the keys of the questions that the latest call asked, answered or not."""
    file = path / QUESTIONS
    asked = _read_questions(file) if file.is_file() else ()
    return frozenset(task.key for task in tasks_of(asked, card.repeats))


def read_card(path: Path) -> RunCard | None:
    """Read `run.json`; `None` when there is none.

    Raises:
        InputError: It is no JSON, cannot be opened, or is of a later version.
    """
    try:
        text = (path / CARD).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error
    try:
        fields = json.loads(text)
    except ValueError as error:
        raise _unreadable(path, error) from error
    try:
        return RunCard.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(
            f"{path / CARD} is of another version of qkgram ({first['msg']} at "
            f"{'.'.join(map(str, first['loc']))}): use that version, or another --out"
        ) from error


def _unreadable(path: Path, error: Exception) -> InputError:
    why = error.strerror if isinstance(error, OSError) and error.strerror else error
    return InputError(f"{path / CARD} cannot be read: {why}; restore it, or give another folder")


def _read_questions(path: Path) -> tuple[Question, ...]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return tuple(Question.model_validate(json.loads(line)) for line in lines if line)
