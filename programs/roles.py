"""Which language model answers for which role, and which step is asking.

The mapping travels in DSPy's own settings, so it follows a program into DSPy's worker threads:

    with dspy.context(lm=reasoner, roles={"validator": validator}):
        program(question=question)

`dspy.settings.stage` names the step while it runs; the meter of `optimize` books calls under it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import dspy

Role = Literal["reasoner", "validator", "annotator", "reviewer", "judge", "proposer"]


@contextmanager
def step(stage: str, *, role: Role = "reasoner") -> Iterator[None]:
    """Run a step under its name, with the model of its role or, if it has none, the current one."""
    model = (dspy.settings.get("roles") or {}).get(role)
    override = {} if model is None else {"lm": model}
    with dspy.context(stage=stage, role=role, **override):
        yield
