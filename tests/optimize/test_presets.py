"""Optimizers as data: every entry fits its class."""

from __future__ import annotations

import importlib
import inspect

import pytest

from optimize import presets
from optimize.presets import PRESETS, merged_options
from signatures.errors import MissingError


@pytest.mark.parametrize("name", PRESETS)
def test_every_default_is_an_option_of_its_class(name: str) -> None:
    entry = PRESETS[name]
    module, _, attribute = entry.target.partition(":")
    cls = getattr(importlib.import_module(module), attribute)
    known = set(inspect.signature(cls.__init__).parameters) | set(
        inspect.signature(cls.compile).parameters
    )
    options = {**entry.defaults, **{k: v for d in entry.by_scope.values() for k, v in d.items()}}
    assert set(options) <= known
    assert entry.scopes


def test_an_option_of_the_user_s_takes_the_place_of_what_it_replaces() -> None:
    light = merged_options(PRESETS["mipro"], "predictor", {"auto": "light"})
    assert light["auto"] == "light" and not {"num_trials", "num_candidates"} & set(light)
    full = merged_options(PRESETS["gepa"], "program", {"max_full_evals": 3})
    assert "max_metric_calls" not in full


@pytest.mark.parametrize("name", ["mipro", "mipro-zero", "gepa"])
def test_a_missing_extra_package_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = presets.find_spec
    needed = PRESETS[name].needs[0]
    monkeypatch.setattr(presets, "find_spec", lambda n: None if n == needed else found(n))
    with pytest.raises(MissingError, match=f"optimizer {name} needs {needed}; install with"):
        presets.preset(name)
