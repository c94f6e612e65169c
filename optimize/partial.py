"""A file that is still being fetched: it grows beside its place and moves there only when genuine.

Two files lie beside the target: `NAME.partial`, always a prefix of the wanted bytes, and, for a
download in parts, `NAME.parts` with the length after each finished part.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from data.models import ModelFile
from optimize.installed import file_sha256
from signatures.errors import DownloadError

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class PartialFile:
    """The growing file of one download. It can be left at any moment and taken up again."""

    def __init__(self, folder: Path, file: ModelFile) -> None:
        self.file = file
        self.target = folder / file.path
        self.path = self.target.with_name(self.target.name + ".partial")
        self.journal = self.target.with_name(self.target.name + ".parts")

    @property
    def length(self) -> int:
        """Bytes fetched so far."""
        return self.path.stat().st_size if self.path.is_file() else 0

    def finished_parts(self) -> int:
        """Cut off what was written after the last finished part, and return how many there are."""
        ends = self._ends()
        while ends and ends[-1] > self.length:
            ends.pop()
        self.cut(ends[-1] if ends else 0)
        return len(ends)

    def cut(self, length: int) -> None:
        """Keep the first `length` bytes."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as stream:
            stream.truncate(length)

    def append(self, blocks: Iterable[bytes]) -> Iterator[int]:
        """Append blocks and yield the length after each.

        Raises:
            DownloadError: More bytes came than the file has.
            OSError: They cannot be written.
        """
        self.target.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as stream:
            length = stream.tell()
            for block in blocks:
                length += len(block)
                if length > self.file.size:
                    raise DownloadError(
                        f"{self.target.name} should have {self.file.size} bytes, more came: "
                        "the source serves another file; try the other route"
                    )
                stream.write(block)
                yield length
            stream.flush()
            os.fsync(stream.fileno())

    def end_part(self) -> None:
        """Note that everything up to here is whole."""
        with self.journal.open("a", encoding="utf-8") as stream:
            stream.write(f"{self.length}\n")

    def accept(self) -> None:
        """Move the file to its place if it is the pinned one.

        Raises:
            DownloadError: The hash or the length is another; the bytes are deleted.
        """
        came = file_sha256(self.path)
        self.journal.unlink(missing_ok=True)
        if came != self.file.sha256:
            length = self.length
            self.path.unlink()
            raise DownloadError(
                f"{self.target.name} came with SHA-256 {came[:12]}… and {length} bytes, expected "
                f"{self.file.sha256[:12]}… and {self.file.size}: it was deleted; fetch again, or "
                "by the other route"
            )
        self.path.replace(self.target)

    def _ends(self) -> list[int]:
        if not self.journal.is_file():
            return []
        lines = self.journal.read_text(encoding="utf-8").splitlines()
        return [int(line) for line in lines if line.isdecimal()]


@contextmanager
def room_to_write(folder: Path, needed: int) -> Iterator[None]:
    """Turn a full disk into one line, before and during a download of `needed` bytes.

    Raises:
        DownloadError: There is not enough room in `folder`, or it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
        if free < needed:
            raise DownloadError(_no_room(folder, needed, free))
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DownloadError(_no_room(folder, needed, None)) from error
        raise DownloadError(f"{folder} cannot be written: {error.strerror or error}") from error


def _no_room(folder: Path, needed: int, free: int | None) -> str:
    there = "" if free is None else f", {free / 1e9:.2f} GB are free"
    return (
        f"the disk of {folder} is full: {needed / 1e9:.2f} GB are needed{there}; make room or set "
        "QKGRAM_HOME to another disk, then run the same command: what was fetched is kept"
    )
