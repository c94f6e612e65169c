"""Drug labels as evidence for ConstraintItems: one row per drug, disease and passage of a label."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from signatures.errors import InputError
from signatures.schema import Record

COLUMNS = ("drug_id", "y_id", "label_text")
"""Columns that a label file must have; `drug_name`, `y_type` and `y_name` are read if present."""


class LabelRow(Record):
    """A passage of a label about a drug and a disease."""

    line: int
    """Row in the file, from 2; the header is row 1."""
    drug_id: str
    y_id: str
    y_type: str | None
    text: str


def read_labels(path: Path) -> Iterator[LabelRow]:
    """Yield the rows of a label file, CSV or CSV.gz.

    Raises:
        InputError: The file is missing, is no UTF-8 CSV or lacks a column.
    """
    if not path.is_file():
        raise InputError(f"there is no file {path}; wanted a CSV of drug labels")
    try:
        with _text(path) as lines:
            rows = csv.DictReader(lines)
            missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise InputError(f"{path} lacks the column {missing[0]!r} of {', '.join(COLUMNS)}")
            for row in rows:
                yield LabelRow(
                    line=rows.line_num,
                    drug_id=row["drug_id"].strip(),
                    y_id=row["y_id"].strip(),
                    y_type=row.get("y_type") or None,
                    text=row["label_text"].strip(),
                )
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot read {path}: {error}; it must be CSV in UTF-8") from error


def _text(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return io.TextIOWrapper(gzip.open(path, "rb"), encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")
