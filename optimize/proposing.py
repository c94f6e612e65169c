"""What an optimizer that rewrites instructions is given: a proposer, a teacher, and its limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import dspy

from signatures.errors import InputError
from signatures.validation import ToolCall

PERFECT = 1.0
"""Dev score at which GEPA stops: it would go on spending."""


class Surroundings(NamedTuple):
    """What the study lends to its optimizer."""

    proposer: dspy.LM | None = None
    """Writes instructions; the role `proposer`, else the model of the study."""
    teacher: dspy.LM | None = None
    """Answers while bootstrapping; `None`: the student's own model."""
    components: tuple[str, ...] = ()
    """Predictors whose instructions may be rewritten, as the student names them; empty: all."""
    folder: Path | None = None
    """Where an optimizer that can go on by itself keeps its state."""


class OnlyThese:
    """GEPA's component selector: takes turns among the allowed predictors."""

    def __init__(self, names: Sequence[str]) -> None:
        """Allow `names`."""
        self.names = tuple(names)
        self._turn = 0

    def __call__(
        self,
        state: object,
        trajectories: object,
        subsample_scores: object,
        candidate_idx: int,
        candidate: Mapping[str, str],
    ) -> list[str]:
        """Return the predictor to rewrite next."""
        allowed = [name for name in self.names if name in candidate]
        if not allowed:
            raise InputError(
                f"none of the predictors {', '.join(self.names)} may be rewritten here; "
                f"name some of {', '.join(candidate)}"
            )
        self._turn += 1
        return [allowed[(self._turn - 1) % len(allowed)]]


def lent(around: Surroundings) -> dict[str, Any]:
    """Return the arguments of optimizers that are made of what the study lends, by their name.

    An optimizer takes those that it knows.
    """
    teacher = around.teacher
    every_role = dict.fromkeys(dspy.settings.get("roles") or {}, teacher)
    given: dict[str, Any] = {
        "prompt_model": around.proposer,
        "reflection_lm": around.proposer,
        "task_model": dspy.settings.lm,
        # A step takes the model of its role: the teacher stands in for all of them.
        "teacher_settings": {} if teacher is None else {"lm": teacher, "roles": every_role},
        "log_dir": None if around.folder is None else str(around.folder),
    }
    if around.components:
        given["component_selector"] = OnlyThese(around.components)
    return given


def lent_to_gepa(around: Surroundings) -> dict[str, Any]:
    """Return what GEPA takes besides: a proposer that asks again, and when to stop."""
    from dspy.teleprompt.gepa import InstructionProposer
    from gepa.utils.stop_condition import ScoreThresholdStopper

    adapter = dspy.settings.adapter
    return {
        # Its default asks through an adapter of its own, which gives up at the first bad answer.
        "instruction_proposer": InstructionProposer(
            adapter=adapter if isinstance(adapter, dspy.Adapter) else None
        ),
        "gepa_kwargs": {"stop_callbacks": [ScoreThresholdStopper(PERFECT)]},
    }


TOOL_FIELD = "next_tool_name"
"""Output field by which a turn of DSPy's ReAct is known; our own agent's is known by its type."""


def tool_users(program: dspy.Module) -> frozenset[str]:
    """Return the predictors whose instructions hold an agent's list of tools.

    >>> agent = dspy.ReAct("question -> answer", tools=[])
    >>> sorted(tool_users(agent))
    ['react']
    """
    return frozenset(
        name
        for name, predictor in program.named_predictors()
        if any(
            field == TOOL_FIELD or info.annotation is ToolCall
            for field, info in predictor.signature.output_fields.items()
        )
    )
