"""What `ask` prints of hypotheses: what was proposed, what became of it, and that it is no fact."""

from __future__ import annotations

import io
import json
from typing import get_args

import dspy
import pytest
from rich.console import Console

from optimize.asking import Answered
from optimize.show import answer_json, show_answer
from signatures.schema import (
    Hop,
    Hypothesis,
    Node,
    QAResponse,
    Question,
    Region,
    ReviewedTriplet,
    ReviewKind,
    Triplet,
    Usage,
)

QUESTION = Question(id="q", source="user", text="Which drug treats gout?")
DRUG = Node(index=0, id="1", type="drug", name="Colchicine", source="DrugBank")
FACT = Triplet(
    id="e7",
    head=DRUG,
    relation="indication",
    display_relation="indication",
    tail=DRUG,
    text="Colchicine is indicated for gout",
)


def answered(*hypotheses: ReviewedTriplet, cited: tuple[str, ...] = ()) -> Answered:
    region = Region(
        query="q",
        domain="DRUG_THERAPY",
        anchors=(),
        triplets=(FACT,),
        relevance=(0.5,),
        candidates=1,
    )
    hop = Hop(
        sub_question="Which?",
        region=region,
        mode="HYBRID",
        answer="possibly",
        cited=("e7",),
        hypotheses=hypotheses,
        cited_hypotheses=cited,
    )
    response = QAResponse(llm_answer_choice="x", selected_option_text=None, reasoning="r")
    return Answered(dspy.Prediction(response=response, hops=(hop,)), Usage(), 0.1)


def printed(said: Answered) -> str:
    out = io.StringIO()
    show_answer(QUESTION, said, console=Console(file=out, width=200))
    return out.getvalue()


def proposed(kind: ReviewKind, reason: str = "[bold]probability 0.80[/bold]") -> ReviewedTriplet:
    hypothesis = Hypothesis(head="Allopurinol", relation="indication", tail="gout")
    return ReviewedTriplet(hypothesis=hypothesis, kind=kind, reason=reason)


@pytest.mark.parametrize("kind", get_args(ReviewKind))
def test_every_kind_is_shown_with_its_reason_word_for_word(kind: ReviewKind) -> None:
    text = printed(answered(proposed(kind)))
    assert "stated by no file" in text
    for part in ("h1", "Allopurinol | indication | gout", kind, "[bold]probability 0.80[/bold]"):
        assert part in text


def test_a_cited_hypothesis_is_told_from_a_fact() -> None:
    text = printed(answered(proposed("approved"), cited=("h1",)))
    assert "[e7] Colchicine is indicated for gout" in text
    assert "h1, a hypothesis, not a fact" in text


def test_a_hop_without_hypotheses_has_no_such_table() -> None:
    assert "Hypotheses" not in printed(answered())


def test_json_holds_them() -> None:
    said = json.loads(answer_json(QUESTION, answered(proposed("revised"), cited=("h1",))))
    assert said["hops"][0]["hypotheses"][0]["kind"] == "revised"
    assert said["hops"][0]["cited_hypotheses"] == ["h1"]
