"""Writing a store so that a killed build leaves no half store behind.

Files are written and synced in a folder beside the store, which takes the store's name only when it
is complete. An older store at that name stays until then.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from retrievers.manifest import MANIFEST
from retrievers.swap import exchange
from signatures.errors import InputError


@contextmanager
def store_at(out: Path) -> Iterator[Path]:
    """Give an empty folder that becomes the store at `out` when the block ends without an error.

    Raises:
        InputError: `out` holds something that is no store, or cannot be written.
    """
    out = out.resolve()  # a link to a store stays a link
    _check_target(out)
    partial = out.with_name(f"{out.name}.partial-{os.getpid()}")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        yield partial
        _sync(partial)
        _replace(out, partial)
    except OSError as error:
        raise InputError(f"cannot write the store {out}: {error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def leftovers(out: Path) -> tuple[Path, ...]:
    """Return what killed builds of the store at `out` left beside it."""
    out = out.resolve()
    found = (*out.parent.glob(f"{out.name}.partial-*"), *out.parent.glob(f"{out.name}.old-*"))
    own = f"-{os.getpid()}"
    return tuple(sorted(path for path in found if not path.name.endswith(own)))


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_array(folder: Path, name: str, array: npt.NDArray[Any]) -> None:
    """Write one array as `name.npy` and sync it."""
    with (folder / f"{name}.npy").open("wb") as file:
        np.save(file, array, allow_pickle=False)
        _flush(file)


def write_table(folder: Path, name: str, columns: Mapping[str, pa.Array]) -> None:
    """Write equally long columns as `name.arrow`, one record batch, and sync it."""
    batch = pa.RecordBatch.from_pydict(dict(columns))
    with (folder / f"{name}.arrow").open("wb") as file:
        with pa.ipc.new_file(file, batch.schema) as writer:
            writer.write_batch(batch)
        _flush(file)


def write_bytes(folder: Path, name: str, content: bytes) -> None:
    """Write a file and sync it."""
    with (folder / name).open("wb") as file:
        file.write(content)
        _flush(file)


def _check_target(out: Path) -> None:
    if out.is_dir() and not (out / MANIFEST).is_file() and any(out.iterdir()):
        raise InputError(f"{out} is a folder but no graph store; name another place for the store")
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; a graph store is a folder: name another place")


def _replace(out: Path, partial: Path) -> None:
    """Give the finished folder the store's name; readers see the old store or the new one.

    Where the file system cannot exchange two folders, a kill between two renames leaves the old
    store as `NAME.old-PID`; the next build names it.
    """
    if not out.exists():
        partial.rename(out)
    elif not exchange(out, partial):
        _replace_in_two_steps(out, partial)
    _sync(out.parent)


def _replace_in_two_steps(out: Path, partial: Path) -> None:
    old = out.with_name(f"{out.name}.old-{os.getpid()}")
    out.rename(old)
    try:
        partial.rename(out)
    except OSError:
        old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _flush(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
