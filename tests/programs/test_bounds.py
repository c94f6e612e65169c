"""Whatever a model says: nothing outside the region is cited, and a setting changes its step alone.

The model is random here (hypothesis); graph, linker and all checks are real.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dspy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedCall, ScriptedLM
from programs.registry import ProgramSettings, build_program
from programs.toolbox import Toolbox
from signatures.schema import Hop, Question
from tests.programs.hybrid import (
    INSIDE,
    OUTSIDE,
    gout_region,
    gout_tools,
    hop,
    reviews,
    revised,
    said,
)

NAMES = st.sampled_from([*INSIDE, *OUTSIDE, "Wonderin", "", "gout (disease)"])
RELATIONS = st.sampled_from(
    ["indication", "contraindication", "drug_effect", "drug_protein", "drug_drug", "cures", ""]
)
TRIPLETS = st.tuples(NAMES, RELATIONS, NAMES)
PROBABILITIES = st.floats(-0.5, 1.5, allow_nan=False)
CITED = st.lists(
    st.one_of(
        st.integers(0, 9).map(lambda n: f"e{n}"),
        st.integers(0, 5).map(lambda n: f"h{n}"),
        st.sampled_from(["[e1]", " h1 ", "Colchicine", ""]),
    ),
    max_size=8,
)


@pytest.fixture(scope="module")
def gout(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    return gout_tools(Path(tmp_path_factory.mktemp("gout")))


@given(
    proposed=st.lists(TRIPLETS, max_size=6),
    corrected=st.lists(TRIPLETS, max_size=4),
    chances=st.lists(PROBABILITIES, min_size=4, max_size=4),
    cited=CITED,
    reviewer=st.sampled_from(["lm", None]),
    rounds=st.integers(0, 3),
)
@settings(max_examples=60, deadline=None)
def test_nothing_outside_the_region_is_used_or_cited(
    gout: Toolbox,
    proposed: list[tuple[str, str, str]],
    corrected: list[tuple[str, str, str]],
    chances: list[float],
    cited: list[str],
    reviewer: str | None,
    rounds: int,
) -> None:
    region = gout_region(gout)
    answered, model = hop(
        gout,
        region,
        proposed=said(*proposed),
        revise=revised(**{f"h{n}": t for n, t in enumerate(corrected, start=1)}),
        review=reviews(*chances),
        cited=cited,
        reviewer=reviewer,
        max_revisions=rounds,
    )
    check_hop(answered, gout)
    for triplet in answered.hypotheses:
        assert triplet.revisions <= rounds
        if triplet.kind in ("approved", "revised"):
            assert triplet.probability is not None and triplet.probability >= 0.5
        if triplet.head is None or triplet.tail is None:
            assert (triplet.kind, triplet.probability) == ("unverifiable", None)
    prompt = next(c.user for c in model.asked if c.fields == ("answer", "cited"))
    assert not any(name in prompt for name in OUTSIDE)


def check_hop(answered: Hop, tools: Toolbox) -> None:
    region = answered.region
    inside = {node.index for node in region.entities}
    used = {f"h{n}": t for n, t in enumerate(answered.hypotheses, start=1) if t.used}
    assert set(answered.cited) <= region.ids
    assert set(answered.cited_hypotheses) <= used.keys()
    assert not set(answered.dropped) & (region.ids | used.keys())
    for triplet in used.values():
        assert triplet.head is not None and triplet.tail is not None
        assert {triplet.head.index, triplet.tail.index} <= inside
        assert triplet.hypothesis.relation in tools.graph.relations
        facts = {(t.head.name, t.relation, t.tail.name) for t in region.triplets}
        assert tuple(triplet.hypothesis.model_dump().values()) not in facts


# --- settings ------------------------------------------------------------------------------------


def script(call: ScriptedCall) -> Mapping[str, Any]:
    """Answer every step of `regram`; HYBRID proposes one triplet, which is rejected at first."""
    if call.fields == ("triplets",):
        return revised(h1=("Losartan", "indication", "kidney disease"))
    if call.fields == ("gap", "triplets"):
        return said(("Metformin", "indication", "kidney disease"))
    if call.fields == ("reviews",):
        return reviews(0.9 if "Losartan" in call.user else 0.1)
    return {
        "domain": {"domain": "DRUG_THERAPY"},
        "sub_questions": {"sub_questions": ["Which drug suits kidney disease?"]},
        "answer_cited": {"answer": "as found", "cited": []},
        "answer_missing": {"answer": "perhaps", "missing": "a trial"},
        "missing_answer": {"missing": "a trial", "answer": "perhaps"},
        "reasoning_answer": {"reasoning": "as found", "answer": "B"},
    }["_".join(call.fields)]


QUESTION = Question(
    id="q",
    source="user",
    text="A man has kidney disease. Which drug suits kidney disease?",
    options={"A": "Metformin", "B": "Losartan"},
)
HYBRID = {"min_relevance": 0.55}
"""Few triplets of the sample's region are this near."""


def run(tools: Toolbox, **changed: Any) -> tuple[dspy.Prediction, list[tuple[str, ...]], list[str]]:
    model = ScriptedLM(script)
    program = build_program("regram", tools=tools, settings=ProgramSettings(**changed))
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        said_now = program(question=QUESTION)
    return said_now, [c.fields for c in model.asked], [c.user for c in model.asked]


def test_every_step_of_hybrid_runs_by_default(tools: Toolbox) -> None:
    said_now, calls, _ = run(tools, **HYBRID)
    assert said_now.hops[0].mode == "HYBRID"
    assert calls == [
        ("domain",),
        ("sub_questions",),
        ("gap", "triplets"),
        ("reviews",),
        ("triplets",),
        ("reviews",),
        ("answer", "cited"),
        ("reasoning", "answer"),
    ]
    assert said_now.reviewer == "lm"
    assert said_now.notes == (
        "hypotheses: 0 approved, 1 revised, 0 rejected, 0 unverifiable (reviewer: lm)",
    )


def test_no_reviewer_takes_away_the_review_and_what_follows_from_it(tools: Toolbox) -> None:
    base, calls, prompts = run(tools, **HYBRID)
    off, fewer, shown = run(tools, **HYBRID, reviewer="none")
    assert shown[:3] == prompts[:3]
    assert fewer == [*calls[:3], *calls[6:]]
    assert off.hops[0].region == base.hops[0].region
    assert off.reviewer is None
    assert "1 unreviewed (reviewer: none)" in off.notes[0]


def test_no_revisions_take_away_the_revisions_alone(tools: Toolbox) -> None:
    _, calls, prompts = run(tools, **HYBRID)
    off, fewer, shown = run(tools, **HYBRID, max_revisions=0)
    assert shown[:4] == prompts[:4]
    assert fewer == [*calls[:4], *calls[6:]]
    assert [t.kind for t in off.hops[0].hypotheses] == ["rejected"]


def test_the_threshold_changes_the_verdict_alone(tools: Toolbox) -> None:
    _, _, prompts = run(tools, **HYBRID)
    low, _, shown = run(tools, **HYBRID, review_threshold=0.05)
    assert shown[:4] == prompts[:4]
    assert [t.kind for t in low.hops[0].hypotheses] == ["approved"]


@pytest.mark.parametrize(
    "changed", [{"reviewer": "none"}, {"max_revisions": 0}, {"review_threshold": 0.9}]
)
def test_settings_of_hybrid_change_nothing_of_a_strict_hop(
    tools: Toolbox, changed: dict[str, Any]
) -> None:
    base, _, prompts = run(tools)
    assert base.hops[0].mode == "KG-STRICT"
    other, _, shown = run(tools, **changed)
    assert shown == prompts
    assert other.hops == base.hops and other.notes == base.notes == ()


@pytest.mark.parametrize("program", ["regram", "qkgram"])
def test_withheld_options_are_in_no_prompt(tools: Toolbox, program: str) -> None:
    model = ScriptedLM(script)
    changed = ProgramSettings(withhold_options=True)
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        answered = build_program(program, tools=tools, settings=changed)(question=QUESTION)
    assert not any("options:" in call.user for call in model.asked)
    assert not any("A. Metformin" in call.user for call in model.asked)
    assert answered.response.selected_option_text is None
    assert model.asked[0].user == run(tools)[2][0]


@pytest.mark.parametrize("options", [QUESTION.options, {}])
def test_direct_answers_in_words_what_has_no_options(options: dict[str, str]) -> None:
    model = ScriptedLM([{"reasoning": "r", "answer": "linagliptin"}])
    asked = QUESTION.model_copy(update={"options": options})
    settings = ProgramSettings(withhold_options=bool(options))
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        answered = build_program("direct", tools=None, settings=settings)(question=asked)
    (call,) = model.asked
    assert "options" not in call.user and "letter" not in call.system
    assert answered.response.llm_answer_choice == "linagliptin"
