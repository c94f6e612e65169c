"""Curate a file of questions: threads, budget, outages, forecast, resumable (QKG A.1).

`ledger.jsonl` has one row a question. Its key holds the question and everything that changes the
result, so a changed model, graph or vocabulary is curated anew and a changed cut costs nothing.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import JsonValue

from optimize.curated_set import (
    SUMMARY,
    Choice,
    CurationSummary,
    choose,
    count_patients,
    count_sources,
    write_set,
)
from optimize.keyed_ledger import KeyedLedger, KeyedRow, lock_ledger
from optimize.ledger_work import Words, fill
from optimize.meter import Meter
from optimize.outages import Patience, failure, reason, with_patience
from optimize.progress import Progress, Silence
from optimize.row_files import replace_file
from optimize.rows import digest
from programs.curate import Curate
from programs.curation import Curation
from signatures.errors import ModelCallError, ParseError
from signatures.schema import Question, Usage

LEDGER, LOCK = "ledger.jsonl", ".lock"
WORDS = Words("questions", "curated")


class CurationRow(KeyedRow):
    """What became of one question."""

    question: str
    """Its id."""
    curation: Curation | None = None
    """`None` when a model could not be reached or read; then `failure` says why."""

    @property
    def subject(self) -> str:
        """The question, for messages."""
        return f"question {self.question}"


class CurationTask(NamedTuple):
    """A question to curate, with the digest of everything else that changes the result."""

    question: Question
    setup: str

    @property
    def key(self) -> str:
        """Name of the row."""
        return digest([self.setup, self.question.model_dump(mode="json")])


def open_curation(folder: Path) -> KeyedLedger[CurationRow]:
    """Open the ledger of a folder for writing; use it in a `with` block.

    Raises:
        InputError: Another process curates into the folder.
        RunNotWritten: The folder cannot be written.
    """
    busy = f"another process curates into {folder}: wait until it ends, or give another --out"
    lock = lock_ledger(folder / LOCK, busy=busy)
    try:
        return KeyedLedger(folder / LEDGER, CurationRow, lock)
    except BaseException:
        lock.release()
        raise


def curate_questions(
    program: Curate,
    questions: Sequence[Question],
    folder: Path,
    *,
    setup: Mapping[str, JsonValue],
    meter: Meter,
    top: int | None = None,
    threads: int = 1,
    patience: Patience = Patience(),
    progress: Progress | None = None,
    abandon: Callable[[], None] | None = None,
) -> CurationSummary:
    """Curate every question without a result, and write the evaluation set.

    The models are those of the caller's `dspy.context`. Ctrl-C lets the questions at hand finish; a
    second one calls `abandon`. The set is written from what there is when the call ends early.

    Args:
        program: Curates one question.
        questions: With ids of their own.
        folder: Where ledger and set lie; the same one resumes.
        setup: Everything but the question that changes a result.
        meter: Counts the calls.
        top: How many questions to keep, those with the most paths; `None` keeps all.
        threads: Questions at a time.
        patience: How long an outage is waited for.
        progress: Told of every question.
        abandon: Called by a second Ctrl-C.

    Raises:
        InputError: Another process curates into the folder.
        RunNotWritten: The disk is full; rows so far are kept.
    """
    begun, show, stop = time.monotonic(), progress or Silence(), threading.Event()
    tasks = [CurationTask(question, digest(dict(setup))) for question in questions]

    def work(task: CurationTask) -> CurationRow:
        return curate_one(task, program, meter=meter, patience=patience, stop=stop)

    with open_curation(folder) as ledger:
        left = [task for task in tasks if not ledger.has(task.key)]
        show.begin(len(tasks), done=len(tasks) - len(left))
        stopped = fill(
            ledger,
            work,
            left,
            words=WORDS,
            meter=meter,
            stop=stop,
            threads=threads,
            patience=patience,
            progress=show,
            abandon=abandon,
        )
        rows = [ledger.rows[task.key] for task in tasks if task.key in ledger.rows]
        found = {row.question: row.curation for row in rows if row.curation is not None}
        choice = choose(questions, found, top=top)
        write_set(folder, choice)
        summary = _summary(questions, found, choice).model_copy(
            update={
                "reused": len(tasks) - len(left),
                "failures": tuple(f"{row.subject}: {row.failure}" for row in rows if row.failure),
                "stopped": stopped,
                "seconds": round(time.monotonic() - begun, 1),
                "spent": meter.usage(),
            }
        )
        replace_file(folder / SUMMARY, summary.model_dump_json(indent=2) + "\n")
    return summary


def curate_one(
    task: CurationTask,
    program: Curate,
    *,
    meter: Meter,
    patience: Patience,
    stop: threading.Event,
) -> CurationRow:
    """Curate one question: a function of the task alone, but for models and the meter.

    Raises:
        BudgetExceeded: The budget does not allow the next call.
        Exception: A bug of the program.
    """
    begun, found, failed = time.monotonic(), None, None
    with meter.tally() as tally:
        try:
            found = with_patience(lambda: program(task.question), patience, stop=stop)
        except (ParseError, AdapterParseError, ModelCallError, dspy.LMError) as error:
            if failure(error) is None:
                raise
            failed = reason(error)
    return CurationRow(
        key=task.key,
        question=task.question.id,
        curation=found,
        failure=failed,
        usage=tally.usage(),
        seconds=round(time.monotonic() - begun, 3),
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _summary(
    questions: Sequence[Question], found: Mapping[str, Curation], choice: Choice
) -> CurationSummary:
    entities = [entity for curation in found.values() for entity in curation.entities]
    return CurationSummary(
        questions=len(questions),
        curated=len(found),
        reused=0,
        sources=count_sources(questions, found, choice),
        reasons=dict(Counter(dropped.reason for dropped in choice.dropped).most_common()),
        entities=len(entities),
        grounded=dict(Counter(entity.grounding.method for entity in entities).most_common()),
        aligned=dict(Counter(entity.alignment.method for entity in entities).most_common()),
        paths=sum(len(kept.curation.paths) for _, kept in choice.kept),
        gold_joined=sum(kept.gold_joined for _, kept in choice.kept),
        unwritten=sum(curation.unwritten for curation in found.values()),
        patient=count_patients(choice),
        failures=(),
        stopped=None,
        seconds=0.0,
        spent=Usage(),
    )
