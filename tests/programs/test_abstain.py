"""The abstention rule: off by default, each part by itself, tuned on pairs, applied to programs."""

from __future__ import annotations

import dspy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from programs.abstain import (
    AbstainRule,
    Standing,
    coverage_of,
    is_contradicted,
    tuned_rule,
    withheld,
)
from programs.justify import keep_or_withhold, rule_of
from programs.registry import ProgramSettings
from signatures.schema import (
    ABSTAIN,
    Claim,
    ClaimVerdict,
    OptionScore,
    QAResponse,
    Question,
)

POOR = Standing(confidence=0.1, coverage=0.1, mismatch=True, contradicted=True)
GOOD = Standing(confidence=0.9, coverage=0.9, mismatch=False, contradicted=False)
RULES = {
    "confidence": AbstainRule(below=0.5),
    "coverage": AbstainRule(coverage_below=0.5),
    "another option": AbstainRule(on_mismatch=True),
    "contradicted": AbstainRule(on_contradiction=True),
}
QUESTION = Question(id="q", source="test", text="?", options={"A": "x", "B": "y"})

pairs = st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.9]), st.booleans()), min_size=1)


def verdict(status: str, *, option: str = "A", supports: bool = True) -> ClaimVerdict:
    claim = Claim(option=option, head="x", predicate="treats", tail="y", supports=supports)
    return ClaimVerdict(claim=claim, status=status, reason="-")


def test_it_is_off_by_default() -> None:
    assert AbstainRule().is_off
    assert rule_of(ProgramSettings()).is_off
    assert withheld(AbstainRule(), POOR) is None


@pytest.mark.parametrize("word", RULES)
def test_each_part_withholds_for_its_own_reason(word: str) -> None:
    reason = withheld(RULES[word], POOR)
    assert reason is not None
    assert word in reason
    assert withheld(RULES[word], GOOD) is None
    assert not RULES[word].is_off


@pytest.mark.parametrize("word", RULES)
def test_what_is_unknown_withholds_nothing(word: str) -> None:
    assert withheld(RULES[word], Standing()) is None


@pytest.mark.parametrize("below", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_share(below: float) -> None:
    with pytest.raises(ValidationError):
        AbstainRule(below=below)


def test_coverage_is_of_claims_and_else_of_options() -> None:
    scores = [OptionScore(option=o, score=0, known=True) for o in "AB"]
    assert coverage_of(scores, [verdict("SUPPORTED"), verdict("NO_COVERAGE")]) == 0.5
    assert coverage_of(scores, []) == 0


def test_only_a_claim_for_the_answer_contradicts_it() -> None:
    assert is_contradicted("A", [verdict("CONTRADICTED")]) is True
    assert is_contradicted("A", [verdict("CONTRADICTED", supports=False)]) is None
    assert is_contradicted("B", [verdict("CONTRADICTED")]) is None
    assert is_contradicted("A", [verdict("SUPPORTED")]) is False


@given(pairs=pairs, risk=st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0]))
def test_a_tuned_rule_meets_its_risk_and_no_lower_threshold_does(
    pairs: list[tuple[float, bool]], risk: float
) -> None:
    rule = tuned_rule(pairs, risk=risk)

    def risked(below: float) -> float:
        given_ = [right for confidence, right in pairs if confidence >= below]
        return given_.count(False) / len(given_)

    seen = sorted({confidence for confidence, _ in pairs})
    if rule is None:
        assert all(risked(threshold) > risk for threshold in seen)
        return
    assert rule.below is not None
    assert risked(rule.below) <= risk
    assert all(risked(threshold) > risk for threshold in seen if threshold < rule.below)


def predicted(confidence: float) -> dspy.Prediction:
    return dspy.Prediction(
        response=QAResponse(llm_answer_choice="B", selected_option_text="y", reasoning="so"),
        scores=tuple(OptionScore(option=o, score=0, known=True) for o in "AB"),
        confidence=confidence,
        mismatch=None,
        notes=("kept",),
    )


def test_a_withheld_answer_is_abstain_and_says_what_it_was() -> None:
    rule = AbstainRule(below=0.5)
    given_ = keep_or_withhold(QUESTION, predicted(0.5), "B", rule=rule)
    assert given_.response.llm_answer_choice == "B"
    kept_back = keep_or_withhold(QUESTION, predicted(0.4), "B", rule=rule)
    assert kept_back.response.llm_answer_choice == ABSTAIN
    assert kept_back.response.selected_option_text is None
    assert kept_back.confidence == 0.4
    assert kept_back.notes == (
        "kept",
        "abstained: confidence 0.4 is below 0.5; the answer was B",
    )


def test_no_answer_is_not_withheld_again() -> None:
    found = keep_or_withhold(QUESTION, predicted(0.0), None, rule=AbstainRule(below=0.5))
    assert found.notes == ("kept",)


def test_the_settings_make_the_rule() -> None:
    settings = ProgramSettings(
        abstain_below=0.3,
        abstain_coverage_below=0.2,
        abstain_on_mismatch=True,
        abstain_on_contradiction=True,
    )
    assert rule_of(settings) == AbstainRule(
        below=0.3, coverage_below=0.2, on_mismatch=True, on_contradiction=True
    )
