"""Ablation switches of the steps: the call is left out and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedCall, ScriptedLM
from programs.decompose import Decompose
from programs.registry import PROGRAMS, ProgramSettings, build_program
from programs.toolbox import Toolbox
from programs.type_domain import UNTYPED, TypeDomain
from retrievers.region import RegionBuilder, RegionSettings
from tests.programs.small import toolbox

FACTS = [("Drugone", "drug", "indication", "gout", "disease")]


@pytest.fixture
def plain(tmp_path: Path) -> Toolbox:
    return toolbox(tmp_path, FACTS, {})


def without_prior(tools: Toolbox) -> Toolbox:
    old = tools.regions
    settings = RegionSettings(use_domain=False)
    return tools._replace(regions=RegionBuilder(old.graph, old.linker, old.embedder, settings))


def answer(call: ScriptedCall) -> dict[str, object]:
    if call.fields == ("domain",):
        return {"domain": "GENE_PROTEIN"}
    return {"sub_questions": ["What treats gout?", "What harms?"]}


def steps(program: dspy.Module) -> tuple[str, tuple[str, ...], int]:
    model = ScriptedLM(answer)
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        domain = program.type_domain("Which drug?")
        parts = program.decompose("Which drug?", domain)
    return domain, parts, len(model.asked)


@pytest.mark.parametrize("name", ["regram", "qkgram"])
def test_each_switch_leaves_out_its_own_call(name: str, plain: Toolbox) -> None:
    off = ProgramSettings(use_decomposition=False)
    bare = without_prior(plain)
    two = ("What treats gout?", "What harms?")
    assert steps(build_program(name, tools=plain)) == ("GENE_PROTEIN", two, 2)
    assert steps(build_program(name, tools=bare)) == (UNTYPED, two, 1)
    assert steps(build_program(name, tools=plain, settings=off)) == (
        "GENE_PROTEIN",
        ("Which drug?",),
        1,
    )
    assert steps(build_program(name, tools=bare, settings=off)) == (UNTYPED, ("Which drug?",), 0)


def test_a_copy_of_a_program_keeps_its_switches(plain: Toolbox) -> None:
    off = ProgramSettings(use_decomposition=False)
    copy = build_program("regram", tools=without_prior(plain), settings=off).deepcopy()
    assert steps(copy) == (UNTYPED, ("Which drug?",), 0)


def test_one_hop_asks_and_no_multi_hop_does_not(plain: Toolbox) -> None:
    one = build_program("regram", tools=plain, settings=ProgramSettings(max_hops=1))
    assert steps(one) == ("GENE_PROTEIN", ("What treats gout?",), 2)


def test_programs_without_the_steps_are_left_alone(plain: Toolbox) -> None:
    off = ProgramSettings(use_decomposition=False)
    for name in PROGRAMS:
        program = build_program(name, tools=plain, settings=off)
        parts = [type(part) for _, part in program.named_sub_modules()]
        assert (Decompose in parts) == (TypeDomain in parts) == (name in {"regram", "qkgram"})
