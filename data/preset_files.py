"""Presets: settings of a paper, by name, as tables that lie beside this file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from data.wording import choices
from signatures.errors import SettingsError

_FOLDER = Path(__file__).with_name("presets")


def preset_names() -> tuple[str, ...]:
    """Return the names of the packaged presets.

    >>> preset_names()
    ('default', 'paper-qkg', 'paper-regram')
    """
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


def read_preset(name: str) -> dict[str, Any]:
    """Return a preset's table, in the shape of `qkgram.toml`.

    Raises:
        SettingsError: There is none of this name; the message lists the names.
    """
    if name not in preset_names():
        raise SettingsError(f"preset {name!r} is unknown; {choices(name, preset_names())}")
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
