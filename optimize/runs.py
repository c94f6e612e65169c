"""A run is a directory: its rows, its questions and what it is made of.

    rows.jsonl        one row per question and repeat, written once, on disk before the next one
    questions.jsonl   the questions of the latest call
    run.json          identity, selection, revision of the code

Rows are never changed and never deleted. A row is used again when its key and fingerprint match;
questions that were not run are tried again. Whether a run is complete is worked out each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout
from pydantic import JsonValue

from data.wording import counted
from optimize.identity import Identity, code_revision
from optimize.row_files import (
    append_line,
    cannot_write,
    finish_torn_line,
    record_line,
    replace_file,
)
from optimize.rows import Row, Task
from optimize.run_records import (
    CARD,
    LOCK,
    QUESTIONS,
    ROWS,
    Run,
    RunCard,
    asked_keys,
    assemble,
    read_card,
    read_run,
    scan_run,
    tasks_of,
)
from signatures.errors import InputError
from signatures.schema import Question

__all__ = ["CARD", "QUESTIONS", "ROWS", "Run", "RunCard", "RunDirectory", "read_run"]


class RunDirectory:
    """A run that is being written, by this process alone.

    with RunDirectory.open(path, identity=identity, questions=questions) as run:
        for task in run.todo():
            run.append(row)
    """

    def __init__(self, path: Path, card: RunCard, tasks: Sequence[Task], lock: FileLock) -> None:
        self.path = path
        self.card = card
        self.tasks = tuple(tasks)
        self._lock = lock
        finish_torn_line(path / ROWS)
        scan = scan_run(path, card)
        self._done = set(scan.rows)
        self._failed = {key: row.reason for key, row in scan.failed.items()}
        self.reused = len(self._done & {task.key for task in self.tasks})
        """How many tasks had a row when the run was opened."""

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        identity: Identity,
        questions: Sequence[Question],
        repeats: int = 1,
        selection: dict[str, JsonValue] | None = None,
        preset: str | None = None,
    ) -> Self:
        """Begin a run at `path`, or go on with the one there.

        Raises:
            InputError: Another process writes the run, the run there was made from something else
                or of other questions (the message says what), or the folder holds other files.
            RunNotWritten: The folder cannot be written.
        """
        _check_folder(path)
        lock = _lock(path)
        try:
            before = read_card(path)
            _check_identity(path, before, identity)
            tasks = tasks_of(questions, repeats)
            if before is not None:
                _check_questions(path, before, tasks, file=(selection or {}).get("file"))
            now = _now()
            card = RunCard(
                identity=identity,
                repeats=repeats,
                selection=selection or {},
                preset=preset,
                created=before.created if before else now,
                updated=now,
                revision=code_revision(),
            )
            replace_file(path / QUESTIONS, "".join(map(record_line, questions)))
            replace_file(path / CARD, card.model_dump_json(indent=2) + "\n")
            return cls(path, card, tasks, lock)
        except BaseException:
            lock.release()
            raise

    def todo(self) -> Iterator[Task]:
        """Yield the tasks without a row, in order."""
        for task in self.tasks:
            if task.key not in self._done:
                yield task

    def append(self, row: Row) -> bool:
        """Write a row to the disk; return False, and write nothing, when it is there already.

        Raises:
            RunNotWritten: The disk is full or the file cannot be written; rows so far are kept.
        """
        if row.key in self._done:
            return False
        if not row.was_run and not row.usage.calls and self._failed.get(row.key) == row.reason:
            return False
        append_line(self.path / ROWS, record_line(row))
        if row.was_run:
            self._done.add(row.key)
        else:
            self._failed[row.key] = row.reason
        return True

    def read(self) -> Run:
        """Read back what stands on disk."""
        return assemble(self.path, self.card, self.tasks)

    def close(self) -> None:
        """Let other processes write the run."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _check_folder(path: Path) -> None:
    """Refuse a folder of other things: a run is never mixed into it."""
    if not path.exists() or (path / CARD).is_file():
        return
    if not path.is_dir():
        raise InputError(f"{path} is a file; wanted a folder for the run")
    ours = {LOCK, QUESTIONS}
    others = sorted(p.name for p in path.iterdir() if p.name not in ours and p.suffix != ".part")
    if others:
        raise InputError(
            f"{path} holds other files ({', '.join(others[:3])}) and no {CARD}; wanted an empty or "
            "a new folder: give another --out"
        )


def _check_identity(path: Path, card: RunCard | None, identity: Identity) -> None:
    if card is None or card.identity == identity:
        return
    changes = "; ".join(card.identity.differences(identity))
    raise InputError(
        f"the run {path} was made from something else, its rows must not be mixed: {changes}. "
        "Give another --out, or go back to what it was made from"
    )


def _check_questions(path: Path, card: RunCard, tasks: Sequence[Task], *, file: JsonValue) -> None:
    """Refuse answers to another file's questions: they would be read as one set under one name."""
    known = scan_run(path, card).rows.keys()
    if not known or not tasks:
        return
    there = card.selection.get("file")
    if there and file and there != file:
        raise InputError(
            f"the run {path} answers questions of {there}, not of {file}; one folder holds those "
            "of one file. Give another --out, or go back to that file"
        )
    if not {task.key for task in tasks} & (known | asked_keys(path, card)):
        count = counted(len({task.question.id for task in tasks}), "question")
        raise InputError(
            f"the run {path} has nothing in common with the {count} asked now; one folder holds "
            "one set. Give another --out, or go back to its questions"
        )


def _lock(path: Path) -> FileLock:
    lock = FileLock(path / LOCK, timeout=0)
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise InputError(
            f"another process writes the run {path}: wait until it ends, or give another --out"
        ) from error
    except OSError as error:
        raise cannot_write(path, error) from error
    return lock


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
