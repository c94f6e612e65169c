"""Metrics as DSPy calls them: floats when evaluating, bools when bootstrapping, never None."""

from __future__ import annotations

import dspy
import pytest

from optimize.dspy_metrics import (
    METRICS,
    answer_match,
    as_number,
    claim_status_agreement,
    domain_match,
    exact_match,
    field_match,
    grounded_exact_match,
    metric_for_field,
)
from signatures.errors import InputError
from signatures.schema import (
    Claim,
    ClaimVerdict,
    Evidence,
    GoldClaim,
    Hop,
    Mode,
    Node,
    QAResponse,
    Question,
    Region,
    Status,
    Triplet,
)

QUESTION = Question(
    id="q", source="t", text="Which?", options={"A": "x", "B": "y"}, gold="B", labelled=True
)
ODD_ONE_OUT = QUESTION.model_copy(update={"gold": None})


def example(question: Question = QUESTION) -> dspy.Example:
    return dspy.Example(question=question).with_inputs("question")


def answered(choice: str, hops: tuple[Hop, ...] | None = None) -> dspy.Prediction:
    response = QAResponse(llm_answer_choice=choice, selected_option_text=None, reasoning="")
    return dspy.Prediction(response=response, **({} if hops is None else {"hops": hops}))


def hop(*, cited: tuple[str, ...], dropped: tuple[str, ...] = (), mode: Mode = "HYBRID") -> Hop:
    node = Node(index=0, id="1", type="drug", name="n", source="s")
    triplet = Triplet(
        id="e1", head=node, relation="indication", display_relation="", tail=node, text="t"
    )
    region = Region(
        query="q",
        domain="INTEGRATED",
        anchors=(),
        triplets=(triplet,),
        relevance=(0.5,),
        candidates=1,
    )
    return Hop(sub_question="s", region=region, mode=mode, answer="a", cited=cited, dropped=dropped)


@pytest.mark.parametrize(
    ("choice", "score"), [("B", 1.0), ("(b) y", 1.0), ("A", 0.0), ("", 0.0), ("A or B", 0.0)]
)
def test_exact_match_reads_the_answer_as_the_benchmark_does(choice: str, score: float) -> None:
    assert exact_match(example(), answered(choice)) == score
    assert exact_match(example(), answered(choice), []) is (score == 1.0)


def test_abstaining_is_right_only_when_no_option_is() -> None:
    assert exact_match(example(ODD_ONE_OUT), answered("abstain")) == 1.0
    assert exact_match(example(), answered("abstain")) == 0.0


@pytest.mark.parametrize("metric", [metric for _, metric in METRICS.values()])
@pytest.mark.parametrize("pred", [None, dspy.Prediction()])
def test_a_failed_prediction_scores_zero_and_never_none(metric, pred) -> None:  # type: ignore[no-untyped-def]
    both = dspy.Example(question=QUESTION, domain="INTEGRATED").with_inputs("question")
    evaluated, bootstrapped = metric(both, pred), metric(both, pred, [])
    assert isinstance(evaluated, float) and evaluated == 0.0
    assert bootstrapped is False


@pytest.mark.parametrize(
    ("hops", "score"),
    [
        ((hop(cited=("e1",)),), 1.0),
        ((hop(cited=("e1",)), hop(cited=(), mode="LLM-GUESS")), 1.0),
        ((hop(cited=("e1",), dropped=("e9",)),), 0.0),
        ((hop(cited=("e1", "e2")),), 0.0),
        ((hop(cited=()),), 0.0),
        ((hop(cited=(), mode="LLM-GUESS"),), 0.0),
        ((), 0.0),
    ],
)
def test_grounded_means_that_every_citation_lies_in_its_region(
    hops: tuple[Hop, ...], score: float
) -> None:
    assert grounded_exact_match(example(), answered("B", hops)) == score
    assert grounded_exact_match(example(), answered("A", hops)) == 0.0
    assert grounded_exact_match(example(), answered("B", hops), []) is (score == 1.0)


def test_domain_match_compares_with_the_gold_domain() -> None:
    gold = dspy.Example(question="q", domain="DRUG_THERAPY").with_inputs("question")
    assert domain_match(gold, dspy.Prediction(domain="DRUG_THERAPY")) == 1.0
    assert domain_match(gold, dspy.Prediction(domain="INTEGRATED")) == 0.0
    assert domain_match(gold, dspy.Prediction(domain="DRUG_THERAPY"), []) is True


def test_a_metric_that_forgets_to_return_is_named_at_once() -> None:
    with pytest.raises(InputError, match="metric f1 must return a number, it returned NoneType"):
        as_number(None, metric="f1", strict=False)


def test_a_partial_score_never_makes_a_demonstration() -> None:
    assert as_number(0.4, metric="f1", strict=True) is False
    assert as_number(0.4, metric="f1", strict=False) == 0.4


CLAIM = Claim(option="B", head="x", predicate="treats", tail="y", supports=True)


def reported(*statuses: Status, evidence: tuple[Evidence, ...] = ()) -> dspy.Prediction:
    report = tuple(
        ClaimVerdict(
            claim=CLAIM.model_copy(update={"option": option}),
            status=status,
            reason="r",
            evidence=evidence,
        )
        for option, status in zip("AB", statuses, strict=False)
    )
    response = QAResponse(llm_answer_choice="B", selected_option_text=None, reasoning="")
    region = hop(cited=("e1",)).region
    return dspy.Prediction(response=response, report=report, regions=(region,))


def test_claim_status_agreement_is_the_share_of_gold_claims() -> None:
    gold = (
        GoldClaim(claim=CLAIM.model_copy(update={"option": "A"}), status="CONTRADICTED"),
        GoldClaim(claim=CLAIM, status="SUPPORTED"),
    )
    asked = example(QUESTION.model_copy(update={"gold_claims": gold}))
    assert claim_status_agreement(asked, reported("CONTRADICTED", "SUPPORTED")) == 1.0
    assert claim_status_agreement(asked, reported("SUPPORTED", "SUPPORTED")) == 0.5
    assert claim_status_agreement(asked, reported("SUPPORTED", "SUPPORTED"), []) is False
    assert claim_status_agreement(asked, reported("CONTRADICTED", "SUPPORTED"), []) is True
    assert claim_status_agreement(asked, None) == 0.0
    assert claim_status_agreement(example(), reported("SUPPORTED")) == 0.0, "no gold claim"


def test_a_program_without_hops_is_grounded_by_its_report() -> None:
    inside = hop(cited=("e1",)).region.triplets[0]
    outside = inside.model_copy(update={"id": "e9"})
    seen, unseen = (Evidence(triplet=t, validity=1.0) for t in (inside, outside))
    assert grounded_exact_match(example(), reported("SUPPORTED", evidence=(seen,))) == 1.0
    assert grounded_exact_match(example(), reported("SUPPORTED", evidence=(unseen,))) == 0.0
    assert grounded_exact_match(example(), reported("SUPPORTED")) == 0.0


def test_a_gold_for_another_predictor_is_one_field() -> None:
    asked = dspy.Example(options="A. x\nB. y", answer="B", hops=2)
    assert answer_match(asked, dspy.Prediction(answer="(b)")) == 1.0
    assert answer_match(asked, dspy.Prediction(answer="A or B")) == 0.0
    assert field_match("hops")(asked, dspy.Prediction(hops=2), []) is True
    assert metric_for_field("answer") == "answer_match"
    with pytest.raises(InputError, match="no metric judges the output 'findings'"):
        metric_for_field("findings")
