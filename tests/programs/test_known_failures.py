"""Inputs that broke other systems, through a whole program: odd names, a gold that is no node."""

from __future__ import annotations

from pathlib import Path

import dspy
import pytest

from metrics.exact_match import accuracy
from metrics.outcomes import outcome
from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.decompose import tidy
from programs.registry import ProgramSettings, build_program
from programs.toolbox import Toolbox
from signatures.schema import Question
from tests.programs.small import by_fields, toolbox

ODD_NAMES = (
    "Crohn's colitis",
    "3',5'-cyclic-AMP deficiency",
    '"pseudo" hypoparathyroidism',
    "diabetes mellitus, noninsulin-dependent, 2",
    "myopathy (recombinant)",
    "alpha -> beta conversion",
    "acid {(1E)-[2-phenyl]} storage",
)


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    folder: Path = tmp_path_factory.mktemp("odd")
    facts = [("Curatol", "drug", "indication", name, "disease") for name in ODD_NAMES]
    facts += [("Harmol", "drug", "contraindication", name, "disease") for name in ODD_NAMES]
    return toolbox(folder, facts, {})


def run(
    tools: Toolbox, heads: dict[str, str], tail: str, *, first: str
) -> tuple[Question, dspy.Prediction, ScriptedLM]:
    """Run `qkg` on a question whose claims join each head to the tail."""
    asked = Question(
        id="q",
        source="t",
        text=f"Which drug treats {tail}?",
        options=heads,
        gold="A",
        labelled=True,
    )
    claims = [
        {"option": o, "head": h, "predicate": "treats", "tail": tail, "supports": True}
        for o, h in heads.items()
    ]
    model = ScriptedLM(
        by_fields(
            answer_claims={"answer": first, "claims": claims},
            reasoning_answer={"reasoning": "as reported", "answer": "A"},
        )
    )
    program = build_program("qkg", tools=tools, settings=ProgramSettings())
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        return asked, program(question=asked), model


@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_odd_name_survives_prompt_claim_and_report(tools: Toolbox, name: str) -> None:
    """A09, A10: one triplet of three fields goes to the model and comes back as it was."""
    _, said, model = run(tools, {"A": "Curatol", "B": "Harmol"}, name, first="B")
    assert [(v.status, v.claim.tail) for v in said.report] == [
        ("SUPPORTED", name),
        ("CONTRADICTED", name),
    ]
    assert {e.triplet.tail.name for v in said.report for e in v.evidence} == {name}
    assert f"Curatol treats {name}" in model.asked[-1].user
    assert said.response.llm_answer_choice == "A"


def test_a_gold_that_is_no_node_is_no_coverage_and_still_scored(tools: Toolbox) -> None:
    """A18: a question whose right option the graph lacks stays in the denominator."""
    for first, right in (("A", 1), ("B", 0)):
        heads = {"A": "Absentol", "B": "Lackol"}
        asked, said, _ = run(tools, heads, ODD_NAMES[0], first=first)
        assert {v.status for v in said.report} == {"NO_COVERAGE"}
        assert "the graph does not know Absentol" in said.report[0].reason
        assert len(said.not_covered) == 2
        found = accuracy([outcome(asked, said.response.llm_answer_choice)])
        assert (found.counted, found.right) == (1, right)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (["Is it gout?", "is it gout", "1) Is it gout?"], ("Is it gout?",)),
        (
            ["First:\n1. Is it gout?\n2. Is it gout?\n3. Which drug?"],
            ("Is it gout?", "Which drug?"),
        ),
        (["Sub-questions:", "(1) Is it gout?"], ("Is it gout?",)),
        (["Sub-questions:"], ("Whole?",)),
        (["1", "-", "?"], ("Whole?",)),
    ],
)
def test_sub_questions_that_repeat_or_say_nothing_are_dropped(
    said: list[str], kept: tuple[str, ...]
) -> None:
    """K12: duplicates and numbered prose; the question itself stays when nothing else does."""
    assert tidy(said, question="Whole?", limit=3) == kept
