"""Annotate triplets with ConstraintItems: threads, budget, outages, forecast, resumable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from data.labels import read_labels
from optimize.annotation_ledger import AnnotationTask, Ledger, LedgerRow
from optimize.attempts import attempt
from optimize.ledger_work import Filled, Words, fill
from optimize.meter import Meter
from optimize.progress import Progress
from programs.annotate import RELATIONS, Annotate
from retrievers.graph import GraphStore
from signatures.errors import InputError
from signatures.schema import Record, Usage

WORDS = Words("triplets", "annotated")


class Tasks(NamedTuple):
    """What is to be annotated."""

    tasks: tuple[AnnotationTask, ...]
    unmatched: int
    """Rows of the label file whose drug and disease no edge of the graph joins."""


class AnnotationSummary(Record):
    """What an annotation came to."""

    tasks: int
    annotated: int
    """Tasks with an annotation, those of earlier calls included."""
    reused: int
    """Of these, annotated before this call."""
    unmatched: int
    items: int
    triplets: int
    """Triplets with at least one item."""
    unquoted: int
    """Items dropped because the label does not hold their evidence."""
    inverted: int
    """Items dropped because they deny a contraindication with words that state it."""
    repeated: int
    cut: int
    """Labels longer than a prompt holds."""
    failures: tuple[str, ...]
    """Triplet and reason of every task without an annotation that was tried."""
    stopped: str | None
    """Why the call ended early."""
    spent: Usage

    @property
    def incomplete(self) -> bool:
        """True when a task has no annotation."""
        return self.annotated < self.tasks


def tasks_from_graph(
    graph: GraphStore, *, relations: Sequence[str] = RELATIONS, limit: int | None = None
) -> Tasks:
    """Take every triplet of the relations, in the order of the store, without a label.

    Raises:
        InputError: A relation is none of the annotated four.
    """
    codes = {code for code, name in enumerate(graph.relations) if name in _checked(relations)}
    edges = range(graph.edge_count)
    found = graph.endpoints(edges).relation
    chosen = [edge for edge in edges if int(found[edge]) in codes][:limit]
    return Tasks(tuple(AnnotationTask(graph.triplet(edge)) for edge in chosen), 0)


def tasks_from_labels(
    graph: GraphStore,
    labels: Path,
    *,
    relations: Sequence[str] = RELATIONS,
    limit: int | None = None,
) -> Tasks:
    """Take the triplets that join drug and disease of each label row, with the row's text.

    Raises:
        InputError: The file cannot be read, or a relation is none of the annotated four.
    """
    wanted, unmatched = _checked(relations), 0
    tasks: dict[str, AnnotationTask] = {}
    for row in read_labels(labels):
        drugs = [n for n in graph.find_all(row.drug_id) if n.type == "drug"]
        ends = [n for n in graph.find_all(row.y_id) if n.type == (row.y_type or n.type)]
        edges = [e for d in drugs for y in ends for e in graph.between(d.index, y.index)]
        triplets = [t for t in map(graph.triplet, map(int, edges)) if t.relation in wanted]
        unmatched += not triplets
        for triplet in triplets:
            task = AnnotationTask(triplet, row.text)
            tasks.setdefault(task.key, task)
        if limit is not None and len(tasks) >= limit:
            break
    return Tasks(tuple(tasks.values())[:limit], unmatched)


def annotate(
    program: Annotate,
    ledger: Ledger,
    todo: Tasks,
    *,
    meter: Meter,
    threads: int = 1,
    progress: Progress | None = None,
    abandon: Callable[[], None] | None = None,
) -> AnnotationSummary:
    """Annotate every task without an annotation, and write the release file.

    The models are those of the caller's `dspy.context`. Ctrl-C lets the tasks at hand finish; a
    second one calls `abandon`.

    Raises:
        RunNotWritten: The disk is full; rows so far are kept.
    """

    def work(task: AnnotationTask) -> LedgerRow:
        found, booked = attempt(lambda: program(task.triplet, task.label), meter=meter)
        return LedgerRow(
            key=task.key,
            fingerprint=ledger.card.fingerprint,
            triplet=task.triplet.id,
            **(found._asdict() if found is not None else {}),
            **booked,
        )

    try:
        filled = fill(
            ledger,
            work,
            todo.tasks,
            words=WORDS,
            meter=meter,
            threads=threads,
            progress=progress,
            abandon=abandon,
        )
    finally:
        written = ledger.write_release(todo.tasks)
    return _summary(filled, unmatched=todo.unmatched, written=written, spent=meter.usage())


def _checked(relations: Iterable[str]) -> frozenset[str]:
    wanted = frozenset(relations)
    unknown = sorted(wanted - set(RELATIONS))
    if unknown:
        raise InputError(
            f"relation {unknown[0]!r} is not annotated; use one of {', '.join(RELATIONS)}"
        )
    return wanted


def _summary(
    filled: Filled[LedgerRow], *, unmatched: int, written: int, spent: Usage
) -> AnnotationSummary:
    done = [row for row in filled.rows if row.failure is None]
    failures = sorted(f"{row.triplet}: {row.failure}" for row in filled.rows if row.failure)
    return AnnotationSummary(
        tasks=filled.tasks,
        annotated=len(done),
        reused=filled.reused,
        unmatched=unmatched,
        items=sum(len(row.items) for row in done),
        triplets=written,
        unquoted=sum(row.unquoted for row in done),
        inverted=sum(row.inverted for row in done),
        repeated=sum(row.repeated for row in done),
        cut=sum(row.cut for row in done),
        failures=tuple(failures),
        stopped=filled.stopped,
        spent=spent,
    )
