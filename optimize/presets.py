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
from optimize.planning import (
    Plan,
    Planner,
    Sizes,
    bootstrapping,
    gepa,
    mipro,
    no_calls,
    random_search,
)
from optimize.proposing import Surroundings, lent, lent_to_gepa
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
    instead: dict[str, tuple[str, ...]] = {}
    """Defaults that an option of the user's takes the place of: it cannot stand beside them."""
    rewrites: Literal["nothing", "all", "chosen"] = "nothing"
    """Whose instructions it rewrites: an agent's list of tools must not be among them."""
    judge: Literal["score", "feedback"] = "score"
    """Whether it wants words beside the score."""
    resumes: bool = False
    """Whether it keeps its own state in a folder and goes on from it."""
    plan: Planner = bootstrapping
    """How much it does at most."""


_MIPRO: dict[str, JsonValue] = {
    # Small budgets: `auto` would ask for 20 trials of two predictors, each a pass over dev.
    "auto": None,
    "num_candidates": 4,
    "num_trials": 6,
    # A minibatch of a small dev split only adds noise, and DSPy refuses one larger than it.
    "minibatch": False,
    # It shows the proposer the first predictor's signature whichever it asks about, and prints it.
    "program_aware_proposer": False,
    # Ten more calls, with ten examples in each prompt.
    "data_aware_proposer": False,
}

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
                plan=no_calls,
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
                plan=random_search,
            ),
            Preset(
                name="mipro-zero",
                target="dspy.teleprompt:MIPROv2",
                about="instructions by the proposer, searched with Optuna; no demonstrations",
                needs=("optuna",),
                defaults={**_MIPRO, "max_bootstrapped_demos": 0, "max_labeled_demos": 0},
                instead={"auto": ("num_candidates", "num_trials")},
                rewrites="all",
                plan=mipro,
            ),
            Preset(
                name="mipro",
                target="dspy.teleprompt:MIPROv2",
                about="instructions and demonstrations together, searched with Optuna",
                needs=("optuna",),
                defaults={**_MIPRO, "num_trials": 8, "max_bootstrapped_demos": 2},
                by_scope={
                    "program": {"max_labeled_demos": 0},
                    "predictor": {"max_labeled_demos": 4},
                },
                instead={"auto": ("num_candidates", "num_trials")},
                rewrites="all",
                plan=mipro,
            ),
            Preset(
                name="gepa",
                target="dspy.teleprompt:GEPA",
                about="instructions rewritten after reading what was wrong and why",
                needs=("gepa",),
                # 150 metric calls are ten dev passes of 15; merging needs two good lineages.
                defaults={
                    "max_metric_calls": 150,
                    "reflection_minibatch_size": 3,
                    "use_merge": False,
                    "warn_on_score_mismatch": False,
                },
                instead={"auto": ("max_metric_calls",), "max_full_evals": ("max_metric_calls",)},
                rewrites="chosen",
                judge="feedback",
                resumes=True,
                plan=gepa,
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
    module, _, attribute = entry.target.partition(":")
    cls = getattr(importlib.import_module(module), attribute)
    makes, takes = _parameters(cls.__init__), _parameters(cls.compile)
    _check_options(name, merged, allowed=(makes | takes) - _OURS, scope=scope)
    _check_minibatch(merged, dev=len(dev))
    given: dict[str, Any] = {
        "metric": metric,
        # Examples without a readable answer never end a study: they are counted, not fatal.
        "max_errors": 1 + len(train) * _whole(merged.get("max_rounds", 1)),
        "seed": seed,
        "num_threads": 1,
        **lent(around),
        **(lent_to_gepa(around) if entry.name == "gepa" else {}),
    }
    if not entry.resumes:
        given.pop("log_dir")
    known = {key: value for key, value in given.items() if key in makes}
    _check_models(name, known)
    return Optimizer(
        teleprompter=cls(**known | {k: v for k, v in merged.items() if k in makes}),
        compile_options={k: v for k, v in merged.items() if k in takes and k not in makes}
        | ({"valset": list(dev)} if "valset" in takes else {}),
        options=merged,
    )


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


def merged_options(
    entry: Preset, scope: Scope, options: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Return the preset's options with the user's on top, and without those they replace."""
    defaults = {**entry.defaults, **entry.by_scope.get(scope, {})}
    replaced = {name for option in options for name in entry.instead.get(option, ())}
    return {k: v for k, v in defaults.items() if k not in replaced} | dict(options)


def plan_of(name: str, *, scope: Scope, options: Mapping[str, JsonValue], sizes: Sizes) -> Plan:
    """Return how much an optimizer does at most; errors as in `preset`."""
    entry = preset(name)
    return entry.plan(merged_options(entry, scope, options), sizes)


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
