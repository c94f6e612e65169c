"""Curating a file: ledger, resume, budget, failures, duplicates, the cut, and the set read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dspy
import pytest

from data.questions import read_questions
from optimize.adapter import QkgramAdapter
from optimize.budget import Budget
from optimize.call_errors import CallFailed
from optimize.cli.curation_tables import distribution, summary_lines, total
from optimize.curated_set import CURATED, DROPPED, QUESTIONS, SUMMARY, CurationSummary
from optimize.curating import LEDGER, curate_questions, open_curation
from optimize.meter import Meter
from optimize.scripted import ScriptedLM
from retrievers.graph import GraphStore
from signatures.errors import InputError
from signatures.schema import Question
from tests.programs.test_curate import FACTS, ask, program
from tests.support.graphs import make_graph

ASKED = [
    ask("Nausea in type 2 diabetes mellitus.", id="q1", source="MedQA"),
    ask("Nausea.", id="q2", source="MedQA", gold="B"),
    ask("NAUSEA!", id="q3", source="HLE"),
    ask("Which statement is true?", id="q4", source="HLE"),
    ask("Pulmonary embolism and nausea.", id="q5", source="HLE"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return make_graph(tmp_path_factory.mktemp("graph"), FACTS)


def run(graph: GraphStore, folder: Path, **options: Any) -> CurationSummary:
    chosen = {"questions": ASKED, "setup": {"graph": "g"}, "meter": Meter(), **options}
    questions = chosen.pop("questions")
    return curate_questions(program(graph), questions, folder, **chosen)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_set_is_read_back_and_every_other_question_has_its_reason(
    graph: GraphStore, tmp_path: Path
) -> None:
    found = run(graph, tmp_path / "out", threads=3)
    assert [q.id for q in read_questions(tmp_path / "out" / QUESTIONS)] == ["q1", "q2", "q5"]
    assert read_questions(tmp_path / "out" / QUESTIONS)[0] == ASKED[0]
    dropped = {
        row["id"]: (row["reason"], row["detail"]) for row in lines(tmp_path / "out" / DROPPED)
    }
    assert dropped["q3"] == ("duplicate", "the same as q2")
    assert dropped["q4"][0] == "no entity"
    kept = {row["id"]: row for row in lines(tmp_path / "out" / CURATED)}
    assert [kept[name]["rank"] for name in ("q1", "q2", "q5")] == [1, 3, 2]
    assert [kept[name]["gold_joined"] for name in ("q1", "q2", "q5")] == [True, False, True]
    assert len(kept["q1"]["curation"]["paths"]) == 3
    assert (found.questions, found.curated, found.paths, found.gold_joined) == (5, 5, 6, 2)
    saved = CurationSummary.model_validate_json((tmp_path / "out" / SUMMARY).read_text())
    assert saved == found


def test_the_counts_have_the_shape_of_table_3(graph: GraphStore, tmp_path: Path) -> None:
    found = run(graph, tmp_path / "out")
    assert distribution(found.sources) == [
        ("HLE", 3, "60.0", 1, "33.3"),
        ("MedQA", 2, "40.0", 2, "66.7"),
        ("total", 5, "100.0", 3, "100.0"),
    ]
    whole = total(found.sources)
    assert (whole.read, whole.entities, whole.aligned, whole.paths, whole.kept) == (5, 4, 4, 4, 3)
    said = "\n".join(summary_lines(found, tmp_path))
    assert "5 of 5 questions curated, 0 before" in said
    assert "duplicate 1" in said and "2.0 paths a question, 2 with one to the right option" in said


def test_a_second_call_curates_nothing_and_another_cut_costs_nothing(
    graph: GraphStore, tmp_path: Path
) -> None:
    run(graph, tmp_path / "out")
    before = (tmp_path / "out" / LEDGER).read_bytes()
    found = run(graph, tmp_path / "out", top=1)
    assert found.reused == 5
    assert (tmp_path / "out" / LEDGER).read_bytes() == before
    assert [q.id for q in read_questions(tmp_path / "out" / QUESTIONS)] == ["q1"]
    assert found.reasons["below the cut"] == 2
    assert run(graph, tmp_path / "out", setup={"graph": "other"}).reused == 0


def test_a_torn_line_costs_its_question_only(graph: GraphStore, tmp_path: Path) -> None:
    run(graph, tmp_path / "out")
    path = tmp_path / "out" / LEDGER
    path.write_bytes(path.read_bytes()[:-40])
    assert run(graph, tmp_path / "out").reused == 4


def test_two_processes_never_curate_into_one_folder(graph: GraphStore, tmp_path: Path) -> None:
    with (
        open_curation(tmp_path / "out"),
        pytest.raises(InputError, match="another process curates"),
    ):
        run(graph, tmp_path / "out")


def asked(
    graph: GraphStore, folder: Path, script: Callable[[Any], Any], *, budget: Budget | None = None
) -> CurationSummary:
    meter = Meter(budget)
    model = ScriptedLM(script, role="annotator", meter=meter)
    with dspy.context(lm=model, roles={"annotator": model}, adapter=QkgramAdapter(reasks=0)):
        return curate_questions(program(graph, ask=True), ASKED, folder, setup={}, meter=meter)


def reply(call: Any) -> dict[str, Any]:
    return {
        "question_entities": ["nausea"],
        "option_entities": [{"option": "A", "entities": ["Metformin"]}],
    }


def test_a_spent_budget_leaves_a_set_of_what_there_is_and_goes_on(
    graph: GraphStore, tmp_path: Path
) -> None:
    found = asked(graph, tmp_path / "out", reply, budget=Budget(max_calls=2))
    assert (found.curated, found.incomplete) == (2, True)
    assert found.stopped is not None and "budget of 2 calls" in found.stopped
    assert len(read_questions(tmp_path / "out" / QUESTIONS)) == 2
    found = asked(graph, tmp_path / "out", reply)
    assert (found.curated, found.reused, found.spent.calls) == (5, 2, 3)


def test_a_question_that_failed_is_in_no_file_and_is_tried_again(
    graph: GraphStore, tmp_path: Path
) -> None:
    def failing(call: Any) -> Any:
        return CallFailed("the server is away") if "embolism" in call.user else reply(call)

    found = asked(graph, tmp_path / "out", failing)
    assert (found.curated, found.failures) == (4, ("question q5: the server is away",))
    ids = {row["id"] for name in (QUESTIONS, DROPPED) for row in lines(tmp_path / "out" / name)}
    assert ids == {"q1", "q2", "q3", "q4"}
    found = asked(graph, tmp_path / "out", reply)
    assert (found.curated, found.failures, found.spent.calls) == (5, (), 1)


def test_questions_without_any_path_leave_an_empty_set(graph: GraphStore, tmp_path: Path) -> None:
    questions: list[Question] = [ASKED[3]]
    found = run(graph, tmp_path / "out", questions=questions)
    assert (tmp_path / "out" / QUESTIONS).read_text() == ""
    assert distribution(found.sources)[-1] == ("total", 1, "100.0", 0, "-")
