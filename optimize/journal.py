"""What a study has scored, one line an example: a study that starts again repeats none of it.

    journal.jsonl    {"candidate": sha, "example": sha, "value": 1.0, "failed": false}
                     {"session": id, "usage": {...}}       what a process has spent so far
                     {"learnt": {...}}                      what the optimizer returned
                     {"finished": true}                     the study ended; it is not gone on with

Lines are appended and on disk before the next call is paid for; a torn last line is skipped.
"""

from __future__ import annotations

import json
import os
import threading
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import dspy
from dspy.teleprompt.bootstrap_trace import FailedPrediction
from pydantic import JsonValue

from optimize.dspy_metrics import Metric, as_number
from optimize.examples import fingerprint
from optimize.plain import plain
from optimize.rows import digest
from optimize.state import program_state
from signatures.errors import ParseError, RunNotWritten
from signatures.schema import Usage

FILE = "journal.jsonl"

UNREADABLE = (dspy.AdapterParseError, ParseError, dspy.ContextWindowExceededError)
"""What is the example's own: an answer without a reading, a prompt too long for the model."""


class Entry(NamedTuple):
    """The score of one candidate on one example."""

    value: float
    """From 0 to 1."""
    failed: bool
    """Whether there was no readable answer."""


class Journal:
    """Scores by candidate and example; in memory alone when it has no folder."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read what an unfinished study left; a finished one is begun anew."""
        self._file = None if folder is None else folder / FILE
        self._lock = threading.Lock()
        self._session = uuid.uuid4().hex[:12]
        self._entries: dict[tuple[str, str], Entry] = {}
        self._spent: dict[str, Usage] = {}
        self.learnt: dict[str, JsonValue] | None = None
        """State that the optimizer returned; `None` while it has not."""
        self._read()
        self.resumed = len(self._entries)
        """How many scores an earlier process left."""

    @property
    def begun(self) -> bool:
        """Whether anything was scored."""
        return bool(self._entries)

    def get(self, candidate: str, example: str) -> Entry | None:
        """Return the score of a candidate on an example, `None` when it has none yet."""
        with self._lock:
            return self._entries.get((candidate, example))

    def add(self, candidate: str, example: str, entry: Entry) -> None:
        """Keep a score; the first one counts."""
        with self._lock:
            if (candidate, example) in self._entries:
                return
            self._entries[candidate, example] = entry
            self._append({"candidate": candidate, "example": example, **entry._asdict()})

    def note_spent(self, usage: Usage) -> None:
        """Keep what this process has spent so far."""
        with self._lock:
            self._spent[self._session] = usage
            self._append({"session": self._session, "usage": usage.model_dump()})

    def spent(self, now: Usage) -> Usage:
        """Return what all processes of the study have spent; `now` is this one's part."""
        earlier = (usage for key, usage in self._spent.items() if key != self._session)
        return sum(earlier, start=now)

    def note_learnt(self, state: Mapping[str, JsonValue]) -> None:
        """Keep what the optimizer returned: it is not run again."""
        self.learnt = dict(state)
        self._append({"learnt": self.learnt})

    def finish(self) -> None:
        """Say that the study ended."""
        self._append({"finished": True})

    def _append(self, line: Mapping[str, object]) -> None:
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
                out.flush()
                os.fsync(out.fileno())
        except OSError as error:
            raise RunNotWritten(
                f"{self._file} cannot be written ({error.strerror}): make room and start the same "
                "command again, scores so far are kept"
            ) from error

    def _read(self) -> None:
        if self._file is None or not self._file.is_file():
            return
        text = self._file.read_text(encoding="utf-8", errors="replace")
        lines = [_loads(line) for line in text.splitlines()]
        if any("finished" in line for line in lines):
            self._file.unlink()
            return
        for line in lines:
            self._take(line)
        if text and not text.endswith("\n"):
            with self._file.open("a", encoding="utf-8") as out:
                out.write("\n")

    def _take(self, line: Mapping[str, JsonValue]) -> None:
        match line:
            case {
                "candidate": str(candidate),
                "example": str(example),
                "value": float(value),
                "failed": bool(failed),
            }:
                self._entries.setdefault((candidate, example), Entry(value, failed))
            case {"session": str(session), "usage": dict(usage)}:
                self._spent[session] = Usage.model_validate(usage)
            case {"learnt": dict(state)}:
                self.learnt = state
            case _:
                return


def _loads(line: str) -> dict[str, JsonValue]:
    """Read a line; one that a kill tore holds nothing."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def candidate_key(program: dspy.Module) -> str:
    """Return what names a candidate: its instructions, demonstrations and options."""
    return digest(plain(program_state(program)))


def example_key(example: dspy.Example) -> str:
    """Return what names an example: its inputs and its gold."""
    return fingerprint([example])[:16]


def score_once(
    run: Callable[[], object],
    example: dspy.Example,
    metric: Metric,
    *,
    name: str,
    journal: Journal,
    candidate: str,
) -> Entry:
    """Return a candidate's score on an example; `run` is called only when it is not known yet."""
    key = example_key(example)
    known = journal.get(candidate, key)
    if known is not None:
        return known
    try:
        said = run()
    except UNREADABLE:
        said = FailedPrediction("")
    if isinstance(said, FailedPrediction):
        entry = Entry(0.0, failed=True)
    else:
        value = as_number(metric(example, said), metric=name, strict=False)
        entry = Entry(float(value), failed=False)
    journal.add(candidate, key, entry)
    return entry
