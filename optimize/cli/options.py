"""Flags that several commands share, and the settings they make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from optimize.settings import Settings

GraphOption = Annotated[
    Path | None, typer.Option("--graph", help="Graph store; default: the packaged sample.")
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", help="Model of every role: local, local:NAME, openai/NAME …"),
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Settings file; default: ./qkgram.toml if present.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON for a script.")]


def read_settings(
    config: Path | None, *, graph: Path | None = None, model: str | None = None
) -> Settings:
    """Return the settings of `config`, or of `qkgram.toml` here, with the flags on top."""
    from optimize.settings import load_settings

    return load_settings(config, {"graph": graph, "model": model})
