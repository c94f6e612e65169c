"""Reader for results in the shape of the QKG release: per-sample CSV, per-case CSV, run logs.

    sample_key, gold_answer, reasoner_answer, final_answer, …    one row per question
    run_label, sample_key, …, regex_label, final_label, …        one row per labelled revision
    one JSON object a line with `validation_report`              a validator run's log

The release's own numbers stay apart from what we recompute: nothing here corrects a value.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

from signatures.errors import InputError
from signatures.schema import LeakageLabel, Record

_SAMPLE = frozenset({"sample_key", "gold_answer", "final_answer"})
_CASE = frozenset({"sample_key", "reasoner_answer", "final_answer", "gold_answer"})
_LABELS = ("final_label", "regex_label", "case_label")


class ReleasedRow(Record):
    """One question of one run."""

    key: str
    gold: str
    first: str | None
    """The reasoner's answer; `None` when the file does not give it."""
    final: str
    first_right: bool | None
    """As the file says, not recomputed."""
    final_right: bool | None
    report: tuple[Any, ...] = ()
    """The validation report, in a log only."""
    line: int
    """Line of the file, from 1."""


class ReleasedCase(Record):
    """One revision as the release labels it."""

    run: str
    key: str
    original: str
    final: str
    gold: str
    rule_label: LeakageLabel
    context_driven: bool
    model_label: LeakageLabel | None
    justification: str
    label: LeakageLabel
    """The final label."""


class ReleasedRows(NamedTuple):
    """Rows of one file, each question once."""

    rows: tuple[ReleasedRow, ...]
    repeated: int
    """Rows replaced by a later valid row of the same question, or empty beside one."""
    unreadable: int
    """Torn lines of a log."""


def read_rows(path: Path) -> ReleasedRows:
    """Read a per-sample CSV or a run log; of several rows of a question the last valid one counts.

    Raises:
        InputError: the file has other columns; the message names the file and line.
    """
    if path.suffix == ".csv":
        return _unique(list(_csv_rows(path)), unreadable=0)
    objects, unreadable = _json_lines(path)
    return _unique([_row(path, line, found) for line, found in objects], unreadable=unreadable)


def read_cases(path: Path) -> tuple[ReleasedCase, ...]:
    """Read a per-case CSV of labelled revisions.

    Raises:
        InputError: the file has other columns or an unknown label; the message names the line.
    """
    return tuple(_case(path, line, row) for line, row in _csv(path, _CASE))


def is_case_file(path: Path) -> bool:
    """Tell whether a CSV's header is that of labelled revisions."""
    names = set(_header(path))
    return names >= _CASE and not names.isdisjoint(_LABELS)


def is_row_file(path: Path) -> bool:
    """Tell whether a CSV's header is that of per-sample results."""
    return set(_header(path)) >= _SAMPLE and not is_case_file(path)


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return next(csv.reader(lines), [])


def _csv(path: Path, wanted: frozenset[str]) -> Iterator[tuple[int, dict[str, str]]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        missing = sorted(wanted - set(reader.fieldnames or ()))
        if missing:
            raise InputError(
                f"{path}: wanted the columns {', '.join(sorted(wanted))}; {missing[0]} is missing"
            )
        for row in reader:
            yield reader.line_num, {k: v or "" for k, v in row.items() if k is not None}


def _csv_rows(path: Path) -> Iterator[ReleasedRow]:
    for line, row in _csv(path, _SAMPLE):
        yield _row(path, line, row)


def _json_lines(path: Path) -> tuple[list[tuple[int, dict[str, Any]]], int]:
    objects, torn = [], 0
    with path.open(encoding="utf-8-sig") as lines:
        for number, text in enumerate(lines, start=1):
            if not text.strip():
                continue
            found = _json_object(text)
            if found is None:
                torn += 1
            else:
                objects.append((number, found))
    return objects, torn


def _json_object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _row(path: Path, line: int, row: Mapping[str, Any]) -> ReleasedRow:
    key = row.get("sample_key")
    if not isinstance(key, str) or not key:
        raise InputError(f"{path}:{line}: wanted a sample_key, got {key!r}")
    report = row.get("validation_report")
    return ReleasedRow(
        key=key,
        gold=_letter(row.get("gold_answer")),
        first=_letter(row.get("reasoner_answer")) or None,
        final=_letter(row.get("final_answer")),
        first_right=_flag(row.get("reasoner_correct")),
        final_right=_flag(row.get("final_correct")),
        report=tuple(report) if isinstance(report, list) else (),
        line=line,
    )


def _letter(value: object) -> str:
    return value.strip().upper() if isinstance(value, str) else ""


def _flag(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"1": True, "true": True, "0": False, "false": False}.get(str(value).strip().lower())


def _unique(rows: list[ReleasedRow], *, unreadable: int) -> ReleasedRows:
    kept: dict[str, ReleasedRow] = {}
    for row in rows:
        if row.key not in kept or row.final:
            kept[row.key] = row
    return ReleasedRows(tuple(kept.values()), len(rows) - len(kept), unreadable)


def _case(path: Path, line: int, row: Mapping[str, str]) -> ReleasedCase:
    rule = row.get("regex_label") or row.get("case_label") or row.get("final_label", "")
    model = row.get("llm_label", "")
    return ReleasedCase(
        run=row.get("run_label", ""),
        key=row["sample_key"],
        original=_letter(row["reasoner_answer"]),
        final=_letter(row["final_answer"]),
        gold=_letter(row["gold_answer"]),
        rule_label=_label(path, line, rule),
        context_driven=bool(_flag(row.get("of_which_context_driven"))),
        model_label=_label(path, line, model) if model else None,
        justification=row.get("llm_reasoning", ""),
        label=_label(path, line, row.get("final_label") or rule),
    )


def _label(path: Path, line: int, text: str) -> LeakageLabel:
    labels: dict[str, LeakageLabel] = {label: label for label in get_args(LeakageLabel)}
    found = labels.get(text.strip().upper())
    if found is None:
        raise InputError(f"{path}:{line}: wanted one of {', '.join(labels)}; got {text!r}")
    return found
