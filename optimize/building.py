"""From a preset to its optimizer: options checked, and what the study lends passed on."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, NamedTuple

from dspy.teleprompt.teleprompt import Teleprompter
from pydantic import JsonValue

from optimize.dspy_metrics import Metric
from optimize.presets import Preset, Scope, merged_options, preset
from optimize.proposing import Surroundings, lent, lent_to_gepa
from signatures.errors import InputError

_OURS = frozenset(
    {
        *("self", "metric", "student", "teacher", "trainset", "valset", "seed"),
        *("prompt_model", "task_model", "reflection_lm", "teacher_settings", "log_dir"),
        *("component_selector", "instruction_proposer", "code_proposer", "gepa_kwargs"),
        *("num_threads", "max_errors", "use_mlflow", "use_wandb", "wandb_api_key"),
        *("wandb_init_kwargs", "requires_permission_to_run", "provide_traceback", "verbose"),
    }
)
"""Arguments that the study gives; a user's option may not replace them."""


class Optimizer(NamedTuple):
    """An optimizer ready to compile, and everything it was made with."""

    teleprompter: Teleprompter
    compile_options: dict[str, Any]
    options: dict[str, JsonValue]


def build_optimizer(
    name: str,
    *,
    metric: Metric,
    scope: Scope,
    options: Mapping[str, JsonValue] = MappingProxyType({}),
    train: Sequence[object],
    dev: Sequence[object],
    seed: int = 0,
    around: Surroundings = Surroundings(),
) -> Optimizer:
    """Make the optimizer of a preset; nothing is called yet.

    Args:
        name: Of the preset.
        metric: As the optimizer calls it, see `Preset.judge`.
        scope: Whether a whole program or one predictor is compiled.
        options: The user's own; they win over the preset's.
        train: Examples to learn from.
        dev: Examples that decide.
        seed: Of the optimizer.
        around: Proposer, teacher, allow-list and folder of the study.

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
    merged = merged_options(entry, scope, options)
    cls = _class_of(entry)
    makes, takes = _parameters(cls.__init__), _parameters(cls.compile)
    _check_options(name, merged, allowed=(makes | takes) - _OURS, scope=scope)
    _check_minibatch(merged, dev=len(dev))
    given = {
        "metric": metric,
        # Examples without a readable answer never end a study: they are counted, not fatal.
        "max_errors": 1 + len(train) * _whole(merged.get("max_rounds", 1)),
        "seed": seed,
        "num_threads": 1,
        **_lent(entry, around),
    }
    known = {key: value for key, value in given.items() if key in makes}
    _check_models(name, known)
    return Optimizer(
        teleprompter=cls(**known | {k: v for k, v in merged.items() if k in makes}),
        compile_options={k: v for k, v in merged.items() if k in takes and k not in makes}
        | ({"valset": list(dev)} if "valset" in takes else {}),
        options=merged,
    )


def _class_of(entry: Preset) -> type[Teleprompter]:
    module, _, attribute = entry.target.partition(":")
    found: type[Teleprompter] = getattr(importlib.import_module(module), attribute)
    return found


def _lent(entry: Preset, around: Surroundings) -> dict[str, Any]:
    given = {**lent(around), **(lent_to_gepa(around) if entry.name == "gepa" else {})}
    if not entry.resumes:
        given.pop("log_dir")
    return given


def _check_models(name: str, given: Mapping[str, Any]) -> None:
    missing = [key for key in ("prompt_model", "task_model", "reflection_lm") if key in given]
    if any(given[key] is None for key in missing):
        raise InputError(
            f"optimizer {name} needs a language model before it starts; run it inside use_models, "
            "or with dspy.context(lm=…)"
        )


def _check_minibatch(options: Mapping[str, JsonValue], *, dev: int) -> None:
    size = options.get("minibatch_size", 35)
    if options.get("minibatch") and isinstance(size, int) and size > dev:
        raise InputError(
            f"a minibatch of {size} is larger than the {dev} dev examples; set minibatch=false, or "
            "a smaller minibatch_size"
        )


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
