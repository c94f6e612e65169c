"""The settings: one frozen record, from `qkgram.toml`, environment variables and flags.

Later wins: defaults, the file, `QKGRAM_…` variables, `--preset`, flags and `--set`. A preset that
the file names itself lies under the file. A key that does not exist is an error with a suggestion.
A file that uses every part:

    graph = "stores/primekg"
    preset = "paper-regram"      # what the file does not say is as in the paper

    [model]                      # every role
    model = "qwen2.5-7b-instruct"
    api_base = "http://127.0.0.1:8080/v1"

    [roles.judge]                # this role differs
    model = "openai/gpt-4o"
    api_key_env = "OPENAI_API_KEY"

    [program]
    max_hops = 2

    [region]
    k = 10

    [budget]
    max_calls = 2000
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from data.paths import cache_home
from data.preset_files import read_preset
from optimize.budget import Budget
from optimize.model_spec import ModelSpec, Role
from optimize.settings_environment import ENVIRONMENT, note_unknown
from optimize.settings_table import inherit, lay, leaves, nested, pin, put
from optimize.suggestions import check_keys, first_error
from programs.registry import ProgramSettings
from retrievers.linking import LinkingSettings
from retrievers.region import RegionSettings
from signatures.errors import SettingsError
from signatures.schema import Record

__all__ = [
    "ENVIRONMENT",
    "FILE_NAME",
    "Budget",
    "Settings",
    "changed",
    "load_settings",
    "preset_label",
]

FILE_NAME = "qkgram.toml"


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
    program: ProgramSettings = Field(
        default=ProgramSettings(), description="the program: hops, validator, ablations, caps"
    )
    preset: str | None = Field(default=None, description="packaged preset under these settings")

    def spec(self, role: Role) -> ModelSpec:
        """Return the model of a role: its own, else the one of every role."""
        return self.roles.get(role, self.model)


def load_settings(
    path: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    *,
    preset: str | None = None,
    sets: Mapping[str, Any] | None = None,
) -> Settings:
    """Read the settings.

    Args:
        path: A TOML file; `None` reads `qkgram.toml` of the working directory if there is one.
        overrides: Flags by setting; dots reach inside (`model.temperature`, `budget.max_calls`).
            A value of `None` is a flag that was not given. `model` names the model of every role,
            also of those that the file treats apart.
        preset: Name of a packaged preset, over the file and under the flags.
        sets: Like `overrides`, after them; `None` is a value.

    Raises:
        SettingsError: The file cannot be read, a key is unknown, or a value is out of range.
    """
    file = path or (Path(FILE_NAME) if Path(FILE_NAME).is_file() else None)
    table = _with_preset(_read(file) if file else {}, preset, where=str(file))
    environment = {key: os.environ[name] for name, key in ENVIRONMENT.items() if name in os.environ}
    flags = {key: value for key, value in (overrides or {}).items() if value is not None}
    layers = (("environment", environment), ("flags", flags), ("--set", sets or {}))
    for source, values in layers:
        for key, value in values.items():
            check_keys(nested(key, value), Settings, where=source)
            put(table, key, value, source=source)
    table["roles"] = inherit(table.get("model", {}), table.get("roles", {}))
    try:
        settings = Settings.model_validate(table)
    except ValidationError as error:
        where, said = str(_origin(error, layers) or file or "settings"), first_error(error)
        name = said.partition(": ")[0]
        raise SettingsError(
            f"{where}: {said.removeprefix(f'{name}: ') if where.endswith(name) else said}"
        ) from error
    specs = (settings.model, *settings.roles.values())
    note_unknown(os.environ, keys=[spec.api_key_env for spec in specs if spec.api_key_env])
    return settings


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return the settings with other values, by dotted name: `{"region.k": 10}`.

    Raises:
        SettingsError: A name is unknown, or a value is out of range.
    """
    table = settings.model_dump(exclude={"program"})
    table["program"] = _plain(settings.program)
    for key, value in changes.items():
        check_keys(nested(key, value), Settings, where="setting")
        put(table, key, value, source="setting")
    try:
        return Settings.model_validate(table)
    except ValidationError as error:
        raise SettingsError(first_error(error)) from error


def preset_label(settings: Settings) -> str | None:
    """Name the preset and what stands otherwise than in it; `None` without a preset.

    A value that a preset pins and a flag changed is named: `paper-regram, but region.k=5`.
    """
    if settings.preset is None:
        return None
    pinned = dict(leaves(read_preset(settings.preset)))
    held = dict(leaves({**settings.model_dump(), "program": _plain(settings.program)}))
    other = [f"{key}={held.get(key)}" for key, v in pinned.items() if held.get(key) != v]
    return settings.preset + (f", but {', '.join(other)}" if other else "")


def _with_preset(table: dict[str, Any], preset: str | None, *, where: str) -> dict[str, Any]:
    check_keys(table, Settings, where=where)
    if preset is not None:
        return pin(read_preset(preset), {**table, "preset": preset})
    named = table.get("preset")
    return lay(table, read_preset(named)) if isinstance(named, str) else table


def _origin(error: ValidationError, layers: Sequence[tuple[str, Mapping[str, Any]]]) -> str | None:
    """Name the flag or variable that the wrong value came by; `None` when it was the file."""
    place = ".".join(map(str, error.errors(include_url=False)[0]["loc"]))
    variables = {key: name for name, key in ENVIRONMENT.items()}
    for source, values in reversed(layers):
        for key in values:
            if key != place and not place.startswith(f"{key}."):
                continue
            if source == "environment":
                return variables[key]
            flag = key.rpartition(".")[2].replace("_", "-")
            return f"--set {key}" if source == "--set" else f"--{flag}"
    return None


def _plain(value: Any) -> Any:
    """Return a named tuple, and those inside it, as tables."""
    if not hasattr(value, "_asdict"):
        return value
    return {name: _plain(inside) for name, inside in value._asdict().items()}


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
