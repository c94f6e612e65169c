"""A run counts the questions of which nothing was linked to the graph."""

from __future__ import annotations

from pathlib import Path

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.evaluate import evaluate
from optimize.meter import Meter
from optimize.no_entity import found_no_entity
from optimize.rows import trace_of
from optimize.scripted import ScriptedLM
from optimize.summary_text import summary_rows
from programs.registry import ProgramSettings, build_program
from programs.toolbox import Toolbox
from signatures.schema import Node, Question, Region
from tests.programs.small import by_fields, toolbox
from tests.support.evaluate_toy import Toy, open_toy, toy_lm, toy_questions

GOUT = Node(index=0, id="1", type="disease", name="gout", source="MONDO")


class Linking(Toy):
    """Finds an entity in every third question."""

    def forward(self, question: Question) -> dspy.Prediction:
        found = (GOUT,) if int(question.id[1:]) % 3 == 0 else ()
        region = Region(
            query="q", domain="INTEGRATED", anchors=found, triplets=(), relevance=(), candidates=0
        )
        return dspy.Prediction(**super().forward(question=question), regions=(region,))


def summed_up(folder: Path, program: dspy.Module) -> tuple[int, dict[str, str]]:
    meter = Meter()
    with open_toy(folder, toy_questions(6)) as run:
        lm = toy_lm(meter=meter)
        with dspy.context(lm=lm, roles={"reasoner": lm}, adapter=QkgramAdapter()):
            summary = evaluate(program, run, meter=meter)
    return summary.no_entity, dict(summary_rows(summary))


def test_a_silent_linker_is_counted_and_shown(tmp_path: Path) -> None:
    """B19: the linker says nothing, and the run says for how many questions."""
    count, shown = summed_up(tmp_path, Linking())
    assert count == 4
    assert shown["no entity linked"] == "4 of 6 questions"


def test_a_program_that_does_not_look_counts_nothing(tmp_path: Path) -> None:
    """B19: `direct` asks no graph, so nothing was missed."""
    count, shown = summed_up(tmp_path, Toy())
    assert count == 0
    assert "no entity linked" not in shown


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    facts = [("Allopurinol", "drug", "indication", "gout", "disease")]
    return toolbox(tmp_path_factory.mktemp("no_entity"), facts, {})


@pytest.mark.parametrize(
    ("text", "option", "is_silent"),
    [
        ("Which cures the grumps?", "Glucofixamab", True),
        ("Which cures the grumps?", "Allopurinol", False),
        ("Which drug treats gout?", "Glucofixamab", False),
    ],
)
def test_the_program_without_a_model_is_counted(
    tools: Toolbox, text: str, option: str, is_silent: bool
) -> None:
    question = Question(id="q", source="test", text=text, options={"A": option, "B": "Humbug"})
    said = build_program("adjacency", tools=tools)(question=question)
    assert found_no_entity(trace_of(dict(said.items()))) is is_silent


@pytest.mark.parametrize(
    ("head", "tail", "is_silent"), [("X", "Y", True), ("X", "gout", False), ("gout", "Y", False)]
)
def test_proposed_triplets_with_unknown_ends_alone_are_counted(
    tools: Toolbox, head: str, tail: str, is_silent: bool
) -> None:
    question = Question(id="q", source="test", text="Which cures it?", options={"A": "X", "B": "Y"})
    lm = ScriptedLM(
        by_fields(
            topic_triplets={
                "topic": "it",
                "triplets": [{"head": head, "relation": "indication", "tail": tail}],
            },
            reasoning_answer={"reasoning": "so", "answer": "A"},
        )
    )
    settings = ProgramSettings(reviewer="none", max_revisions=0)
    program = build_program("kgarevion", tools=tools, settings=settings)
    with dspy.context(lm=lm, roles={"reasoner": lm}, adapter=QkgramAdapter(reasks=0)):
        said = program(question=question)
    assert found_no_entity(trace_of(dict(said.items()))) is is_silent
