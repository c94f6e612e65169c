"""A predictor alone: the role of its step, and a toolbox that is never opened."""

from __future__ import annotations

import ast
from pathlib import Path

import dspy
import pytest

import programs
from optimize.lone_predictor import STEP_ROLES, closed_toolbox, model_of
from optimize.proposing import tool_users
from programs.registry import PROGRAMS, build_program
from signatures.errors import InputError
from tests.support.toy_program import toy_lm


def test_the_table_of_roles_is_what_the_programs_say() -> None:
    said: dict[str, str] = {}
    for path in Path(programs.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "step":
                named = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
                said[ast.literal_eval(call.args[0])] = named.get("role", "reasoner")
    table = {step: found.role for step, found in STEP_ROLES.items()}
    assert {step: role for step, role in said.items() if role != "reasoner"} == table


def test_our_own_agent_s_turn_is_known_by_its_action() -> None:
    from programs.validate_agent import ValidateWithAgent

    assert tool_users(ValidateWithAgent(closed_toolbox())) == {"look_up"}


def test_a_predictor_takes_its_role_s_model_and_a_program_the_current_one() -> None:
    reasoner, validator = toy_lm(), toy_lm()
    with dspy.context(lm=reasoner, roles={"validator": validator}):
        assert model_of("validate.match_constraints.predict") is validator
        assert model_of("type_domain.predict") is reasoner
        assert model_of(None) is reasoner


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_is_built_without_its_graph(name: str) -> None:
    module = build_program(name, tools=closed_toolbox())
    assert module.named_predictors() or name == "adjacency"
    module.deepcopy()


def test_a_closed_toolbox_says_why_it_is_closed() -> None:
    with pytest.raises(InputError, match="needs its linker, and no graph was opened"):
        closed_toolbox().linker  # noqa: B018
