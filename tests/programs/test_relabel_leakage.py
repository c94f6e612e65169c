from __future__ import annotations

import dspy

from metrics.leakage import Case, LabelledCase, classify_case
from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.relabel_leakage import RelabelLeakage


def case(key: str, evidence: str) -> LabelledCase:
    item = {"option": "B", "supports": True, "status": "CONTRADICTED", "evidence": evidence}
    return classify_case(
        Case(
            key=key,
            direction="wrong_to_correct",
            original="B",
            final="D",
            gold="D",
            report=(item,),
        )
    )


def relabel(judge: ScriptedLM, *cases: LabelledCase) -> tuple[LabelledCase, ...]:
    with dspy.context(lm=ScriptedLM([]), roles={"judge": judge}, adapter=QkgramAdapter()):
        labelled: tuple[LabelledCase, ...] = RelabelLeakage()(cases=cases)
    return labelled


def test_only_unclassified_cases_reach_the_judge() -> None:
    judge = ScriptedLM([{"label": "LIKELY_LEAKAGE", "justification": "It cites\nnothing."}])
    leak = case("leak", "Medically, no.")
    found = relabel(judge, leak, case("open", "A classic sign."))
    assert found[0] == leak
    assert (found[1].label, found[1].decided_by) == ("LIKELY_LEAKAGE", "model")
    assert found[1].reason == "It cites nothing."
    assert len(judge.asked) == 1
    assert "A classic sign." in judge.asked[0].user


def test_a_judge_that_cannot_be_read_leaves_the_case_unclassified() -> None:
    (found,) = relabel(ScriptedLM(lambda call: "no JSON here"), case("open", "A classic sign."))
    assert (found.label, found.reason) == ("UNCLASSIFIED", "the judge's reply had no reading")


def test_a_case_without_evidence_is_not_asked_about() -> None:
    judge = ScriptedLM([])
    empty = classify_case(
        Case(key="q", direction="correct_to_wrong", original="D", final="B", gold="D", report=())
    )
    assert relabel(judge, empty) == (empty,)
    assert judge.asked == ()
