"""Rows of vectors on disk, filled as they are needed.

A `VectorRows` is two memory-mapped files: the rows, and one byte per row that says "filled". Files
are sparse, so an empty table of millions of rows takes no room. Two processes may fill one table
at once without a lock: a row's bytes depend on its text alone, so both write the same, and the flag
is set only after the row stands. A row of zeros, left by a power cut, reads as not filled.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Precision = Literal["float32", "float16"]
"""float32 where a whole table is multiplied (numpy widens halves slowly), float16 for look-ups."""

PROBED = 16
"""First numbers of a row that tell whether it was written."""

Ints = npt.NDArray[np.integer[Any]]
Vectors = npt.NDArray[np.float32]


class VectorRows:
    """A table of `rows` vectors of length `dimension` at `folder`/`name`."""

    def __init__(
        self, folder: Path, name: str, *, rows: int, dimension: int, precision: Precision
    ) -> None:
        """Open the table, or make an empty one; in memory only when the folder is read-only."""
        self.rows = rows
        shape = (rows, dimension)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._vectors = _mapped(folder / f"{name}.{precision}", shape, np.dtype(precision))
            self._filled = _mapped(folder / f"{name}.filled", (rows,), np.dtype(np.uint8))
        except OSError as error:
            warnings.warn(f"vectors are not kept: {folder}: {error.strerror}", stacklevel=2)
            self._vectors = np.zeros(shape, precision)
            self._filled = np.zeros(rows, np.uint8)

    @property
    def filled(self) -> int:
        """Number of filled rows."""
        return int(np.count_nonzero(self._filled))

    @property
    def complete(self) -> bool:
        """Say whether every row is filled."""
        return self.filled == self.rows

    def missing(self, rows: Ints) -> Ints:
        """Return those of `rows` that are not filled, each once, ascending."""
        wanted = np.unique(rows)
        flagged = self._filled[wanted] != 0
        empty = ~self._vectors[wanted[flagged], :PROBED].any(axis=1)
        lost: Ints = np.sort(np.concatenate([wanted[~flagged], wanted[flagged][empty]]))
        return lost

    def fill(self, rows: Ints, vectors: npt.ArrayLike) -> None:
        """Write vectors, shape (len(rows), dimension), and flag their rows."""
        self._vectors[rows] = vectors
        self._filled[rows] = 1

    def get(self, rows: Ints) -> Vectors:
        """Return the vectors of filled rows, shape (len(rows), dimension), float32."""
        return np.asarray(self._vectors[rows], dtype=np.float32)

    def flush(self) -> None:
        """Ask the system to write the rows out, then the flags."""
        for array in (self._vectors, self._filled):
            if isinstance(array, np.memmap):
                array.flush()


def _mapped(
    file: Path, shape: tuple[int, ...], dtype: np.dtype[np.generic]
) -> npt.NDArray[np.generic]:
    size = int(np.prod(shape)) * dtype.itemsize
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if os.fstat(descriptor).st_size != size:
            os.ftruncate(descriptor, size)
    finally:
        os.close(descriptor)
    if size == 0:
        return np.zeros(shape, dtype)
    return np.memmap(file, dtype=dtype, mode="r+", shape=shape)
