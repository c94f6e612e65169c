"""The entries of a question file, one mapping each: JSON lines, JSON, CSV or Parquet.

[{…}, {…}]                        a list
{"medqa": {"0001": {…}}}          sections that hold entries by key (MIRAGE)
{"medqa": [{…}]}                  sections that hold lists (HuatuoGPT-o1)
{"12377809": {…}}                 entries by key (PubMedQA)
{"question": {"0": "…"}, …}       columns (a data frame saved as JSON)
question,A,B,C,D,letter           a CSV file without header (MMLU)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from data.question_tables import Broken, Entry, csv_entries
from signatures.errors import QuestionFileError

__all__ = ["Entry", "read_entries"]


def read_entries(path: Path, *, broken: Broken | None = None) -> Iterator[Entry]:
    """Read the entries of a file; its form is told by its ending and its first character.

    Args:
        path: The file.
        broken: Gets an error for each line that cannot be read; `None`: the first is raised.

    Raises:
        QuestionFileError: The file cannot be read; the message names the file and the line.
    """
    if path.suffix == ".parquet":
        return _parquet_entries(path)
    text = _text(path)
    if path.suffix == ".jsonl" and _is_lines(text):
        return _jsonl_entries(path, text, broken)
    first = text.lstrip()[:1]
    if first == "[":
        return _items(path, _parse(path, text), section="")
    return _object_entries(path, text, broken) if first == "{" else csv_entries(path, text, broken)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise QuestionFileError(f"{path}: there is no such file; check the path") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise QuestionFileError(
            f"{path}, line {line}: the file is not UTF-8; save it so"
        ) from error
    except IsADirectoryError as error:
        raise QuestionFileError(f"{path} is a folder: give one of its files") from error
    except OSError as error:
        raise QuestionFileError(f"{path}: {error.strerror}") from error


def _parse(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise QuestionFileError(f"{path}, line {line}: not JSON: {error}") from error


def _object_entries(path: Path, text: str, broken: Broken | None) -> Iterator[Entry]:
    """Read a file that begins with an object: JSON lines, or one object that holds them all."""
    first, _, rest = text.strip().partition("\n")
    try:
        whole = json.loads(first)
    except ValueError:
        whole = _parse(path, text)
        rest = ""
    holds = bool(whole) and all(isinstance(part, Mapping | list) for part in whole.values())
    return _held_entries(path, whole) if holds and not rest else _jsonl_entries(path, text, broken)


def _is_lines(text: str) -> bool:
    """Tell whether a text that is not JSON as a whole holds an object on a line of its own."""
    return _loaded(text) is None and any(
        isinstance(_loaded(line), dict) for line in text.split("\n")
    )


def _loaded(text: str) -> Any:
    """Return what a JSON text holds; `None` when it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _held_entries(path: Path, whole: Mapping[str, Any]) -> Iterator[Entry]:
    if "question" in {name.lower() for name in whole}:
        yield from _columns(whole)
        return
    for name, part in whole.items():
        if isinstance(part, list):
            yield from _items(path, part, section=name)
        elif part and all(isinstance(value, Mapping) for value in part.values()):
            for key, item in part.items():
                yield Entry(f"{name} {key}", item, section=name, key=key)
        else:
            yield Entry(f"key {name}", part, key=name)


def _columns(whole: Mapping[str, Any]) -> Iterator[Entry]:
    """Turn columns into rows; a data frame writes each as a mapping of row name to value."""
    columns = {
        name: list(part.values() if isinstance(part, Mapping) else part)
        for name, part in whole.items()
    }
    for number, row in enumerate(zip(*columns.values(), strict=False), start=1):
        yield Entry(f"row {number}", dict(zip(columns, row, strict=True)))


def _items(path: Path, items: list[Any], *, section: str) -> Iterator[Entry]:
    for number, item in enumerate(items, start=1):
        place = f"{section} item {number}".strip()
        if not isinstance(item, dict):
            raise QuestionFileError(f"{path}, {place}: wanted an object, got {item!r:.40}")
        yield Entry(place, item, section=section)


def _jsonl_entries(path: Path, text: str, broken: Broken | None) -> Iterator[Entry]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield Entry(f"line {number}", _line_fields(path, number, line))
        except QuestionFileError as error:
            if broken is None:
                raise
            broken.append(error)


def _line_fields(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        item = json.loads(line)
    except ValueError as error:
        raise QuestionFileError(f"{path}, line {number}: not JSON: {error}") from error
    if not isinstance(item, dict):
        raise QuestionFileError(f"{path}, line {number}: wanted an object, got {item!r:.40}")
    fields: dict[str, Any] = item
    return fields


def _parquet_entries(path: Path) -> Iterator[Entry]:
    """Read a Parquet file, as data set hubs keep them; columns of picture bytes stay out."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(path)
        names = [field.name for field in schema if "binary" not in str(field.type)]
        rows = pq.read_table(path, columns=names).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise QuestionFileError(f"{path}: not a Parquet file: {error}") from error
    for number, row in enumerate(rows, start=1):
        yield Entry(f"row {number}", row)
