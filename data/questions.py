"""Read questions from files: our own JSONL and CSV, and the benchmarks as they are published.

Each shape is one row of `READERS`; a new benchmark is one more row and one function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from data.benchmark_cases import CASE_READERS
from data.benchmark_exams import EXAM_READERS, MEDQA_READER
from data.benchmark_fields import Reader, has
from data.benchmark_hallucination import HALLUCINATION_READERS
from data.benchmark_literature import LITERATURE_READERS
from data.benchmark_reasoning import REASONING_READERS
from data.question_fields import LETTERS, kind, make_question
from data.question_files import Entry, read_entries
from data.question_tables import column_hint
from data.wording import counted
from signatures.errors import InputError, QuestionFileError
from signatures.schema import Question

CSV_FIELDS = (
    "id",
    "source",
    "text",
    "gold",
    "reference",
    "split",
    "domain",
    "decided_by",
    "citation",
)
"""Columns of a CSV file besides the letters of the options; `labelled` may be added."""


class Readable(NamedTuple):
    """What could be read of a file, and what could not."""

    questions: tuple[Question, ...]
    errors: tuple[QuestionFileError, ...]
    """One for each line that holds no object, then for each entry that is no question."""


def read_questions(path: Path, *, name: str | None = None) -> tuple[Question, ...]:
    """Read every question of a file.

    Args:
        path: A JSONL, JSON, CSV or Parquet file; its shape is told by its first entry.
        name: Name of the source where the file gives none; default: the file's name.

    Raises:
        QuestionFileError: The file cannot be read; the message names the file and the line.
    """
    readable = read_readable(path, name=name)
    if readable.errors:
        raise _first_of(path, readable.errors)
    return readable.questions


def _first_of(path: Path, errors: Sequence[QuestionFileError]) -> QuestionFileError:
    """Return the first error; of several it says how many there are and what lists them."""
    if len(errors) == 1:
        return errors[0]
    more = counted(len(errors) - 1, "other cannot", "others cannot")
    return QuestionFileError(
        f"{errors[0]} ({more} be read either: qkgram data check {path} lists all)"
    )


def read_readable(path: Path, *, name: str | None = None) -> Readable:
    """Read the questions of a file that can be read, and keep the error of each that cannot.

    Raises:
        QuestionFileError: The file as a whole cannot be read, or its shape is not known.
    """
    broken: list[QuestionFileError] = []
    entries = list(read_entries(path, broken=broken))
    if broken and not entries:
        raise broken[0]
    if not entries:
        raise QuestionFileError(f"{path}: wanted questions, the file holds none")
    reader = _reader_of(path, entries[0])
    source = name or path.name.split(".")[0]
    placed: dict[str, tuple[str, Question]] = {}
    errors = broken
    for number, entry in enumerate(_settled(path, reader, entries), start=1):
        reader = _next_reader(reader, entry)
        try:
            question = _read_entry(path, reader, entry, source, number)
            question = _with_own_id(path, reader, entry, question, placed)
            placed[question.id] = entry.place, question
        except QuestionFileError as error:
            errors.append(error)
    return Readable(tuple(question for _, question in placed.values()), tuple(errors))


def _reader_of(path: Path, entry: Entry) -> Reader:
    reader = next((reader for reader in READERS if reader.fits(entry)), None)
    if reader is None:
        if hint := column_hint(entry):
            raise QuestionFileError(f"{path}: {hint}; wanted the columns id, text, A, B …, gold")
        known = "; ".join(reader.name for reader in READERS)
        raise QuestionFileError(
            f"{path}, {entry.place}: the fields {', '.join(map(str, entry.fields))} are "
            f"of no known shape; known are: {known}"
        )
    return reader


def _next_reader(reader: Reader, entry: Entry) -> Reader:
    """Keep the reader as long as it fits; a file may hold several shapes."""
    if reader.fits(entry):
        return reader
    return next((other for other in READERS if other.fits(entry)), reader)


def _settled(path: Path, reader: Reader, entries: Sequence[Entry]) -> Sequence[Entry]:
    if reader.settle is None:
        return entries
    try:
        return reader.settle(entries)
    except ValueError as error:
        raise QuestionFileError(f"{path}: {error}") from error


def _read_entry(path: Path, reader: Reader, entry: Entry, source: str, number: int) -> Question:
    try:
        return reader.read(entry, source, number)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise QuestionFileError(f"{path}, {entry.place}: {_said(error, entry)}") from error


def _with_own_id(
    path: Path,
    reader: Reader,
    entry: Entry,
    question: Question,
    placed: Mapping[str, tuple[str, Question]],
) -> Question:
    """Return the question with an id of its own; a benchmark's repeated id gets a number."""
    if question.id not in placed:
        return question
    if reader.own:
        raise QuestionFileError(
            f"{path}, {entry.place}: the id {question.id!r} stands at {placed[question.id][0]} "
            "already; give every question its own"
        )
    free = next(
        f"{question.id}#{n}"
        for n in range(2, len(placed) + 3)
        if f"{question.id}#{n}" not in placed
    )
    said = f"the file gives the id {question.id!r} more than once"
    return question.model_copy(update={"id": free, "notes": (*question.notes, said)})


def select(
    questions: Sequence[Question],
    *,
    split: str | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> tuple[Question, ...]:
    """Select questions, in the order of the file.

    A sample is nested: the first 100 of a seed are among the first 200, so a run can be widened.

    Args:
        questions: What to select from.
        split: `train`, `dev` or `test`; `None` takes all.
        sample: How many at most; `None` takes all.
        seed: Which sample.

    Raises:
        InputError: Nothing is left, or `sample` is less than 1.
    """
    if sample is not None and sample < 1:
        raise InputError(f"wanted a sample of 1 or more, got {sample}")
    left = [question for question in questions if split is None or question.split == split]
    if not left:
        counts = {
            part: sum(q.split == part for q in questions) for part in ("train", "dev", "test")
        }
        held = ", ".join(f"{count} {part}" for part, count in counts.items())
        raise InputError(
            f"no question is left of {len(questions)}: wanted split {split!r}, the questions hold "
            f"{held}; choose another split or file"
        )
    if sample is None or sample >= len(left):
        return tuple(left)
    drawn = sorted(left, key=lambda q: sha256(f"{seed}:{q.id}".encode()).digest())[:sample]
    kept = {question.id for question in drawn}
    return tuple(question for question in left if question.id in kept)


def _said(error: Exception, entry: Entry) -> str:
    """Word an error of a reader: a missing field is named, Python's own words are not shown."""
    if isinstance(error, KeyError):
        return f"the field {error} is missing"
    if isinstance(error, TypeError | AttributeError):
        kinds = ", ".join(f"{name} is {kind(value)}" for name, value in entry.fields.items())
        return f"a field holds another kind of value than this file's shape has: {kinds}"
    return str(error)


def _read_own(entry: Entry, source: str, number: int) -> Question:
    return make_question({"source": source, **entry.fields})


def _read_csv(entry: Entry, source: str, number: int) -> Question:
    cells = {name: cell.strip() for name, cell in entry.fields.items() if cell.strip()}
    unknown = cells.keys() - {*CSV_FIELDS, *LETTERS, "labelled"}
    if unknown:
        raise ValueError(
            f"column {sorted(unknown)[0]!r} is unknown; known are {', '.join(CSV_FIELDS)}, "
            "labelled, and A to J for the options"
        )
    fields = {name: cell for name, cell in cells.items() if name not in LETTERS}
    options = {letter: cells[letter] for letter in LETTERS if letter in cells}
    return make_question({"source": source, "text": "", **fields, "options": options})


READERS: Sequence[Reader] = (
    Reader("CSV (id, text, A, B … gold …)", has("id", "text", table=True), _read_csv, own=True),
    Reader(
        "qkgram JSONL (id, text, options, gold …)",
        has("id", "text", table=False),
        _read_own,
        own=True,
    ),
    *REASONING_READERS,
    *HALLUCINATION_READERS,
    *LITERATURE_READERS,
    *CASE_READERS,
    *EXAM_READERS,
    MEDQA_READER,
)
"""Every shape that can be read, in the order in which they are tried."""
