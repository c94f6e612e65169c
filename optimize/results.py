"""The answers of a run, from its folder or from a file in the shape of the QKG release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from data.released import ReleasedRow, is_row_file, read_rows
from signatures.errors import InputError
from signatures.schema import Outcome, Record

_LETTERS = frozenset("ABCDEFGHIJ")


class ResultRow(Record):
    """One question of a run, as far as a comparison or an audit needs it."""

    key: str
    first: Outcome | None
    """The reasoner's first answer; `None` when the program has none."""
    final: Outcome
    stored: Outcome | None = None
    """The final outcome as the file has it; `final` is read again."""
    repeat: int = 0
    digest: str | None = None
    """Changes with the question's text and options; `None` when the file does not hold them."""
    place: str
    """File and line: `runs/a/rows.jsonl:17`."""
    report: tuple[object, ...] = ()
    """The validation report as it was saved."""
    source: str | None = None
    domain: str | None = None
    mode: str | None = None
    """Mode of the last hop, where the program has hops."""


class Results(Record):
    """A run's rows: one per question and repeat, in the order of the questions."""

    name: str
    path: str
    rows: tuple[ResultRow, ...]
    notes: tuple[str, ...] = ()
    """What a reader of the numbers must know: repeated rows, torn lines, an incomplete run."""
    tuned: bool = False
    """Whether questions of the train or dev split are among them: no p-value is reported."""

    @property
    def once(self) -> tuple[ResultRow, ...]:
        """Rows of the first repeat: paired tests take each question once."""
        return tuple(row for row in self.rows if row.repeat == 0)


def is_run(path: Path) -> bool:
    """Tell whether a folder is a run of `evaluate`."""
    return (path / "run.json").is_file()


def read_results(path: Path) -> Results:
    """Read a run folder, a per-sample CSV or a validator's JSONL log.

    Raises:
        InputError: it is none of them; the message says what was wanted.
    """
    if path.is_dir():
        from optimize.run_results import read_run_results

        return read_run_results(path)
    if not path.is_file():
        raise InputError(
            f"{path}: no such run; wanted a run folder, a per-sample CSV or a JSONL log"
        )
    if path.suffix == ".csv" and not is_row_file(path):
        raise InputError(
            f"{path}: wanted the columns sample_key, gold_answer and final_answer, "
            "one row per question"
        )
    found = read_rows(path)
    counted = ((found.repeated, "repeated rows left out"), (found.unreadable, "torn lines skipped"))
    return Results(
        name=path.stem,
        path=str(path),
        rows=tuple(_released(path, row) for row in found.rows),
        notes=tuple(f"{count} {what}" for count, what in counted if count),
    )


def name_results(results: Sequence[Results], names: Sequence[str]) -> tuple[Results, ...]:
    """Give runs the names asked for, or names that tell them apart: `a/rows` and `b/rows`.

    Raises:
        InputError: the number of names is not that of runs, or a name occurs twice.
    """
    if names and len(names) != len(results):
        raise InputError(f"wanted one --name per run: {len(results)} runs, got {len(names)} names")
    chosen = list(names) or [found.name for found in results]
    if len(set(chosen)) < len(chosen) and not names:
        chosen = [f"{Path(r.path).absolute().parent.name}/{r.name}" for r in results]
    if len(set(chosen)) < len(chosen):
        raise InputError("two runs have the same name: give each its own with --name")
    return tuple(
        found.model_copy(update={"name": name}) for found, name in zip(results, chosen, strict=True)
    )


def _released(path: Path, row: ReleasedRow) -> ResultRow:
    return ResultRow(
        key=row.key,
        first=None if row.first is None else _outcome(row.first, row.gold),
        final=_outcome(row.final, row.gold),
        stored=_outcome_of(row.final_right, row),
        place=f"{path}:{row.line}",
        report=row.report,
    )


def _outcome(letter: str, gold: str) -> Outcome:
    """Compare letters: the release keeps letters, not texts, so there is nothing to parse."""
    if not letter:
        return Outcome(kind="unparsed", letter=None, gold=gold)
    if letter not in _LETTERS:
        return Outcome(kind="out_of_range", letter=None, gold=gold)
    return Outcome(kind="correct" if letter == gold else "wrong", letter=letter, gold=gold)


def _outcome_of(right: bool | None, row: ReleasedRow) -> Outcome | None:
    """The outcome as the file states it; `None` when it does not."""
    if right is None:
        return None
    letter = row.final if row.final in _LETTERS else None
    return Outcome(kind="correct" if right else "wrong", letter=letter, gold=row.gold)
