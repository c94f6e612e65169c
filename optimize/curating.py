"""Curate a file of questions: threads, budget, outages, forecast, resumable (QKG A.1).

`ledger.jsonl` has one row a question. Its key holds the question and everything that changes the
result, so a changed model, graph or vocabulary is curated anew and a changed cut costs nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from optimize.attempts import attempt
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
from optimize.progress import Progress
from optimize.row_files import replace_file
from optimize.rows import digest
from programs.curate import Curate
from programs.curation import Curation
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
        progress: Told of every question.
        abandon: Called by a second Ctrl-C.

    Raises:
        InputError: Another process curates into the folder.
        RunNotWritten: The disk is full; rows so far are kept.
    """
    begun = time.monotonic()

    def work(task: CurationTask) -> CurationRow:
        found, booked = attempt(lambda: program(task.question), meter=meter)
        return CurationRow(key=task.key, question=task.question.id, curation=found, **booked)

    with open_curation(folder) as ledger:
        filled = fill(
            ledger,
            work,
            [CurationTask(question, digest(dict(setup))) for question in questions],
            words=WORDS,
            meter=meter,
            threads=threads,
            progress=progress,
            abandon=abandon,
        )
        found = {row.question: row.curation for row in filled.rows if row.curation is not None}
        choice = choose(questions, found, top=top)
        write_set(folder, choice)
        summary = _summary(questions, found, choice).model_copy(
            update={
                "reused": filled.reused,
                "failures": filled.failures,
                "stopped": filled.stopped,
                "seconds": round(time.monotonic() - begun, 1),
                "spent": meter.usage(),
            }
        )
        replace_file(folder / SUMMARY, summary.model_dump_json(indent=2) + "\n")
    return summary


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
