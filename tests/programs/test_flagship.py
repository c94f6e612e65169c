"""`qkgram` beyond its claims: joins decide where no claim does, within few calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from metrics.outcomes import outcome
from programs.decide import Decision, Standing
from programs.qkgram import by_joins
from programs.toolbox import Toolbox
from signatures.schema import OptionScore, Question
from tests.programs.test_programs import run, scripted

MOST_CALLS = 6
"""Model calls of one multiple-choice question."""


def scores(**points: float) -> list[OptionScore]:
    return [OptionScore(option=letter, score=p, known=True) for letter, p in points.items()]


def undecided(**standings: Standing) -> Decision:
    return Decision(None, dict(standings), "the graph does not decide")


def test_joins_decide_where_no_claim_does() -> None:
    found = by_joins(undecided(A="open", B="open"), scores(A=0.1, B=0.6))
    assert found.choice == "B"


@pytest.mark.parametrize(
    ("decision", "points"),
    [
        (undecided(A="open", B="against"), {"A": 0.1, "B": 0.6}),
        (undecided(A="open", B="open"), {"A": 0.6, "B": 0.6}),
        (undecided(A="open", B="open"), {"A": 0.0, "B": 0.0}),
    ],
    ids=["what is ruled out stays out", "a tie", "nothing joins"],
)
def test_joins_decide_nothing_else(decision: Decision, points: Mapping[str, float]) -> None:
    assert by_joins(decision, scores(**points)) == decision


def test_a_decision_by_claims_stands() -> None:
    decided = Decision("A", {"A": "for", "B": "open"}, "only A is supported")
    assert by_joins(decided, scores(A=0.1, B=0.9)) == decided


def test_a_model_that_claims_nothing_costs_few_calls_and_few_errors(
    tools: Toolbox, sample: Mapping[str, Question]
) -> None:
    kinds: Counter[str] = Counter()
    for question in (q for q in sample.values() if q.split == "test"):
        script = scripted(
            question,
            answer_claims={"answer": "none", "claims": []},
            reasoning_answer={"reasoning": "none", "answer": "none"},
        )
        said, model = run("qkgram", tools, question, script)
        assert len(model.asked) <= MOST_CALLS
        kinds[outcome(question, said.response.llm_answer_choice).kind] += 1
    assert kinds["correct"] >= 20
    assert kinds["wrong"] <= 6


def test_where_the_graph_is_silent_the_model_is_asked_alone_and_the_answer_says_so(
    tools: Toolbox,
) -> None:
    question = Question(
        id="q",
        source="user",
        text="Which paint dries first?",
        options={"A": "Oil", "B": "Gouache"},
    )
    script = scripted(
        question,
        answer_claims={"answer": "A", "claims": []},
        reasoning_answer={"reasoning": "water dries sooner", "answer": "B"},
    )
    said, model = run("qkgram", tools, question, script)
    assert "findings" not in model.asked[-1].user
    assert said.response.llm_answer_choice == "B"
    assert said.notes[-1] == "the graph says nothing of any option: the model answers alone"


def test_a_graph_that_rules_an_option_out_is_not_silent() -> None:
    assert undecided(A="open", B="open").silent
    assert not undecided(A="open", B="against").silent
    assert not Decision("A", {"A": "open", "B": "open"}, "joins").silent
