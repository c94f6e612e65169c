"""Is a catalogue model here, whole and genuine? Hashing a gigabyte once is enough."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from data.models import CatalogueModel, ModelFile
from signatures.errors import ModelNotFound

_VERIFIED = ".verified.json"
_BLOCK = 1 << 20


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def is_installed(model: CatalogueModel) -> bool:
    """Tell whether every file of the model is in place with its hash."""
    return all(is_genuine(model.folder, file) for file in model.files)


def installed_file(model: CatalogueModel) -> Path:
    """Return the path of the model's weights.

    Raises:
        ModelNotFound: A file is absent or is not the pinned one; the message holds the command.
    """
    weights = model.files[0]
    path = model.folder / weights.path
    fetch = f"run `qkgram models fetch {model.name}` (add --mirror where the hub is out of reach)"
    if not path.is_file():
        raise ModelNotFound(f"model {model.name} is not in {model.folder}: {fetch}")
    if not is_genuine(model.folder, weights):
        raise ModelNotFound(
            f"{path} is not the pinned file (SHA-256 {weights.sha256[:12]}…): delete it and {fetch}"
        )
    return path


def is_genuine(folder: Path, file: ModelFile) -> bool:
    """Tell whether a file has its pinned hash; a hash seen before is trusted while the file rests.

    The note of verified files holds size and time of change, so a file that was touched is hashed
    again.
    """
    path = folder / file.path
    try:
        state = path.stat()
    except OSError:
        return False
    if state.st_size != file.size:
        return False
    seen = [state.st_size, state.st_mtime_ns, file.sha256]
    notes = _read_notes(folder)
    if notes.get(file.path) == seen:
        return True
    if file_sha256(path) != file.sha256:
        return False
    _write_notes(folder, {**notes, file.path: seen})
    return True


def _read_notes(folder: Path) -> dict[str, list[object]]:
    try:
        notes = json.loads((folder / _VERIFIED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def _write_notes(folder: Path, notes: dict[str, list[object]]) -> None:
    try:
        (folder / _VERIFIED).write_text(json.dumps(notes), encoding="utf-8")
    except OSError:
        # A read-only cache is fine: the file is hashed again next time.
        return
