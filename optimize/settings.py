"""The settings: one frozen record, from `qkgram.toml`, environment variables and flags.

Later wins: defaults, the file, `QKGRAM_…` variables, flags. A key that does not exist is an error
with a suggestion. A file that uses every part:

    graph = "stores/primekg"

    [model]                      # every role
    model = "qwen2.5-7b-instruct"
    api_base = "http://127.0.0.1:8080/v1"

    [roles.judge]                # this role differs
    model = "openai/gpt-4o"
    api_key_env = "OPENAI_API_KEY"

    [budget]
    max_calls = 2000
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from data.paths import cache_home
from optimize.budget import Budget
from optimize.model_spec import CONNECTION, ModelSpec, Role
from optimize.suggestions import check_keys, first_error
from retrievers.linking import LinkingSettings
from retrievers.region import RegionSettings
from signatures.errors import SettingsError
from signatures.schema import Record

__all__ = ["ENVIRONMENT", "FILE_NAME", "Budget", "Settings", "load_settings"]

FILE_NAME = "qkgram.toml"

ENVIRONMENT: Mapping[str, str] = {
    "QKGRAM_GRAPH": "graph",
    "QKGRAM_MODEL": "model",
    "QKGRAM_API_BASE": "model.api_base",
    "QKGRAM_API_KEY_ENV": "model.api_key_env",
    "QKGRAM_RESPONSE_CACHE": "response_cache",
}
"""Environment variable to setting. `QKGRAM_HOME` moves the default folders (see `data.paths`)."""


class Settings(Record):
    """Everything a run can be told. Frozen: a change is a new record."""

    graph: Path = Field(
        default_factory=lambda: cache_home() / "stores" / "sample",
        description="graph store; default: the packaged sample, built on first use",
    )
    response_cache: Path = Field(
        default_factory=lambda: cache_home() / "dspy", description="folder of cached answers"
    )
    model: ModelSpec = Field(default=ModelSpec(), description="the model of every role")
    roles: dict[Role, ModelSpec] = Field(
        default={}, description="roles whose model differs, complete after loading"
    )
    reasks: int = Field(
        default=2, ge=0, le=5, description="times an unreadable answer is asked for again"
    )
    budget: Budget = Field(default=Budget(), description="what a run may spend")
    linking: LinkingSettings = Field(default=LinkingSettings(), description="entity linking")
    region: RegionSettings = Field(default=RegionSettings(), description="region selection")

    def spec(self, role: Role) -> ModelSpec:
        """Return the model of a role: its own, else the one of every role."""
        return self.roles.get(role, self.model)


def load_settings(path: Path | None = None, overrides: Mapping[str, Any] | None = None) -> Settings:
    """Read the settings.

    Args:
        path: A TOML file; `None` reads `qkgram.toml` of the working directory if there is one.
        overrides: Flags by setting; dots reach inside (`model.temperature`, `budget.max_calls`).
            A value of `None` is a flag that was not given. `model` names the model of every role,
            also of those that the file treats apart.

    Raises:
        SettingsError: The file cannot be read, a key is unknown, or a value is out of range.
    """
    file = path or (Path(FILE_NAME) if Path(FILE_NAME).is_file() else None)
    table = _read(file) if file else {}
    check_keys(table, Settings, where=str(file))
    environment = {key: os.environ[name] for name, key in ENVIRONMENT.items() if name in os.environ}
    for source, values in (("environment", environment), ("flags", overrides or {})):
        for key, value in values.items():
            if value is not None:
                _set(table, key, value, source=source)
    table["roles"] = _inherit(table.get("model", {}), table.get("roles", {}))
    try:
        return Settings.model_validate(table)
    except ValidationError as error:
        raise SettingsError(f"{file or 'settings'}: {first_error(error)}") from error


def _read(file: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            f"settings file {file} cannot be read: {error.strerror}; check --config"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"settings file {file} is not TOML: {error}") from error
    if isinstance(table.get("model"), str):
        table["model"] = {"model": table["model"]}
    return table


def _set(table: dict[str, Any], key: str, value: Any, *, source: str) -> None:
    """Set one dotted key; the name of a model also replaces the one of every role."""
    if key == "model" and isinstance(value, str):
        _replace_model(table, value)
        return
    *parents, last = key.split(".")
    nested: dict[str, Any] = {last: value}
    for parent in reversed(parents):
        nested = {parent: nested}
    check_keys(nested, Settings, where=source)
    for parent in parents:
        table = table.setdefault(parent, {})
    table[last] = value


def _replace_model(table: dict[str, Any], name: str) -> None:
    """Name the model of every role; a server's address stays unless the model is in-process."""
    common = table.setdefault("model", {})
    in_process = ModelSpec(model=name).is_local
    for spec in (*table.get("roles", {}).values(), *([common] if in_process else [])):
        for field in CONNECTION & spec.keys():
            del spec[field]
    common["model"] = name


def _inherit(model: dict[str, Any], roles: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Complete each role from the common model; a model's connection is never lent to another."""
    complete = {}
    for role, own in roles.items():
        other = own.keys() & {"model", "api_base"}
        base = {k: v for k, v in model.items() if not (other and k in CONNECTION)}
        complete[role] = {**base, **own}
    return complete
