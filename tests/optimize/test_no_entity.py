"""A run counts the questions of which nothing was linked to the graph."""

from __future__ import annotations

from pathlib import Path

import dspy

from optimize.adapter import QkgramAdapter
from optimize.evaluate import evaluate
from optimize.meter import Meter
from optimize.summary_text import summary_rows
from signatures.schema import Node, Question, Region
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
