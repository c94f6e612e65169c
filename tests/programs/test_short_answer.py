"""Short answers: one template per mode, and a guess says what is missing."""

from __future__ import annotations

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.short_answer import ShortAnswer, followed, withheld
from signatures.schema import Hop, Mode, QAResponse, Question, Region

QUESTION = Question(id="q", source="user", text="What lowers urate?", options={"A": "Allopurinol"})
EMPTY = Region(query="q", domain="INTEGRATED", anchors=(), triplets=(), relevance=(), candidates=0)


def hop(mode: Mode) -> Hop:
    return Hop(sub_question="What lowers urate?", region=EMPTY, mode=mode, answer="allopurinol")


def answer(*modes: Mode) -> tuple[QAResponse, ScriptedLM]:
    model = ScriptedLM(
        lambda call: {
            "answer": "allopurinol",
            **({"missing": "a trial"} if "missing" in call.fields else {"reasoning": "as found"}),
        }
    )
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        return ShortAnswer()(withheld(QUESTION), [hop(mode) for mode in modes]), model


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("KG-STRICT", "from the findings alone"),
        ("HYBRID", "step by step"),
        ("LLM-GUESS", "Name the evidence that is missing"),
    ],
)
def test_every_mode_has_its_template(mode: Mode, words: str) -> None:
    response, model = answer(mode)
    assert words in model.asked[0].system
    assert f"[{mode}]" in model.asked[0].user
    assert response.llm_answer_choice == "allopurinol"
    assert response.selected_option_text is None


def test_a_guess_names_the_missing_evidence() -> None:
    reasoning = answer("KG-STRICT", "LLM-GUESS")[0].reasoning
    assert reasoning == "No fact of the graph covers this. Missing evidence: a trial"
    assert answer("LLM-GUESS", "KG-STRICT")[0].reasoning == "as found"


def test_the_answer_follows_the_last_hop() -> None:
    assert followed([hop("LLM-GUESS"), hop("HYBRID")]) == "HYBRID"
    assert followed([]) == "LLM-GUESS"


def test_options_are_in_no_prompt() -> None:
    assert "Allopurinol" not in answer("HYBRID")[1].asked[0].user
