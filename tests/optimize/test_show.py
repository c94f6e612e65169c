"""What `ask` prints of options and proposed triplets: what joins, what became of them, and why."""

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
    ConstraintItem,
    ConstraintVerdict,
    Evidence,
    Hop,
    Hypothesis,
    Join,
    Node,
    OptionScore,
    PatientContext,
    QAResponse,
    Quantity,
    Question,
    Region,
    ReviewedTriplet,
    ReviewKind,
    Span,
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


def test_options_are_shown_with_what_joins_them_and_its_audit() -> None:
    item = ConstraintItem(
        patient_characteristics="eGFR < 30", applicability="Definitely NOT Applicable", evidence="e"
    )
    verdict = ConstraintVerdict(
        id="e7.0", item=item, match="MET", decided_by="rules", audit=("eGFR 24 < 30 → MET",)
    )
    evidence = Evidence(
        triplet=FACT, validity=0, label="AVOID", ruled_out=True, verdicts=(verdict,)
    )
    join = Join(mentioned=DRUG, option=DRUG, points=-0.3, evidence=(evidence,))
    scores = (
        OptionScore(option="A", score=-0.3, known=True, joins=(join,)),
        OptionScore(option="B", score=0, known=False),
    )
    question = QUESTION.model_copy(update={"options": {"A": "Colchicine", "B": "Zzzol"}})
    out = io.StringIO()
    said = Answered(dspy.Prediction(**{**answered().prediction, "scores": scores}), Usage(), 0.1)
    show_answer(question, said, console=Console(file=out, width=200))
    assert "F=0 AVOID) because Definitely NOT Applicable: eGFR 24 < 30 → MET" in out.getvalue()
    assert "the graph does not know it" in out.getvalue()


def test_triplets_that_were_reviewed_are_shown_with_their_verdict() -> None:
    reviewed = (proposed("approved"), proposed("unverifiable", "no node is called Zzzol"))
    said = Answered(
        dspy.Prediction(**{**answered().prediction, "reviewed": reviewed}), Usage(), 0.1
    )
    text = printed(said)
    assert "Triplets: proposed by a model" in text
    assert "t2" in text
    assert "no node is called Zzzol" in text


def test_json_has_no_number_that_json_lacks() -> None:
    span = Span(start=0, end=1, text="x")
    egfr = Quantity(analyte="egfr", low=float("-inf"), high=30, unit=None, span=span)
    patient = PatientContext(quantities=(egfr,))
    fields = {**answered().prediction, "patient": patient, "confidence": float("nan")}
    text = answer_json(QUESTION, Answered(dspy.Prediction(**fields), Usage(), 0.1))

    def refuse(word: str) -> None:
        raise AssertionError(word)

    said = json.loads(text, parse_constant=refuse)
    (quantity,) = said["patient"]["quantities"]
    assert (quantity["low"], quantity["high"], said["confidence"]) == (None, 30, None)
