"""Memory-mapped arrays and tables: nothing is read before it is looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from retrievers.manifest import rebuild_hint
from signatures.errors import StoreMismatch


def map_array(store: Path, name: str, *, length: int) -> Any:
    """Map `name.npy` of a store read-only, as an array of shape (length,).

    Raises:
        StoreMismatch: the file is missing, damaged or of another length.
    """
    file = store / f"{name}.npy"
    try:
        # An empty file region cannot be mapped.
        array = np.asarray(np.load(file, mmap_mode="r" if length else None, allow_pickle=False))
    except (OSError, ValueError) as error:
        raise StoreMismatch(f"{file} is missing or damaged; {rebuild_hint(store)}") from error
    if array.shape != (length,):
        raise StoreMismatch(
            f"{file} has shape {array.shape} instead of ({length},); {rebuild_hint(store)}"
        )
    return array


def map_bytes(store: Path, name: str, *, length: int) -> Any:
    """Map a text file of a store read-only, as bytes of shape (length,).

    Raises:
        StoreMismatch: the file is missing, damaged or of another length.
    """
    file = store / name
    try:
        if file.stat().st_size != length:
            raise StoreMismatch(f"{file} does not hold {length} bytes; {rebuild_hint(store)}")
        # An empty file cannot be mapped.
        return np.asarray(np.memmap(file, mode="r")) if length else np.empty(0, np.uint8)
    except OSError as error:
        raise StoreMismatch(f"{file} is missing or damaged; {rebuild_hint(store)}") from error


def map_table(store: Path, name: str) -> pa.RecordBatch:
    """Map `name.arrow` of a store; it is one record batch, so rows are found without a search.

    Raises:
        StoreMismatch: the file is missing or damaged.
    """
    file = store / f"{name}.arrow"
    try:
        with pa.memory_map(str(file)) as source:
            return pa.ipc.open_file(source).get_batch(0)
    except (OSError, pa.ArrowInvalid) as error:
        raise StoreMismatch(f"{file} is missing or damaged; {rebuild_hint(store)}") from error
