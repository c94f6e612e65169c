"""A predictor on its own, outside its program: whose model answers, and no graph behind it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, cast

import dspy

from programs.roles import Role
from programs.toolbox import Toolbox
from signatures.errors import InputError


class StepRole(NamedTuple):
    """A step that another role than the reasoner takes."""

    role: Role
    parts: tuple[str, ...]
    """Names of modules or predictors by which it is known in a program."""


STEP_ROLES: Mapping[str, StepRole] = MappingProxyType(
    {
        "match_constraints": StepRole("validator", ("match_constraints",)),
        "validate_agent": StepRole("validator", ("look_up", "judge_claims")),
        "annotate": StepRole("annotator", ("annotate", "from_knowledge", "from_label")),
        "relabel": StepRole("judge", ("relabel", "relabel_leakage")),
        "review": StepRole("reviewer", ("reviewer",)),
        "judge": StepRole("judge", ("judge",)),
        "name_entities": StepRole("annotator", ("name_entities",)),
    }
)
"""Such steps by the name that `programs` gives them: `step("annotate", role="annotator")`."""


def role_of(predictor: str) -> Role:
    """Return the role under which a predictor's own step calls it.

    >>> role_of("validate.match_constraints.predict"), role_of("type_domain.predict")
    ('validator', 'reasoner')
    """
    parts = predictor.split(".")
    found = (step.role for step in STEP_ROLES.values() if set(step.parts) & set(parts))
    return next(found, "reasoner")


def model_of(predictor: str | None) -> dspy.LM | None:
    """Return the model that a study runs with: that of the predictor's role, else the current."""
    roles: Mapping[str, dspy.LM] = dspy.settings.get("roles") or {}
    current: dspy.LM | None = dspy.settings.lm
    return current if predictor is None else roles.get(role_of(predictor), current)


class ClosedToolbox:
    """Stands in for graph, linker, regions and evidence while one predictor is compiled.

    A program is built around it to find the predictor and to save the whole; it is never run.
    """

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse to be used."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise InputError(
            f"this program needs its {name}, and no graph was opened because one predictor is "
            "compiled alone; leave --predictor out to run the whole program"
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> ClosedToolbox:
        """Return itself, as every toolbox does."""
        return self


def closed_toolbox() -> Toolbox:
    """Return a toolbox that nothing can be taken from."""
    return cast("Toolbox", ClosedToolbox())
