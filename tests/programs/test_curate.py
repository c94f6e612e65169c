"""Curating one question: entities, paths, patient, and the reason of a dropped one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.curate import Curate
from programs.curation import Curation
from retrievers.alignment import Aligner
from retrievers.graph import GraphStore
from retrievers.grounding import Grounder
from retrievers.linking import GraphLinker
from signatures.schema import Question
from tests.support.graphs import make_graph

FACTS = [
    ("Metformin", "drug", "indication", "type 2 diabetes mellitus", "disease"),
    ("Metformin", "drug", "contraindication", "lactic acidosis", "disease"),
    ("Metformin", "drug", "drug_effect", "Nausea", "effect/phenotype"),
    ("Glipizide", "drug", "indication", "type 2 diabetes mellitus", "disease"),
    ("Warfarin", "drug", "indication", "pulmonary embolism", "disease"),
    ("Iron", "drug", "drug_effect", "Nausea", "effect/phenotype"),
]
OPTIONS = {"A": "Metformin", "B": "Glipizide", "C": "Warfarin"}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return make_graph(tmp_path_factory.mktemp("graph"), FACTS)


def program(graph: GraphStore, *, ask: bool = False) -> Curate:
    linker = GraphLinker(graph)
    return Curate(graph, linker, Grounder(linker), Aligner(graph), ask=ask)


def ask(text: str, options: dict[str, str] | None = None, **changed: Any) -> Question:
    chosen = OPTIONS if options is None else options
    fields = {"id": "q", "source": "s", "text": text, "options": chosen, "labelled": True}
    return Question.model_validate({**fields, "gold": "A" if chosen else None, **changed})


def joined(found: Curation) -> list[tuple[str, str]]:
    return [(path.option, path.text) for path in found.paths]


def test_a_question_with_paths_is_kept_with_its_patient(graph: GraphStore) -> None:
    found = program(graph)(ask("A 62-year-old woman with type 2 diabetes mellitus has nausea."))
    assert joined(found) == [
        ("A", "Metformin is indicated for type 2 diabetes mellitus"),
        ("B", "Glipizide is indicated for type 2 diabetes mellitus"),
        ("A", "Metformin can cause Nausea"),
    ]
    assert (found.stage, found.reason) == ("paths", None)
    assert found.patient is not None and found.patient.age is not None
    assert (found.patient.age.low, found.patient.sex) == (62, "female")


def test_what_is_denied_or_a_relatives_joins_nothing(graph: GraphStore) -> None:
    found = program(graph)(ask("He denies nausea. His mother has type 2 diabetes mellitus."))
    assert (found.paths, found.reason) == ((), "no entity")
    assert found.detail.startswith("question: all 2 entities are denied or a relative's")
    assert {entity.assertion for entity in found.entities if entity.place == "question"} == {
        "absent",
        "family",
    }


def test_a_mention_that_is_also_stated_counts_as_present(graph: GraphStore) -> None:
    found = program(graph)(ask("He denies nausea at rest. Nausea began after lunch."))
    assert joined(found) == [("A", "Metformin can cause Nausea")]


@pytest.mark.parametrize(
    ("question", "reason", "stage", "detail"),
    [
        (ask("Nausea.", {}), "no options", None, "0 options"),
        (ask("Nausea.", labelled=False, gold=None), "no answer", None, "which option is right"),
        (
            ask("Which statement is true?"),
            "no entity",
            "options",
            "question: names no entity (looked for by the graph's names alone)",
        ),
        (
            ask("Nausea.", {"A": "Reassurance", "B": "Surgery"}),
            "no entity",
            "options",
            "options: name no entity",
        ),
        (
            ask("Lactic acidosis.", {"A": "Warfarin", "B": "Glipizide"}),
            "no path",
            "aligned",
            "no edge joins question (lactic acidosis) and options (Warfarin, Glipizide)",
        ),
    ],
)
def test_a_dropped_question_has_its_reason(
    graph: GraphStore, question: Question, reason: str, stage: str | None, detail: str
) -> None:
    found = program(graph)(question)
    assert (found.reason, found.stage, found.patient) == (reason, stage, None)
    assert detail in found.detail


def test_a_name_in_a_longer_one_is_another_thing(graph: GraphStore) -> None:
    found = program(graph)(ask("Nausea.", {"A": "Iron deficiency", "B": "Iron"}))
    assert [path.option for path in found.paths] == ["B"]


def test_an_entity_does_not_join_itself(graph: GraphStore) -> None:
    found = program(graph)(ask("Metformin was begun.", {"A": "Metformin", "B": "Warfarin"}))
    assert found.reason == "no path"


def reply(call: Any) -> dict[str, Any]:
    return {
        "question_entities": ["T2D disease", "Nausea", "type 2 diabetes mellitus"],
        "option_entities": [
            {"option": "A", "entities": ["Metformin"]},
            {"option": "B", "entities": ["Insulin"]},
        ],
    }


def test_a_model_names_entities_and_only_written_ones_count(graph: GraphStore) -> None:
    model = ScriptedLM(reply, role="annotator")
    with dspy.context(lm=model, adapter=QkgramAdapter(reasks=0)):
        found = program(graph, ask=True)(ask("Type 2 diabetes mellitus, but he denies nausea."))
    assert found.unwritten == 2  # `T2D disease` and `Insulin` stand nowhere
    assert joined(found) == [("A", "Metformin is indicated for type 2 diabetes mellitus")]
    assert [(e.name, e.assertion) for e in found.entities][0] == ("Nausea", "absent")
    assert "A. Metformin" in model.asked[0].user


def test_a_name_that_means_nothing_here_is_not_grounded(graph: GraphStore) -> None:
    said = {"question_entities": ["Quux fever"], "option_entities": [
        {"option": "A", "entities": ["Metformin"]}]}  # fmt: skip
    with dspy.context(lm=ScriptedLM([said]), adapter=QkgramAdapter(reasks=0)):
        found = program(graph, ask=True)(ask("A man has quux fever."))
    assert (found.reason, found.stage) == ("not grounded", "entities")
    assert found.detail == "question: none of 1 entities has a meaning here (Quux fever)"


def test_programs_are_copied_without_their_graph(graph: GraphStore, tmp_path: Path) -> None:
    curate = program(graph, ask=True)
    copy = curate.deepcopy()
    assert copy.graph is curate.graph and copy.grounder is curate.grounder
    assert copy.aligner is curate.aligner
