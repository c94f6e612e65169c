"""The agent validator: bounded, closed world, outages raised; known_failures K02, K05, K09, D22."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import dspy
import pytest
from dspy.utils.exceptions import ContextWindowExceededError

from optimize.adapter import QkgramAdapter
from optimize.call_errors import CallFailed
from optimize.scripted import ScriptedLM
from programs.agent_search import MAX_ERRORS, MAX_TURNS
from programs.toolbox import Toolbox
from programs.validate_agent import SKIPPED, AgentReport, ValidateWithAgent
from retrievers.patient import read_patient
from signatures.errors import ModelCallError, ParseError
from signatures.schema import Claim
from tests.programs.small import toolbox

TEXT = "A 68-year-old man has an ischemic stroke and a platelet count of 95,000/mm³."
CLAIMS = [
    Claim(option="A", head="Alteplase", predicate="treats", tail="ischemic stroke", supports=True),
    Claim(option="B", head="Aspirin", predicate="treats", tail="ischemic stroke", supports=True),
]
LOOK = ("thought", "call")


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    facts = [
        ("Alteplase", "drug", "indication", "ischemic stroke", "disease"),
        ("Aspirin", "drug", "indication", "ischemic stroke", "disease"),
        *(
            ("Busydrug", "drug", "drug_effect", f"Effect {number}", "effect/phenotype")
            for number in range(30)
        ),
        ("Busydrug", "drug", "contraindication", "ischemic stroke", "disease"),
    ]
    items = {
        ("Alteplase", "indication", "ischemic stroke"): [
            ("general population", "Definitely Applicable"),
            ("platelet count < 100,000/mm³", "Definitely NOT Applicable"),
        ]
    }
    return toolbox(tmp_path_factory.mktemp("agent"), facts, items)


def node(tools: Toolbox, name: str) -> str:
    found = tools.linker.link_name(name).node
    assert found is not None
    return f"n{found.index}"


def edge(tools: Toolbox, name: str) -> str:
    ends = [tools.linker.link_name(n).node for n in (name, "ischemic stroke")]
    return f"e{int(tools.graph.between(*(n.index for n in ends if n))[0])}"


Verdicts = list[Any]


def look(action: str) -> dict[str, Any]:
    return call(action)


def call(tool: str, entity: str = "", other: str = "", relation: str = "") -> dict[str, Any]:
    named = {"tool": tool, "entity": entity, "other": other, "relation": relation}
    return {"thought": "t", "call": named}


def agent(
    tools: Toolbox, actions: list[Any], verdicts: Any, **settings: Any
) -> tuple[AgentReport, ScriptedLM]:
    """Run the agent; the last action is repeated for ever."""
    turns = iter(actions)

    def script(call: Any) -> Any:
        if call.fields == LOOK:
            action = next(turns, actions[-1])
            return look(action) if isinstance(action, str) else action
        return verdicts(call) if callable(verdicts) else {"verdicts": verdicts}

    model = ScriptedLM(script)
    validate = ValidateWithAgent(tools, **settings)
    with dspy.context(lm=model, adapter=QkgramAdapter(reasks=0)):
        return validate(CLAIMS, read_patient(TEXT), TEXT), model


def lookups(tools: Toolbox) -> list[str]:
    a, b, s = (node(tools, name) for name in ("Alteplase", "Aspirin", "ischemic stroke"))
    return [
        'search_entities("alteplase", type="drug")',
        'search_entities("aspirin")',
        'ACTION: search_entity("ischemic stroke")',
        f'get_relations_with_context("{a}", "{s}")',
        f'get_relations_with_context("{b}", "{s}")',
        "finish()",
    ]


def said(claim: str, status: str, *cited: str) -> dict[str, Any]:
    return {"claim": claim, "status": status, "cited": list(cited), "evidence": "The fact says so."}


def test_a_constraint_becomes_a_context_token_in_the_report(tools: Toolbox) -> None:
    alteplase, aspirin = edge(tools, "Alteplase"), edge(tools, "Aspirin")
    found, model = agent(
        tools,
        lookups(tools),
        [said("c1", "CONTRADICTED", alteplase), said("c2", "SUPPORTED", aspirin)],
    )
    first, second = found.report
    assert (first.status, first.label) == ("CONTRADICTED", "AVOID")
    assert "F=0 AVOID" in first.reason
    assert (second.status, second.label) == ("SUPPORTED", "RECOMMENDED")
    seen = model.asked[-1].user
    assert "Definitely NOT Applicable for 'platelet count < 100,000/mm³': MET" in seen
    assert found.notes[0] == f"agent: 5 of {MAX_TURNS} tool turns, 0 wrong calls"


def test_without_context_no_constraint_is_shown(tools: Toolbox) -> None:
    alteplase = edge(tools, "Alteplase")
    found, model = agent(
        tools, lookups(tools), [said("c1", "SUPPORTED", alteplase)], use_context=False
    )
    assert "platelet count <" not in model.asked[-1].user.split("seen")[-1]
    assert found.report[0].status == "SUPPORTED"


def test_only_triplets_that_a_tool_returned_are_cited(tools: Toolbox) -> None:
    aspirin = edge(tools, "Aspirin")
    found, _ = agent(tools, lookups(tools), [said("c2", "SUPPORTED", f"[{aspirin}]", "e99999")])
    assert [e.triplet.id for e in found.report[1].evidence] == [aspirin]
    assert any("1 cited triplets dropped" in note for note in found.notes)


def test_what_the_model_knows_by_itself_decides_nothing(tools: Toolbox) -> None:
    found, _ = agent(tools, ["finish"], [said("c1", "CONTRADICTED"), said("c2", "SUPPORTED", "e1")])
    assert [v.status for v in found.report] == ["NO_COVERAGE", "NO_COVERAGE"]
    assert sum("without a triplet" in note for note in found.notes) == 2


def test_odd_verdicts_are_tolerated_and_missing_ones_are_no_coverage(tools: Toolbox) -> None:
    aspirin = edge(tools, "Aspirin")
    odd = [{"claim": "c2", "status": "PARTIAL_COVERAGE", "cited": aspirin, "score": 3}]
    found, _ = agent(tools, lookups(tools), odd)
    assert [v.status for v in found.report] == ["NO_COVERAGE", "NO_COVERAGE"]
    assert found.report[0].reason == SKIPPED
    assert any("'PARTIAL_COVERAGE' is none of the three" in note for note in found.notes)
    found, _ = agent(tools, lookups(tools), ["c1: SUPPORTED", "c2: NO_COVERAGE", "c7: SUPPORTED"])
    assert [v.status for v in found.report] == ["NO_COVERAGE", "NO_COVERAGE"]


def test_verdicts_without_a_reading_are_never_support(tools: Toolbox) -> None:
    found, _ = agent(tools, lookups(tools), lambda call: '{"verdicts": "all supported"}')
    assert {v.status for v in found.report} == {"NO_COVERAGE"}
    assert any("have no reading" in note for note in found.notes)


def test_verdicts_as_a_string_of_json_are_read(tools: Toolbox) -> None:
    """C22: nested JSON that came as a string."""
    aspirin = edge(tools, "Aspirin")
    nested = f'[{{"claim": "c2", "status": "SUPPORTED", "cited": ["{aspirin}"], "evidence": ""}}]'
    found, _ = agent(tools, lookups(tools), lambda call: {"verdicts": nested})
    assert found.report[1].status == "SUPPORTED"


@pytest.mark.parametrize("turns", [3, MAX_TURNS])
def test_the_turns_are_bounded(tools: Toolbox, turns: int) -> None:
    actions = [f'search_entities("aspirin {number}")' for number in range(turns + 1)]
    found, model = agent(tools, actions, [], turns=turns)
    assert len(model.asked) == turns + 1
    assert found.notes[0] == f"agent: {turns} of {turns} tool turns, 0 wrong calls, not finished"


@pytest.mark.parametrize(
    ("action", "hint"),
    [
        ('get_relations_with_context("n1")', "is no id that search_entities returned"),
        ("drop_table()", "no tool is called 'drop_table'"),
        ("search_entities('Crohn's')", "double quotes"),
        ('search_entities("x", type="planet")', "no node has type"),
        ('search_entities("x", "drug", "y")', "takes name and type"),
        ('search_entities("x", limit=3)', "has no argument 'limit'"),
        ("search_entities()", "needs a name"),
        ('search_entities("a".__class__.__mro__)', "no plain text"),
    ],
)
def test_a_wrong_call_is_one_short_line_and_counted(tools: Toolbox, action: str, hint: str) -> None:
    found, model = agent(tools, [action, "finish"], [])
    error = next(line for line in model.asked[1].user.splitlines() if line.startswith("ERROR"))
    assert hint in error
    assert len(error) < 300
    assert "1 wrong calls" in found.notes[0]


def test_too_many_wrong_calls_fail_the_question(tools: Toolbox) -> None:
    with pytest.raises(ParseError, match=f"{MAX_ERRORS + 1} wrong calls"):
        agent(tools, ["nonsense()"], [])


def test_a_bug_in_a_tool_is_no_observation(tools: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """K02: the release turned an AttributeError into text that the model read."""

    def broken(*args: object, **kwargs: object) -> None:
        raise AttributeError("no such method")

    monkeypatch.setattr(tools.graph, "between", broken)
    with pytest.raises(AttributeError):
        agent(tools, lookups(tools), [])


def test_turns_without_a_reading_cost_a_turn_and_three_end_the_search(tools: Toolbox) -> None:
    found, model = agent(tools, [{"junk": 1}, *lookups(tools)], [])
    assert any("1 turns had no reading" in note for note in found.notes)
    found, model = agent(tools, [{"junk": 1}], [])
    assert len(model.asked) == 4


def test_a_call_made_before_brings_nothing_and_three_end_the_search(tools: Toolbox) -> None:
    found, model = agent(tools, ['search_entities("aspirin")'], [])
    assert "asked before" in model.asked[2].user
    assert any("3 calls had been made before" in note for note in found.notes)
    assert len(model.asked) == 5


def test_facts_of_another_relation_are_shown_as_such(tools: Toolbox) -> None:
    asked = call("get_relations_with_context", "alteplase", "ischemic stroke", "contraindication")
    _, model = agent(tools, [asked, "finish"], [])
    assert "none is contraindication:\n" in model.asked[1].user
    assert "Alteplase is indicated for ischemic stroke" in model.asked[1].user


def test_a_claim_that_was_looked_up_is_not_shown_again(tools: Toolbox) -> None:
    first = call("get_relations_with_context", "Alteplase", "ischemic stroke", "none")
    second = call("get_relations_with_context", "ischemic stroke", "aspirin")
    _, model = agent(tools, [first, second, "finish"], [])
    assert "c1" not in model.asked[1].user
    assert "c2: Aspirin treats ischemic stroke" in model.asked[1].user
    assert "all were looked up: finish" in model.asked[2].user
    assert "c1: Alteplase treats ischemic stroke" in model.asked[-1].user


def test_a_name_that_the_graph_does_not_know_is_no_wrong_call(tools: Toolbox) -> None:
    asked = call("get_relations_with_context", "Zzzol", "ischemic stroke")
    found, model = agent(tools, [asked, "finish"], [])
    assert "the graph does not know Zzzol" in model.asked[1].user
    assert "0 wrong calls" in found.notes[0]


def test_verdicts_that_are_left_out_are_asked_for_while_each_call_brings_one(
    tools: Toolbox,
) -> None:
    def one(asked: Any) -> dict[str, Any]:
        name = "c1" if "c1: " in asked.user else "c2"
        return {"verdicts": [said(f"{name}: so and so", "NO_COVERAGE")]}

    found, model = agent(tools, ["finish"], one)
    assert len(model.asked) == 3
    assert not any(SKIPPED in note for note in found.notes)


def test_a_claims_own_word_asks_for_every_relation(tools: Toolbox) -> None:
    asked = call("get_relations_with_context", "alteplase", "ischemic stroke", "treats")
    found, model = agent(tools, [asked, "finish"], [])
    assert "Alteplase is indicated for ischemic stroke" in model.asked[1].user
    assert "0 wrong calls" in found.notes[0]


def test_an_error_names_what_there_is(tools: Toolbox) -> None:
    wrong = call("get_relations_with_context", "alteplase", "ischemic stroke", "cures")
    _, model = agent(tools, [wrong, "finish"], [])
    assert "no relation is called 'cures'; here are indication" in model.asked[1].user
    assert "c1: Alteplase treats ischemic stroke" in model.asked[1].user


def test_an_outage_is_raised_and_never_a_verdict(tools: Toolbox) -> None:
    with pytest.raises(ModelCallError):
        agent(tools, ['search_entities("aspirin")', CallFailed("the server is away")], [])


def overflow(limit: int) -> Callable[[Any], Any]:
    """A context that holds `limit` observations."""
    numbers = count()

    def reply(call: Any) -> Any:
        if call.user.count("\n> ") > limit:
            return ContextWindowExceededError(message="too long")
        if call.fields == LOOK:
            return look(f'search_entities("aspirin {next(numbers)}")')
        return {"verdicts": []}

    return reply


def test_a_full_context_loses_its_oldest_observations(tools: Toolbox) -> None:
    model = ScriptedLM(overflow(2))
    validate = ValidateWithAgent(tools, turns=8)
    with dspy.context(lm=model, adapter=QkgramAdapter(reasks=0)):
        found = validate(CLAIMS, read_patient(TEXT), TEXT)
    assert any("left out, the context was full" in note for note in found.notes)
    assert {v.status for v in found.report} == {"NO_COVERAGE"}


def test_a_hub_shows_both_relations_and_says_how_many_there_are(tools: Toolbox) -> None:
    """A19: thirty effects never push the one contraindication out of the limit."""
    busy = node(tools, "Busydrug")
    actions = ['search_entities("busydrug")', f'get_relations_with_context("{busy}")', "finish"]
    _, model = agent(tools, actions, [])
    assert "Busydrug is contraindicated in ischemic stroke" in model.asked[-1].user
    assert "20 of 31 shown" in model.asked[-1].user


def test_no_claims_need_no_model(tools: Toolbox) -> None:
    with dspy.context(lm=ScriptedLM([]), adapter=QkgramAdapter()):
        assert ValidateWithAgent(tools)([], read_patient(TEXT), TEXT) == AgentReport((), ())


def test_a_name_that_surely_links_needs_no_search_before(tools: Toolbox) -> None:
    both = call("get_relations_with_context", "alteplase", "ischemic stroke")
    found, model = agent(tools, [both, "finish"], [])
    assert f"{edge(tools, 'Alteplase')}: Alteplase is indicated for" in model.asked[1].user
    assert any("0 wrong calls" in note for note in found.notes)


@pytest.mark.parametrize(
    "asked",
    [
        {"relation": "contraindication"},
        {"relation": "is contraindicated in"},
        {"other": "contraindicated"},
    ],
)
def test_one_relation_can_be_asked_for(tools: Toolbox, asked: dict[str, str]) -> None:
    only = call("get_relations_with_context", "busydrug", **asked)
    _, model = agent(tools, [only, "finish"], [])
    seen = model.asked[1].user
    assert "contraindicated in ischemic stroke" in seen
    assert "Effect" not in seen
