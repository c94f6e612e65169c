"""A saved run scored again, without a model and without a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import mean, stdev

from metrics.exact_match import Accuracy, accuracy, accuracy_by
from metrics.registry import measure_run
from optimize.formats import TextTable
from optimize.results import ResultRow, Results
from signatures.schema import Outcome, Record

_GROUPS: tuple[tuple[str, Callable[[ResultRow], str | None]], ...] = (
    ("source", lambda row: row.source),
    ("domain", lambda row: row.domain),
    ("mode", lambda row: row.mode),
)


class Change(Record):
    """A row whose outcome is not the one that was saved."""

    key: str
    place: str
    before: Outcome
    now: Outcome


class Rescored(Record):
    """A run's numbers under today's reader and its questions' gold."""

    name: str
    whole: Accuracy
    """Over the first repeat."""
    repeats: tuple[float, ...]
    """Accuracy of every repeat that was run, from 0 to 1."""
    groups: dict[str, dict[str, Accuracy]]
    """Per source, domain and mode; a value that no row has is left out."""
    measures: dict[str, float | None]
    """Every measure of one run, by name."""
    changes: tuple[Change, ...]
    notes: tuple[str, ...]


def rescore(results: Results) -> Rescored:
    """Score a run's rows and list what differs from what was saved."""
    once = results.once
    return Rescored(
        name=results.name,
        whole=accuracy(row.final for row in once),
        repeats=_per_repeat(results.rows),
        groups={name: _grouped(once, of) for name, of in _GROUPS},
        measures=measure_run([(row.first, row.final) for row in once]),
        changes=tuple(_changes(results.rows)),
        notes=results.notes,
    )


def accuracy_table(found: Iterable[Rescored]) -> TextTable:
    """One row per run and group: accuracy with interval and bounds, and what has no letter."""
    header = ("run", "group", "N", "right", "accuracy %", "95 % interval", "parsed only %", "rest")
    rows = [(r.name, group, *_cells(value)) for r in found for group, value in _lines(r)]
    return TextTable("Accuracy", header, tuple(rows))


def measure_table(found: Iterable[Rescored]) -> TextTable:
    """Every measure of every run, and mean ± SD over repeats where there are several."""
    rows = [
        (r.name, name, "—" if value is None else f"{value:.4f}")
        for r in found
        for name, value in r.measures.items()
    ]
    rows += [(r.name, "accuracy, repeats", _spread(r.repeats)) for r in found if len(r.repeats) > 1]
    return TextTable("Measures", ("run", "measure", "value"), tuple(rows))


def change_table(found: Iterable[Rescored]) -> TextTable:
    """Rows whose outcome differs from the saved one."""
    rows = [
        (
            r.name,
            c.key,
            _said(c.before),
            _said(c.now),
            c.place,
        )
        for r in found
        for c in r.changes
    ]
    return TextTable(
        "Outcomes that changed", ("run", "question", "saved", "now", "row"), tuple(rows)
    )


def _grouped(
    rows: Sequence[ResultRow], of: Callable[[ResultRow], str | None]
) -> dict[str, Accuracy]:
    return dict(accuracy_by((name, row.final) for row in rows if (name := of(row)) is not None))


def _per_repeat(rows: Iterable[ResultRow]) -> tuple[float, ...]:
    by_repeat = accuracy_by((f"{row.repeat:06d}", row.final) for row in rows)
    return tuple(a.value for a in by_repeat.values() if a.value is not None)


def _changes(rows: Iterable[ResultRow]) -> Iterable[Change]:
    for row in rows:
        if row.stored is not None and row.stored != row.final:
            yield Change(key=row.key, place=row.place, before=row.stored, now=row.final)


def _lines(found: Rescored) -> Iterable[tuple[str, Accuracy]]:
    yield "all", found.whole
    for group, parts in found.groups.items():
        yield from ((f"{group}: {name}", value) for name, value in parts.items())


def _cells(found: Accuracy) -> tuple[str, ...]:
    rest = [
        f"{n} {kind}"
        for kind, n in found.counts.items()
        if n and kind not in ("correct", "correct_abstention", "wrong")
    ]
    value = "—" if found.value is None else f"{100 * found.value:.2f}"
    parsed = "—" if found.parsed_only is None else f"{100 * found.parsed_only:.2f}"
    interval = f"{100 * found.interval.low:.2f} to {100 * found.interval.high:.2f}"
    return (str(found.counted), str(found.right), value, interval, parsed, ", ".join(rest))


def _said(outcome: Outcome) -> str:
    return f"{outcome.kind} {outcome.letter or ''}".strip()


def _spread(values: Sequence[float]) -> str:
    """Write mean ± SD of several repeats.

    >>> _spread([0.5, 0.7])
    '0.6000 ± 0.1414 (2 repeats)'
    """
    return f"{mean(values):.4f} ± {stdev(values):.4f} ({len(values)} repeats)"
