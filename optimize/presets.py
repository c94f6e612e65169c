"""The optimizers as data: a new one is one entry of `PRESETS`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from dspy.teleprompt.teleprompt import Teleprompter
from pydantic import JsonValue

from optimize.dspy_metrics import Metric
from signatures.errors import InputError, MissingError
from signatures.schema import Record

Scope = Literal["program", "predictor"]
"""What is compiled: all predictors of a program together, or one of them on its own."""


class Preset(Record):
    """An optimizer and the defaults that suit a small model and few questions."""

    name: str
    target: str
    """Class as `module:name`; imported when it is used."""
    about: str
    scopes: tuple[Scope, ...] = ("program", "predictor")
    needs: tuple[str, ...] = ()
    """Packages that must be installed; checked before any call is paid for."""
    defaults: dict[str, JsonValue] = {}
    """Options of the constructor or of `compile`."""
    by_scope: dict[Scope, dict[str, JsonValue]] = {}
    """Defaults of one scope; they win over `defaults`."""


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                name="labeled",
                target="dspy.teleprompt:LabeledFewShot",
                about="gold examples as demonstrations; no model calls; one predictor only",
                # A question's gold answer holds no field of an inner step, so for a whole program
                # such demonstrations would say nothing.
                scopes=("predictor",),
                defaults={"k": 8},
            ),
            Preset(
                name="bootstrap",
                target="dspy.teleprompt:BootstrapFewShot",
                about="traces of right answers as demonstrations",
                defaults={"max_bootstrapped_demos": 4, "max_rounds": 1},
                by_scope={
                    # Gold examples of a whole program fit none of its predictors, see `labeled`.
                    "program": {"max_labeled_demos": 0},
                    "predictor": {"max_labeled_demos": 8},
                },
            ),
            Preset(
                name="random-search",
                target="dspy.teleprompt:BootstrapFewShotWithRandomSearch",
                about="bootstrap over shuffled training sets; the best on the dev split",
                # A full dev pass per candidate, and three more that DSPy always tries.
                defaults={
                    "num_candidate_programs": 6,
                    "max_bootstrapped_demos": 4,
                    "max_rounds": 1,
                },
                by_scope={
                    "program": {"max_labeled_demos": 0},
                    "predictor": {"max_labeled_demos": 8},
                },
            ),
        )
    }
)
"""Every optimizer of `qkgram compile`."""


class Optimizer(NamedTuple):
    """An optimizer ready to compile, and everything it was made with."""

    teleprompter: Teleprompter
    compile_options: dict[str, Any]
    options: dict[str, JsonValue]


def preset(name: str) -> Preset:
    """Return the preset of this name.

    Raises:
        InputError: there is none; the message lists the names.
        MissingError: a package that it needs is not installed.
    """
    if name not in PRESETS:
        raise InputError(f"optimizer {name!r} is unknown; use one of {', '.join(PRESETS)}")
    found = PRESETS[name]
    missing = [package for package in found.needs if find_spec(package) is None]
    if missing:
        raise MissingError(
            f"optimizer {name} needs {', '.join(missing)}; install with: "
            f"python -m pip install {' '.join(missing)}"
        )
    return found


def build_optimizer(
    name: str,
    *,
    metric: Metric,
    scope: Scope,
    options: Mapping[str, JsonValue] = MappingProxyType({}),
    train: Sequence[object],
    dev: Sequence[object],
    seed: int = 0,
) -> Optimizer:
    """Make the optimizer of a preset; nothing is called yet.

    Raises:
        InputError: unknown name or option, an option out of place, or a scope it is not made for.
        MissingError: a package that it needs is not installed.
    """
    entry = preset(name)
    if scope not in entry.scopes:
        raise InputError(
            f"optimizer {name} compiles one {entry.scopes[0]}, not a whole {scope}: {entry.about}; "
            "name one with --predictor, or use --optimizer bootstrap"
        )
    merged = {**entry.defaults, **entry.by_scope.get(scope, {}), **options}
    module, _, attribute = entry.target.partition(":")
    cls = getattr(importlib.import_module(module), attribute)
    makes, takes = _parameters(cls.__init__), _parameters(cls.compile)
    _check_options(name, merged, allowed=(makes | takes) - _OURS, scope=scope)
    given: dict[str, Any] = {
        "metric": metric,
        # Examples without a readable answer never end a study: they are counted, not fatal.
        "max_errors": 1 + len(train) * _whole(merged.get("max_rounds", 1)),
        "seed": seed,
        "num_threads": 1,
    }
    known = {key: value for key, value in given.items() if key in makes}
    return Optimizer(
        teleprompter=cls(**known | {k: v for k, v in merged.items() if k in makes}),
        compile_options={k: v for k, v in merged.items() if k in takes and k not in makes}
        | ({"valset": list(dev)} if "valset" in takes else {}),
        options=merged,
    )


_OURS = frozenset({"self", "metric", "student", "teacher", "trainset", "valset", "seed"})
"""Arguments that the study gives; a user's option may not replace them."""


def _parameters(function: object) -> set[str]:
    return set(inspect.signature(function).parameters)  # type: ignore[arg-type]


def _check_options(
    name: str, options: Mapping[str, JsonValue], *, allowed: set[str], scope: Scope
) -> None:
    for option in options:
        if option not in allowed:
            near = get_close_matches(option, allowed, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(sorted(allowed))}"
            raise InputError(f"optimizer {name} has no option {option!r}; {hint}")
    if scope == "program" and _whole(options.get("max_labeled_demos", 0)) > 0:
        raise InputError(
            "max_labeled_demos must be 0 for a whole program: its examples hold no field of an "
            "inner step; compile one predictor with --predictor instead"
        )


def _whole(value: JsonValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"an option that counts must be a whole number from 0, got {value!r}")
    return value
