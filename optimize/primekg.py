"""PrimeKG's official files from Harvard Dataverse, with resume and checksum.

The server lists its files with their sizes and MD5 sums; a download that does not have them is
deleted, never used. Tables that Dataverse has reshaped are fetched as they were uploaded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
from filelock import FileLock
from pydantic import ValidationError

from data.models import ModelFile
from optimize.fetch_hub import TRIES, pull_rest
from optimize.partial import PartialFile, room_to_write
from signatures.errors import DownloadError, InputError
from signatures.schema import Record

SERVER = "https://dataverse.harvard.edu"
DATASET = "doi:10.7910/DVN/IXA7BM"
"""PrimeKG's dataset (Chandak et al. 2023, data availability)."""
GRAPH_FILE = "kg.csv"
"""The graph that `kg build` reads; 8,100,498 rows."""

Report = Callable[[int, int], None]
"""Called with the bytes that are here and the bytes of the whole file."""

_LIST = "/api/datasets/:persistentId/versions/:latest-published/files"
_FETCH = "/api/access/datafile/{number}"
_TIMEOUT = httpx.Timeout(60.0, connect=10.0)
_BLOCK = 1 << 20


class RemoteFile(Record):
    """A file of the dataset as the server describes it."""

    path: str
    """Its name as it was uploaded."""
    number: int
    """The server's id of the file."""
    size: int
    """Bytes."""
    md5: str
    reshaped: bool
    """True when the server keeps a table of its own beside the upload."""


def fetch_primekg(
    folder: Path,
    *,
    name: str = GRAPH_FILE,
    server: str = SERVER,
    progress: Report | None = None,
) -> Path:
    """Fetch one file of PrimeKG's dataset into a folder, unless it is there with its checksum.

    Args:
        folder: where it will lie; made when absent.
        name: `kg.csv`, `drug_features.csv`, `disease_features.csv` or another file of the dataset.
        server: address of the Dataverse.
        progress: told how far the download is.

    Returns:
        The path of the file.

    Raises:
        InputError: The dataset has no such file.
        DownloadError: The download failed; what was fetched is kept, and a second call resumes it.
    """
    report = progress or (lambda done, total: None)
    with httpx.Client(follow_redirects=True, timeout=_TIMEOUT) as client:
        file = _find(client, server, name)
        growing = _Growing(folder, file)
        if growing.is_here():
            return growing.target
        with room_to_write(folder, file.size - growing.length):
            with FileLock(folder / f".{file.path}.lock"):
                if not growing.is_here():
                    _fetch(client, server, growing, lambda done: report(done, file.size))
                    growing.accept()
            (folder / f".{file.path}.lock").unlink(missing_ok=True)
    return growing.target


class _Growing(PartialFile):
    """A `PartialFile` that is checked by MD5, the sum that Dataverse publishes."""

    def __init__(self, folder: Path, file: RemoteFile) -> None:
        # The growing file asks for a path and a size only; the sum is checked here.
        super().__init__(folder, cast(ModelFile, file))
        self.remote = file

    def is_here(self) -> bool:
        """Say whether the finished file is in its place."""
        there = self.target.is_file() and self.target.stat().st_size == self.remote.size
        return there and _md5(self.target) == self.remote.md5

    def accept(self) -> None:
        """Move the file to its place if it has the published checksum."""
        came, length = _md5(self.path), self.length
        if came != self.remote.md5:
            self.path.unlink()
            raise DownloadError(
                f"{self.target.name} came with MD5 {came} and {length} bytes, expected "
                f"{self.remote.md5} and {self.remote.size}: it was deleted; run the command again"
            )
        self.path.replace(self.target)


def _find(client: httpx.Client, server: str, name: str) -> RemoteFile:
    try:
        answer = client.get(server.rstrip("/") + _LIST, params={"persistentId": DATASET})
        answer.raise_for_status()
        files = [_described(entry["dataFile"]) for entry in answer.json()["data"]]
    except httpx.HTTPStatusError as error:
        raise DownloadError(_failed(server, f"answered {error.response.status_code}")) from error
    except httpx.TransportError as error:
        raise DownloadError(_failed(server, "cannot be reached")) from error
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise DownloadError(_failed(server, "sent no list of files")) from error
    found = next((file for file in files if file.path == name), None)
    if found is None:
        names = ", ".join(sorted(file.path for file in files))
        raise InputError(f"{DATASET} has no file {name!r}; it has {names}")
    return found


def _described(entry: dict[str, Any]) -> RemoteFile:
    reshaped = "originalFileName" in entry or "originalFileFormat" in entry
    checksum = entry.get("checksum") or {"type": "MD5", "value": entry["md5"]}
    if checksum["type"] != "MD5":
        raise ValueError(checksum["type"])
    return RemoteFile(
        path=Path(entry.get("originalFileName") or entry["filename"]).name,
        number=entry["id"],
        size=entry["originalFileSize"] if reshaped else entry["filesize"],
        md5=checksum["value"],
        reshaped=reshaped,
    )


def _fetch(
    client: httpx.Client, server: str, growing: _Growing, report: Callable[[int], None]
) -> None:
    file = growing.remote
    url = server.rstrip("/") + _FETCH.replace("{number}", str(file.number))
    url += "?format=original" if file.reshaped else ""
    for attempt in range(1, TRIES + 1):
        try:
            pull_rest(client, url, growing, report)
            break
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            raise DownloadError(_failed(server, f"answered {status} for {url}")) from error
        except httpx.TransportError as error:
            if attempt == TRIES:
                raise DownloadError(_failed(server, f"broke off {TRIES} times")) from error


def _failed(server: str, what: str) -> str:
    return (
        f"{server} {what}: run the command again, it resumes; or fetch the file from {DATASET} "
        "with a browser and give it to `qkgram kg build`"
    )


def _md5(path: Path) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as stream:
        for block in iter(partial(stream.read, _BLOCK), b""):
            digest.update(block)
    return digest.hexdigest()
