"""Verdicts beside the rows of a run.

    verdicts.jsonl   one row per answer, measure and judge, on disk before the next one

A verdict's key holds the row, the measure, the judge's model and sampling, the prompt, and what the
judge was shown: a changed reference or prompt is judged anew, and the old verdict stays as it was.
"""

from __future__ import annotations

from pathlib import Path

from optimize.keyed_ledger import KeyedLedger, KeyedRow, lock_ledger, read_keyed
from optimize.rows import digest
from programs.judge import JUDGES, JudgedAnswer
from signatures.schema import JudgedMeasure, Verdict

VERDICTS, LOCK = "verdicts.jsonl", "verdicts.lock"


class VerdictRow(KeyedRow):
    """A verdict on one row of a run."""

    row: str
    """Key of the run's row."""
    question: str
    repeat: int
    measure: JudgedMeasure
    judge: str
    """Model id."""
    prompt: str
    """Digest of the judge's prompt and sampling."""
    shown: str
    """Digest of what the judge was shown."""
    verdict: Verdict | None = None
    """`None` when the judge could not be reached; then `failure` says why."""

    @property
    def subject(self) -> str:
        """The question and the measure, for messages."""
        return f"{self.measure} of {self.question}"


def shown(answer: JudgedAnswer, measure: JudgedMeasure, *, abstained: bool) -> str:
    """Digest what a judge of this measure is shown; an abstention is shown to none."""
    fields = {name: getattr(answer, name) for name in JUDGES[measure].signature.input_fields}
    return digest(["abstained", answer.reference] if abstained else fields)


def open_verdicts(folder: Path) -> KeyedLedger[VerdictRow]:
    """Open the verdicts of a folder for writing; use it in a `with` block.

    Raises:
        InputError: Another process judges into the folder.
        RunNotWritten: The folder cannot be written.
    """
    busy = f"another process judges into {folder}: wait until it ends, or give another --out"
    lock = lock_ledger(folder / LOCK, busy=busy)
    try:
        return KeyedLedger(folder / VERDICTS, VerdictRow, lock)
    except BaseException:
        lock.release()
        raise


def read_verdicts(folder: Path) -> tuple[VerdictRow, ...]:
    """Read the verdicts of a folder without a lock, those that failed left out."""
    rows = read_keyed(folder / VERDICTS, VerdictRow)
    return tuple(row for row in rows.values() if row.verdict is not None)
