"""What a reflecting optimizer is told: contradicted claims, missing facts, supported options."""

from __future__ import annotations

import dspy

from optimize.feedback import LONGEST, feedback
from signatures.schema import (
    Claim,
    ClaimVerdict,
    GoldClaim,
    Node,
    QAResponse,
    Question,
    Region,
    Triplet,
)

CLAIM = Claim(option="A", head="Metformin", predicate="treats", tail="gout", supports=True)
OTHER = CLAIM.model_copy(update={"option": "B", "head": "Allopurinol"})
QUESTION = Question(
    id="q",
    source="s",
    text="?",
    options={"A": "Metformin", "B": "Allopurinol"},
    gold="B",
    labelled=True,
    gold_claims=(
        GoldClaim(claim=CLAIM, status="NO_COVERAGE"),
        GoldClaim(claim=OTHER, status="SUPPORTED"),
    ),
    deciding=(("Allopurinol", "indication", "gout"), ("Colchicine", "indication", "gout")),
)


def node(name: str) -> Node:
    return Node(index=0, id="1", type="drug", name=name, source="s")


REGION = Region(
    query="q",
    domain="INTEGRATED",
    anchors=(),
    triplets=(
        Triplet(
            id="e1",
            head=node("allopurinol"),
            relation="indication",
            display_relation="",
            tail=node("gout"),
            text="t",
        ),
    ),
    relevance=(0.5,),
    candidates=1,
)


def told(choice: str | None, *verdicts: ClaimVerdict, **fields: object) -> str:
    response = choice and QAResponse(
        llm_answer_choice=choice, selected_option_text=None, reasoning=""
    )
    pred = dspy.Prediction(response=response, report=verdicts, **fields)
    return feedback(dspy.Example(question=QUESTION), pred, score=0.0, field="response")


def test_a_wrong_answer_is_told_with_its_claims_and_its_facts() -> None:
    verdicts = (
        ClaimVerdict(claim=CLAIM, status="CONTRADICTED", reason="e7: AVOID"),
        ClaimVerdict(claim=OTHER, status="SUPPORTED", reason="e1"),
    )
    assert told("A", *verdicts, regions=(REGION,)).splitlines() == [
        "Wrong: the answer was A (Metformin); right is B (Allopurinol).",
        "The claim A: Metformin treats gout is NO_COVERAGE, not CONTRADICTED.",
        "Contradicted: A: Metformin treats gout: e7: AVOID",
        "The evidence supports B (Allopurinol).",
        "Missing fact: Colchicine indication gout was in no region.",
    ]


def test_a_claim_that_was_never_made_is_named() -> None:
    said = told("B", ClaimVerdict(claim=CLAIM, status="NO_COVERAGE", reason="none"))
    assert "Missing claim: B: Allopurinol treats gout (SUPPORTED)." in said
    assert "The evidence supports no option." in said
    assert said.startswith("Right: the answer is B (Allopurinol).")


def test_no_answer_and_an_unreadable_one_are_told_apart() -> None:
    assert told(None) == "There was no answer."
    assert told("I cannot tell").startswith("The answer 'I cannot tell' is ")


def test_feedback_is_cut_to_what_a_small_proposer_can_read() -> None:
    verdicts = [
        ClaimVerdict(claim=CLAIM, status="CONTRADICTED", reason="word " * 100) for _ in range(9)
    ]
    assert len(told("A", *verdicts)) == LONGEST


def test_a_predictor_is_told_its_field_and_the_gold() -> None:
    example = dspy.Example(question="text", domain="INTEGRATED")
    pred = dspy.Prediction(domain="GENE_PROTEIN")
    wrong = feedback(example, pred, score=0.0, field="domain")
    assert wrong == "Wrong: domain was GENE_PROTEIN; it should be INTEGRATED."
    assert feedback(example, pred, score=1.0, field="domain") == "Right: domain is GENE_PROTEIN."
