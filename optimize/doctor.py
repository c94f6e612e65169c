"""Is everything in place before a run? One line per check; nothing is fetched, built or changed.

The network is touched only with `ask`, and then only addresses that the settings name.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from optimize.doctor_check import Check, is_sound, ok, refused, wrong
from optimize.doctor_machine import machine_checks
from optimize.doctor_models import model_checks
from optimize.doctor_store import store_checks
from optimize.settings import ENVIRONMENT, FILE_NAME, Settings, load_settings, preset_label
from optimize.settings_table import leaves, nested
from optimize.suggestions import check_keys
from signatures.errors import SettingsError

__all__ = ["Check", "examine", "is_sound"]


def examine(
    config: Path | None = None,
    *,
    graph: Path | None = None,
    model: str | None = None,
    runs: Path = Path("runs"),
    tracking: str | None = None,
    deep: bool = False,
    ask: bool = False,
) -> Iterator[Check]:
    """Yield every check as it is made.

    Settings that cannot be used are reported, and the rest is checked under the defaults.

    Args:
        config: Settings file; `None`: `qkgram.toml` of the working folder if there is one.
        graph: Store, over the settings' own.
        model: Model of every role, over the settings' own.
        runs: Folder below which runs are written.
        tracking: MLflow's address; `None`: MLFLOW_TRACKING_URI, else ./mlflow.db.
        deep: Compute the SHA-256 of the model files.
        ask: Ask the servers that the settings name whether they answer.
    """
    flags = {"graph": graph, "model": model}
    try:
        settings = load_settings(config, flags)
        yield _settings_found(config, settings)
    except SettingsError as error:
        yield from _settings_wrong(config, error)
        settings = _defaults(flags)
    yield from store_checks(settings)
    yield from model_checks(settings, deep=deep, ask=ask)
    yield from machine_checks(settings, runs=runs, tracking=tracking, ask=ask)


def _settings_found(config: Path | None, settings: Settings) -> Check:
    file = config or Path(FILE_NAME)
    held = str(file) if file.is_file() else f"no {FILE_NAME} here: defaults"
    preset = preset_label(settings)
    named = [name for name in ENVIRONMENT if name in os.environ]
    more = [f"preset {preset}"] * bool(preset) + [f"from the environment: {', '.join(named)}"] * (
        bool(named)
    )
    return ok("settings", "; ".join([held, *more]))


def _settings_wrong(config: Path | None, error: SettingsError) -> Iterator[Check]:
    """Yield a check per unknown key of the file, else the error that stopped the reading."""
    unknown = list(_unknown(config or Path(FILE_NAME)))
    advice = "correct it; the checks below are of the defaults"
    for line in unknown:
        found, _, near = line.partition("; ")
        yield wrong("settings", found, near or advice)
    if not unknown:
        first = refused("settings", error)
        yield first if "; " in str(error) else first.model_copy(update={"advice": advice})


def _unknown(file: Path) -> Iterator[str]:
    try:
        table: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    if isinstance(table.get("model"), str):
        table["model"] = {"model": table["model"]}
    for key, value in leaves(table):
        try:
            check_keys(nested(key, value), Settings, where=str(file))
        except SettingsError as error:
            yield str(error)


def _defaults(flags: dict[str, Any]) -> Settings:
    """Return the defaults with those flags that can be used."""
    return Settings.model_validate({"graph": flags["graph"]} if flags["graph"] else {})
