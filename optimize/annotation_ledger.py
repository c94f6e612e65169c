"""The ledger of an annotation: one line per triplet and label, on disk before the next one.

    ledger.jsonl        one row per task, appended and never changed
    card.json           what the rows were made with
    constraints.jsonl   the items in the shape of the QKG release, written anew at every end

Rows of another model, prompt or graph are never mixed in. A task that failed is tried again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from filelock import FileLock
from pydantic import ValidationError

from optimize.keyed_ledger import KeyedLedger, KeyedRow, lock_ledger
from optimize.row_files import replace_file
from optimize.rows import digest
from signatures.errors import InputError
from signatures.schema import ConstraintItem, Node, Record, Triplet

LEDGER, CARD, RELEASE, LOCK = "ledger.jsonl", "card.json", "constraints.jsonl", ".lock"


class AnnotationTask(NamedTuple):
    """A triplet to annotate, from a passage of a label or from the model's own knowledge."""

    triplet: Triplet
    label: str = ""

    @property
    def key(self) -> str:
        """Name of the row: changes with the fact, its nodes and the label."""
        t = self.triplet
        return digest([t.text, t.head.id, t.relation, t.display_relation, t.tail.id, self.label])


class LedgerCard(Record):
    """Everything but the task that changes its items."""

    model: str
    sampling: dict[str, float | int | str | bool | None]
    prompts: str
    graph: str
    version: str

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change with any field."""
        return digest(self.model_dump(mode="json"))


class LedgerRow(KeyedRow):
    """What became of one task."""

    fingerprint: str
    triplet: str
    """Id of the triplet in the store of the card."""
    items: tuple[ConstraintItem, ...] = ()
    unquoted: int = 0
    """Items dropped because the label does not hold their evidence."""
    inverted: int = 0
    """Items dropped because they deny a contraindication with words that state it."""
    repeated: int = 0
    cut: bool = False
    """The label was longer than the prompt holds."""

    @property
    def subject(self) -> str:
        """The triplet, for messages."""
        return f"triplet {self.triplet}"


class Ledger(KeyedLedger[LedgerRow]):
    """A ledger that is being written, by this process alone."""

    def __init__(self, folder: Path, card: LedgerCard, lock: FileLock) -> None:
        self.folder, self.card = folder, card
        super().__init__(
            folder / LEDGER,
            LedgerRow,
            lock,
            counts=lambda row: row.fingerprint == card.fingerprint,
        )

    @classmethod
    def open(cls, folder: Path, card: LedgerCard) -> Self:
        """Begin a ledger in `folder`, or go on with the one there.

        Raises:
            InputError: Another process writes it, or it was made with something else.
            RunNotWritten: The folder cannot be written.
        """
        busy = f"another process annotates into {folder}: wait until it ends, or give another --out"
        lock = lock_ledger(folder / LOCK, busy=busy)
        try:
            _check(folder, card)
            replace_file(folder / CARD, card.model_dump_json(indent=2) + "\n")
            return cls(folder, card, lock)
        except BaseException:
            lock.release()
            raise

    def write_release(self, tasks: Sequence[AnnotationTask]) -> int:
        """Write the items of these tasks in the release's shape; return the number of triplets."""
        lines = list(release_lines(tasks, self.rows))
        replace_file(self.folder / RELEASE, "".join(line + "\n" for line in lines))
        return len(lines)


def release_lines(tasks: Iterable[AnnotationTask], rows: Mapping[str, LedgerRow]) -> Iterator[str]:
    """Yield one line of JSON per annotated triplet, as `data.primekg.read_constraints` reads it.

    Passages of several labels about one triplet are joined; an item stands once.
    """
    triplets: dict[str, Triplet] = {}
    items: dict[str, dict[ConstraintItem, None]] = {}
    for task in tasks:
        row = rows.get(task.key)
        if row is not None and row.items:
            triplets[task.triplet.id] = task.triplet
            items.setdefault(task.triplet.id, {}).update(dict.fromkeys(row.items))
    for name, triplet in triplets.items():
        yield json.dumps(
            {
                "triplet": {
                    "x": _end(triplet.head),
                    "y": _end(triplet.tail),
                    "relation": triplet.relation,
                    "display_relation": triplet.display_relation,
                },
                "relation_constraints": [
                    item.model_dump(mode="json", exclude_none=True) for item in items[name]
                ],
            },
            ensure_ascii=False,
        )


def _end(node: Node) -> dict[str, object]:
    return node.model_dump(mode="json")


def _check(folder: Path, card: LedgerCard) -> None:
    path = folder / CARD
    if not path.is_file():
        return
    try:
        before = LedgerCard.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no card of an annotation; give another --out") from error
    old, new = before.model_dump(), card.model_dump()
    changed = [name for name in new if old.get(name) != new[name]]
    if changed:
        raise InputError(
            f"the annotation in {folder} was made with another {' and '.join(changed)}; rows are "
            "not mixed: give another --out, or go back to what it was made with"
        )
