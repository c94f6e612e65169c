"""The optimizers as data: a new one is one entry of `PRESETS`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from types import MappingProxyType
from typing import Literal

from pydantic import JsonValue

from data.wording import choices
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


def preset(name: str) -> Preset:
    """Return the preset of this name.

    Raises:
        InputError: there is none; the message lists the names.
        MissingError: a package that it needs is not installed.
    """
    if name not in PRESETS:
        raise InputError(f"optimizer {name!r} is unknown; {choices(name, PRESETS)}")
    found = PRESETS[name]
    missing = [package for package in found.needs if find_spec(package) is None]
    if missing:
        raise MissingError(
            f"optimizer {name} needs {', '.join(missing)}; install with: "
            f"python -m pip install {' '.join(missing)}"
        )
    return found


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
