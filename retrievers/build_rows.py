"""Reading a graph file into numbers: every distinct cell once, rows as codes.

Eight million rows hold some hundred thousand distinct nodes, so names and ids are parsed once per
distinct spelling and the rows themselves are four small integers each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from data.primekg import Block, read_rows

Int32s = npt.NDArray[np.int32]

_END = ("index", "id", "type", "source", "name")
_SEPARATOR = "\x1f"  # ASCII unit separator


class Spelling(NamedTuple):
    """One way in which the file writes a node; five cells as they stand."""

    file_index: str
    id: str
    type: str
    source: str
    name: str


class _Taken(NamedTuple):
    """A block whose columns are being encoded: x, y, relation, display relation."""

    first_row: int
    columns: tuple[Future[pa.DictionaryArray], ...]


class Codes:
    """Numbers distinct texts in order of appearance and remembers the first row of each."""

    def __init__(self) -> None:
        """Start without texts."""
        self.texts: list[str] = []
        self.first_rows: list[int] = []
        self._codes: dict[str, int] = {}

    def encode(self, encoded: pa.DictionaryArray, first_row: int) -> Int32s:
        """Return the code of each text of a column, shape (n,), numbering new ones."""
        local = encoded.indices.to_numpy(zero_copy_only=False)
        texts = encoded.dictionary.to_pylist()
        known = self._codes
        codes = np.array([known.get(text, -1) for text in texts], dtype=np.int32)
        new = np.flatnonzero(codes < 0).tolist()
        if new:
            firsts = np.zeros(len(texts), dtype=np.int64)
            firsts[local[::-1]] = np.arange(len(local))[::-1]
            for position in new:
                codes[position] = self._add(texts[position], first_row + int(firsts[position]))
        translated: Int32s = codes[local]
        return translated

    def _add(self, text: str, row: int) -> int:
        code = len(self.texts)
        self._codes[text] = code
        self.texts.append(text)
        self.first_rows.append(row)
        return code


class GraphRows(NamedTuple):
    """A graph file as codes; the four arrays have shape (rows,)."""

    x: Int32s
    y: Int32s
    relation: Int32s
    display: Int32s
    spellings: Codes
    relations: Codes
    displays: Codes

    def spelling(self, code: int) -> Spelling:
        """Return the cells of one spelling."""
        return Spelling(*self.spellings.texts[code].split(_SEPARATOR, len(_END) - 1))

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many row ends carry each spelling."""
        size = len(self.spellings.texts)
        return np.bincount(self.x, minlength=size) + np.bincount(self.y, minlength=size)


def read_graph(path: Path, *, advance: Callable[[int, int], None] | None = None) -> GraphRows:
    """Read a PrimeKG CSV into codes.

    Raises:
        GraphFileError: as `data.primekg.read_rows`.
    """
    spellings, relations, displays = Codes(), Codes(), Codes()
    columns: list[tuple[Int32s, ...]] = []
    # The next block is read and taken apart while this one is numbered.
    with ThreadPoolExecutor(2) as workers, closing(read_rows(path, advance=advance)) as blocks:
        for first_row, parts in _ahead(workers, blocks):
            x, y, relation, display = (part.result() for part in parts)
            columns.append(
                (
                    spellings.encode(x, first_row),
                    spellings.encode(y, first_row),
                    relations.encode(relation, first_row),
                    displays.encode(display, first_row),
                )
            )
    x, y, relation, display = (np.concatenate(blocks) for blocks in zip(*columns, strict=True))
    return GraphRows(x, y, relation, display, spellings, relations, displays)


def _ahead(workers: ThreadPoolExecutor, blocks: Iterable[Block]) -> Iterator[_Taken]:
    """Yield each block's four columns, the work on the following block already begun."""
    before: _Taken | None = None
    for first_row, rows in blocks:
        taken = _Taken(
            first_row,
            (
                workers.submit(_joined, rows, "x"),
                workers.submit(_joined, rows, "y"),
                workers.submit(_trimmed, rows, "relation"),
                workers.submit(_trimmed, rows, "display_relation"),
            ),
        )
        if before is not None:
            yield before
        before = taken
    if before is not None:
        yield before


def _joined(rows: pa.RecordBatch, end: str) -> pa.DictionaryArray:
    cells = (rows[f"{end}_{field}"] for field in _END)
    return pc.binary_join_element_wise(*cells, _SEPARATOR).dictionary_encode()


def _trimmed(rows: pa.RecordBatch, column: str) -> pa.DictionaryArray:
    return pc.utf8_trim_whitespace(rows[column]).dictionary_encode()
