"""QKG's algorithm 1, its settings and both case studies of §5.2; only the model is scripted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dspy
import pytest

from data.paths import sample_dir
from data.questions import read_questions
from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.registry import ProgramSettings, build_program
from programs.toolbox import Toolbox
from retrievers.patient import read_patient
from signatures.schema import Claim, Question
from tests.programs.case_studies import (
    HEEL,
    HEEL_FACTS,
    HEEL_ITEMS,
    LYSIS,
    LYSIS_FACTS,
    LYSIS_ITEMS,
    STROKE,
    TENDON,
)
from tests.programs.small import by_fields, toolbox


def claim(option: str, head: str, predicate: str, tail: str, *, supports: bool = True) -> Claim:
    return Claim.model_validate(
        {
            "option": option,
            "head": head,
            "predicate": predicate,
            "tail": tail,
            "supports": supports,
        }
    )


def question(text: str, options: dict[str, str]) -> Question:
    return Question(id="q", source="test", text=text, options=options)


def run(
    tools: Toolbox, asked: Question, claims: list[Claim], *, first: str, **settings: Any
) -> tuple[dspy.Prediction, ScriptedLM]:
    """Run `qkg`; asked to reconsider, the model takes the first option that the report confirms."""
    model = ScriptedLM(
        by_fields(
            answer_claims={"answer": first, "claims": claims},
            reasoning_answer=lambda call: {"reasoning": "as reported", "answer": confirmed(call)},
            verdicts={"verdicts": []},
        )
    )
    program = build_program("qkg", tools=tools, settings=ProgramSettings(**settings))
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        return program(question=asked), model


def confirmed(call: Any) -> str:
    found = [line[0] for line in call.user.splitlines() if ": SUPPORTED " in line]
    return found[0] if found else "none"


def stages(model: ScriptedLM) -> list[str]:
    return ["_".join(call.fields) for call in model.asked]


@pytest.fixture(scope="module")
def lysis(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    return toolbox(tmp_path_factory.mktemp("lysis"), LYSIS_FACTS, LYSIS_ITEMS)


CLAIMS = [
    claim("A", "Alteplase", "treats", "ischemic stroke"),
    claim("B", "Aspirin", "treats", "ischemic stroke"),
]


def test_case_study_of_the_platelet_threshold(lysis: Toolbox) -> None:
    """QKG §5.2, figure 3 below: 95,000/mm³ rules out IV tPA, and the report says AVOID (K02)."""
    asked = question(STROKE.format(age=68, platelets="95,000"), LYSIS)
    said, model = run(lysis, asked, CLAIMS, first="A")
    tpa = said.report[0]
    assert (tpa.status, tpa.label) == ("CONTRADICTED", "AVOID")
    assert "AVOID" in tpa.reason
    assert "platelets 95000 /µL < 100000 → MET" in tpa.reason
    assert (said.first.llm_answer_choice, said.response.llm_answer_choice) == ("A", "B")
    assert stages(model) == ["answer_claims", "reasoning_answer"]
    assert "AVOID" in model.asked[-1].user


def test_just_above_the_threshold_nothing_is_reconsidered(lysis: Toolbox) -> None:
    asked = question(STROKE.format(age=68, platelets="105,000"), LYSIS)
    said, model = run(lysis, asked, CLAIMS, first="A")
    assert (said.report[0].status, said.report[0].label) == ("SUPPORTED", "RECOMMENDED")
    assert said.response == said.first
    assert stages(model) == ["answer_claims"]


def test_without_context_the_threshold_is_not_seen(lysis: Toolbox) -> None:
    asked = question(STROKE.format(age=68, platelets="95,000"), LYSIS)
    said, model = run(lysis, asked, CLAIMS, first="A", use_context=False)
    assert [v.status for v in said.report] == ["SUPPORTED", "SUPPORTED"]
    assert said.response.llm_answer_choice == "A"
    assert stages(model) == ["answer_claims"]


def test_without_a_validator_the_first_answer_is_final(lysis: Toolbox) -> None:
    asked = question(STROKE.format(age=68, platelets="95,000"), LYSIS)
    said, model = run(lysis, asked, CLAIMS, first="A", validator="none")
    assert said.report == ()
    assert said.response == said.first
    assert stages(model) == ["answer_claims"]


def test_no_coverage_is_no_reason_to_reconsider(lysis: Toolbox) -> None:
    asked = question("A man asks. Which?", LYSIS)
    unknown = [claim("A", "Zzzol", "treats", "unheard syndrome")]
    said, model = run(lysis, asked, unknown, first="A")
    assert {v.status for v in said.report} <= {"NO_COVERAGE", "SUPPORTED"}
    assert stages(model) == ["answer_claims"]
    assert said.not_covered
    reason = said.report[0].reason
    assert reason.startswith("unverifiable: the graph does not know Zzzol; the graph does not")
    assert any("unverifiable" in note for note in said.notes)


@pytest.mark.parametrize(
    ("validity", "unmet", "expected"),
    [
        ("conventional", "exclude", 1.0),
        ("mu", "exclude", 0.5),
        ("explicit", "exclude", 0.0),
        ("explicit", "downweight", 0.0),
    ],
)
def test_validity_functions_are_selectable(
    lysis: Toolbox, validity: str, unmet: str, expected: float
) -> None:
    asked = question(STROKE.format(age=68, platelets="95,000"), LYSIS)
    said, _ = run(lysis, asked, CLAIMS, first="A", validity=validity, unmet=unmet)
    (evidence,) = said.report[0].evidence
    assert evidence.validity == expected


def test_a_relation_stated_for_others_only_is_excluded_or_weighed_down(tmp_path: Path) -> None:
    tools = toolbox(
        tmp_path,
        [("Drugone", "drug", "indication", "gout", "disease")],
        {("Drugone", "indication", "gout"): [("pregnant", "Definitely Applicable")]},
    )
    asked = question("A 40-year-old man has gout. Which?", {"A": "Drugone", "B": "Drugtwo"})
    claims = [claim("A", "Drugone", "treats", "gout")]
    for unmet, value in (("exclude", 0.0), ("downweight", 0.25)):
        said, _ = run(tools, asked, claims, first="A", unmet=unmet)
        assert said.report[0].evidence[0].validity == value


def test_the_llm_validity_asks_the_model_for_every_condition(lysis: Toolbox) -> None:
    asked = question(STROKE.format(age=68, platelets="95,000"), LYSIS)

    def judge(call: Any) -> Mapping[str, Any]:
        lines = [line for line in call.user.splitlines() if line.startswith("e")]
        return {
            "verdicts": [
                {"id": line.split(":")[0], "verdict": "MET" if "platelet" in line else "NOT_MET"}
                for line in lines
            ]
        }

    model = ScriptedLM(
        by_fields(
            answer_claims={"answer": "A", "claims": CLAIMS},
            reasoning_answer={"reasoning": "r", "answer": "B"},
            verdicts=judge,
        )
    )
    program = build_program("qkg", tools=lysis, settings=ProgramSettings(validity="llm"))
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        said = program(question=asked)
    verdicts = said.report[0].evidence[0].verdicts
    assert [v.decided_by for v in verdicts] == ["model", "model"]
    assert said.report[0].status == "CONTRADICTED"
    assert "general population" not in model.asked[1].user


TENDON_CLAIMS = [
    claim("A", "plantar fasciitis", "presents", "Pain above the heel"),
    claim("B", "Ciprofloxacin", "causes", "Tendinopathy"),
]


@pytest.fixture(scope="module")
def tendon(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    return toolbox(tmp_path_factory.mktemp("tendon"), HEEL_FACTS, HEEL_ITEMS)


def test_case_study_of_combined_risks(tendon: Toolbox) -> None:
    """QKG §5.2, figure 3 above: age, smoking, alcohol and the time since ciprofloxacin."""
    habits = "He smokes a pack of cigarettes per day and drinks two beers every evening."
    text = TENDON.format(age=63, habits=habits, ago="10 days ago")
    said, model = run(tendon, question(text, HEEL), TENDON_CLAIMS, first="A")
    assert [v.status for v in said.report] == ["CONTRADICTED", "SUPPORTED"]
    for factor in ("age 63 > 60", "smoking → MET", "alcohol use → MET", "10 days ago"):
        assert factor in said.report[1].reason
    assert (said.first.llm_answer_choice, said.response.llm_answer_choice) == ("A", "B")


@pytest.mark.parametrize(
    ("age", "habits", "ago", "status"),
    [
        (25, "He has never smoked and does not drink alcohol.", "10 days ago", "NO_COVERAGE"),
        (63, "He has never smoked and does not drink alcohol.", "2 years ago", "CONTRADICTED"),
        (63, "", "10 days ago", "NO_COVERAGE"),
    ],
)
def test_the_same_triplet_in_other_patients(
    tendon: Toolbox, age: int, habits: str, ago: str, status: str
) -> None:
    text = TENDON.format(age=age, habits=habits, ago=ago)
    said, _ = run(tendon, question(text, HEEL), TENDON_CLAIMS, first="A")
    assert said.report[1].status == status


# --- the sample: gold claims, no model knowledge -------------------------------------------------


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    from retrievers.build import build_store
    from retrievers.embedding import SentenceEncoder
    from retrievers.evidence import EvidenceFinder
    from retrievers.graph import GraphStore
    from retrievers.linking import GraphLinker
    from retrievers.region import RegionBuilder

    store = tmp_path_factory.mktemp("sample") / "store"
    build_store(sample_dir() / "kg.csv", store, constraints=sample_dir() / "constraints.jsonl")
    graph = GraphStore.open(store)
    linker = GraphLinker(graph)
    regions = RegionBuilder(graph, linker, SentenceEncoder())
    return Toolbox(graph, linker, regions, EvidenceFinder(graph, linker))


def graph_decisions(tools: Toolbox, **settings: Any) -> tuple[int, int]:
    """Return how many sample questions the graph alone decides rightly, and how many wrongly."""
    from programs.decide import decide
    from programs.validate import Validate

    seed = settings.pop("shuffle", None)
    if seed is not None:
        tools = tools._replace(evidence=tools.evidence.shuffled(seed))
    validate, right, wrong = Validate(tools, **settings), 0, 0
    with dspy.context(lm=ScriptedLM(lambda call: {"verdicts": []}), adapter=QkgramAdapter()):
        for asked in read_questions(sample_dir() / "questions.jsonl"):
            claims = [gold.claim for gold in asked.gold_claims]
            patient = read_patient(asked.text, linker=tools.linker)
            choice = decide(validate(claims, patient, asked.text), asked.options).choice
            gold = asked.gold or "abstain"
            right, wrong = right + (choice == gold), wrong + (choice not in (None, gold))
    return right, wrong


def test_the_context_effect_vanishes_when_the_items_are_shuffled(sample: Toolbox) -> None:
    """The control: items of other triplets must not help; the right ones must."""
    with_context = graph_decisions(sample)
    without = graph_decisions(sample, use_context=False)
    shuffled = [graph_decisions(sample, shuffle=seed) for seed in range(3)]
    assert with_context[0] > without[0]
    assert with_context[1] == 0
    for right, wrong in shuffled:
        assert right < with_context[0] / 2
        assert right <= without[0] + 5
        assert wrong >= with_context[1]
