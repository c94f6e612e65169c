"""Tables of text, sorted on disk: found by binary search, opened without being read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pyarrow as pa

from retrievers.store_files import write_table
from signatures.errors import InputError

_AT_ONCE = 100_000
"""Rows turned into Arrow at once, so that Python's own copies stay small."""
COUNT = "count"


class SortedTable:
    """Rows of text columns, sorted by the first one, each row once with how often it was given."""

    def __init__(self, folder: Path, name: str) -> None:
        """Map the table `name` of `folder`.

        Raises:
            InputError: It is missing or damaged; the message says what to delete.
        """
        try:
            with pa.memory_map(str(folder / f"{name}.arrow")) as source:
                batch = pa.ipc.open_file(source).get_batch(0)
        except (OSError, pa.ArrowInvalid) as error:
            raise InputError(
                f"{folder / name}.arrow is damaged: delete {folder} and give the same command again"
            ) from error
        self._columns = [batch.column(column) for column in batch.schema.names]
        self.rows: int = batch.num_rows

    def find(self, key: str) -> Iterator[tuple[int, str, int]]:
        """Yield number, second cell and count of the rows of a key, in order."""
        first = self._columns[0]
        row = bisect_left(range(self.rows), key, key=lambda i: str(first[i].as_py()))
        while row < self.rows and first[row].as_py() == key:
            yield row, str(self._columns[1][row].as_py()), int(self._columns[-1][row].as_py())
            row += 1

    def cell(self, row: int, column: int) -> str:
        """Return the text at a row and column."""
        return str(self._columns[column][row].as_py())

    def column(self, column: int, *, start: int, stop: int) -> list[str]:
        """Return the texts of a stretch of a column."""
        cells: list[str] = self._columns[column].slice(start, stop - start).to_pylist()
        return cells


def write_sorted(
    folder: Path, name: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]
) -> None:
    """Write rows as the table `name` of `folder`, distinct and sorted by all columns."""
    batches, left = [], iter(rows)
    while chunk := list(islice(left, _AT_ONCE)):
        arrays = [pa.array(cells, pa.string()) for cells in zip(*chunk, strict=True)]
        batches.append(pa.RecordBatch.from_arrays(arrays, names=list(columns)))
    schema = pa.schema([(column, pa.string()) for column in columns])
    table = pa.Table.from_batches(batches, schema=schema)
    counted = table.group_by(list(columns)).aggregate([([], "count_all")])
    ordered = counted.sort_by([(column, "ascending") for column in columns]).combine_chunks()
    found = {column: _whole(ordered.column(column), pa.string()) for column in columns} | {
        COUNT: _whole(ordered.column("count_all"), pa.int64())
    }
    write_table(folder, name, found)


def _whole(column: pa.ChunkedArray, kind: pa.DataType) -> pa.Array:
    """Return a column as one array; an empty table has none."""
    return column.chunk(0) if column.num_chunks else pa.array([], kind)
