"""How much an optimizer will do at most, worked out before a call is paid for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from signatures.schema import Record


class Sizes(NamedTuple):
    """What a study has to work with."""

    train: int
    dev: int
    test: int
    predictors: int
    """Predictors whose prompts may change."""


class Plan(Record):
    """Upper bounds."""

    passes: int
    """Answers of the program that the optimizer asks for."""
    proposals: int = 0
    """Calls to the proposer."""


Planner = Callable[[Mapping[str, JsonValue], Sizes], Plan]
"""Works out a plan from the optimizer's options and the sizes."""


def whole(options: Mapping[str, JsonValue], name: str, default: int) -> int:
    """Read an option that counts."""
    value = options.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def no_calls(options: Mapping[str, JsonValue], sizes: Sizes) -> Plan:
    """Gold examples are copied."""
    return Plan(passes=0)


def bootstrapping(options: Mapping[str, JsonValue], sizes: Sizes) -> Plan:
    """Every training example at most once a round.

    >>> bootstrapping({"max_rounds": 2}, Sizes(train=30, dev=15, test=0, predictors=1)).passes
    60
    """
    return Plan(passes=sizes.train * whole(options, "max_rounds", 1))


def random_search(options: Mapping[str, JsonValue], sizes: Sizes) -> Plan:
    """Score each candidate on dev; DSPy adds three, and bootstraps all but two.

    >>> random_search({"num_candidate_programs": 6}, Sizes(30, 15, 0, 1)).passes
    345
    """
    candidates = whole(options, "num_candidate_programs", 16)
    boots = (candidates + 1) * bootstrapping(options, sizes).passes
    return Plan(passes=boots + (candidates + 3) * sizes.dev)


def mipro(options: Mapping[str, JsonValue], sizes: Sizes) -> Plan:
    """Count demonstration sets, proposals, and a dev pass per trial and one before.

    >>> alone = {"program_aware_proposer": False, "data_aware_proposer": False}
    >>> mipro({"num_candidates": 4, "num_trials": 6, **alone}, Sizes(30, 15, 0, 1))
    Plan(passes=165, proposals=4)
    """
    candidates = whole(options, "num_candidates", 6)
    trials = whole(options, "num_trials", 2 * sizes.predictors * candidates)
    extras = 10 * bool(options.get("data_aware_proposer", True))
    aware = 2 * bool(options.get("program_aware_proposer", True))
    # Two of the demonstration sets, none and labelled ones, take no calls.
    boots = max(0, candidates - 2) * sizes.train
    return Plan(
        passes=boots + (trials + 1) * sizes.dev,
        proposals=sizes.predictors * candidates * (1 + aware) + extras,
    )


def gepa(options: Mapping[str, JsonValue], sizes: Sizes) -> Plan:
    """Count metric calls up to the budget, and a proposal per iteration of two minibatches.

    GEPA finishes the pass that it has begun, so one dev pass may come on top.

    >>> gepa({"max_metric_calls": 150, "reflection_minibatch_size": 3}, Sizes(30, 15, 0, 1))
    Plan(passes=165, proposals=22)
    """
    full = whole(options, "max_full_evals", 0) * (sizes.train + sizes.dev)
    calls = whole(options, "max_metric_calls", full or 40 * max(sizes.dev, 10))
    batch = max(1, whole(options, "reflection_minibatch_size", 3))
    proposals = max(0, calls - sizes.dev) // (2 * batch)
    return Plan(passes=calls + sizes.dev, proposals=proposals)
