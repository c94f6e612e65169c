"""Putting a page on the disk."""

from __future__ import annotations

from pathlib import Path

from signatures.errors import InputError


def write_page(page: str, out: Path) -> int:
    """Write a page whole or not at all, its folder made where it is absent.

    Returns:
        Its size in bytes.

    Raises:
        InputError: It cannot be written there.
    """
    if out.is_dir():
        raise InputError(f"{out} is a folder; wanted the name of an HTML file")
    content = page.encode("utf-8", "replace")
    part = out.with_name(f"{out.name}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(out)
    except OSError as error:
        raise InputError(
            f"{out} cannot be written ({error.strerror}): give another name"
        ) from error
    return len(content)
