"""From what an optimizer returns to the program that is scored and saved."""

from __future__ import annotations

from collections.abc import Mapping

import dspy
from pydantic import JsonValue

from optimize.presets import Scope
from optimize.state import apply_state, program_state
from optimize.study import Study
from signatures.errors import ProgramStateError


def carried_over(seed: dspy.Module, compiled: dspy.Module, study: Study) -> dspy.Module:
    """Return the seed with the compiled state, passed through the form in which it is saved.

    So the score is that of the saved program, and the optimizer's marks, bound models and raw
    examples stay behind.
    """
    compiled.set_lm(None)
    state = program_state(seed)
    for name, learnt in program_state(compiled).items():
        place = study.predictor or name
        state[place] = _with_first_demos(state[place], learnt, scope=study.scope)
    candidate = seed.deepcopy()
    apply_state(candidate, state)
    return candidate


def _with_first_demos(before: JsonValue, learnt: JsonValue, *, scope: Scope) -> JsonValue:
    """Put a predictor's own demonstrations before the learnt ones.

    The few-shot optimizers begin by clearing demonstrations, a prompt's worked example too. Gold
    examples of a whole program fit no predictor, so of those only bootstrapped ones are kept.
    """
    if not isinstance(before, dict) or not isinstance(learnt, dict):
        raise ProgramStateError("an optimizer must return predictors with a state; report this")
    first, new = _demos(before), _demos(learnt)
    if scope == "program":
        new = [demo for demo in new if demo.get("augmented") or demo in first]
    kept: list[JsonValue] = [*first, *(demo for demo in new if demo not in first)]
    return {**learnt, "demos": kept}


def _demos(state: Mapping[str, JsonValue]) -> list[dict[str, JsonValue]]:
    demos = state.get("demos")
    return [d for d in demos if isinstance(d, dict)] if isinstance(demos, list) else []


def demo_counts(program: dspy.Module) -> dict[str, int]:
    """Return the number of demonstrations of every predictor."""
    return {name: len(predictor.demos) for name, predictor in program.named_predictors()}
