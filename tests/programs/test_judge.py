"""The judge's modules: their role, what they show, and what is no score."""

from __future__ import annotations

from typing import Any

import dspy
import pytest

from data.judge_pairs import read_judge_pairs
from optimize.adapter import QkgramAdapter
from optimize.judged_answers import MEASURES
from optimize.scripted import ScriptedLM
from programs.judge import JUDGES, NO_READING, JudgedAnswer
from signatures.errors import ModelCallError
from signatures.judging import DEMONSTRATIONS, ScoreSimilarity
from signatures.schema import JudgedMeasure, Verdict

ANSWER = JudgedAnswer(
    question="THE-QUESTION?",
    answer="THE-ANSWER",
    reasoning="THE-REASONING",
    reference="THE-REFERENCE",
    knowledge="THE-KNOWLEDGE",
    evidence="THE-EVIDENCE",
)
SHOWN = {
    "similarity": {"QUESTION", "ANSWER", "REFERENCE"},
    "inconsistency": {"QUESTION", "ANSWER", "REFERENCE"},
    "evidence_inconsistency": {"QUESTION", "ANSWER", "EVIDENCE", "REASONING"},
    "hallucination": {"QUESTION", "ANSWER", "REFERENCE", "KNOWLEDGE"},
    "reasoning_error": {"QUESTION", "ANSWER", "REFERENCE", "REASONING"},
}


def ask(measure: JudgedMeasure, *replies: Any, reasks: int = 0) -> tuple[Verdict, ScriptedLM]:
    """Answer with these scores; a text is the whole reply."""

    def script(call: Any) -> Any:
        reply = replies[min(len(model.asked), len(replies)) - 1]
        if isinstance(reply, str | Exception):
            return reply
        return {call.fields[0]: "  one\nline ", call.fields[-1]: reply[0]}

    model = ScriptedLM(script)
    with dspy.context(
        lm=ScriptedLM([]), roles={"judge": model}, adapter=QkgramAdapter(reasks=reasks)
    ):
        verdict: Verdict = JUDGES[measure]()(ANSWER)
    return verdict, model


@pytest.mark.parametrize("measure", MEASURES)
def test_a_judge_sees_what_its_measure_needs_and_is_asked_at_temperature_0(
    measure: JudgedMeasure,
) -> None:
    verdict, model = ask(measure, [1])
    assert verdict == Verdict(measure=measure, kind="scored", score=1.0, reason="one line")
    (call,) = model.asked
    parts = ("QUESTION", "ANSWER", "REASONING", "REFERENCE", "KNOWLEDGE", "EVIDENCE")
    assert {part for part in parts if f"THE-{part}" in call.user} == SHOWN[measure]
    assert call.temperature == 0


def test_every_measure_has_one_judge() -> None:
    assert tuple(JUDGES) == MEASURES
    assert {name: judge.measure for name, judge in JUDGES.items()} == {m: m for m in MEASURES}


@pytest.mark.parametrize("score", [0, 0.0, "0.35", 0.8, 1])
def test_a_score_in_range_is_kept_as_it_is(score: object) -> None:
    verdict, _ = ask("similarity", [score])
    assert (verdict.kind, verdict.score) == ("scored", float(str(score)))


@pytest.mark.parametrize("score", [1.0001, 85, -0.5, "NaN", "Infinity"])
def test_a_score_out_of_range_is_unscored_and_never_cut_to_0_or_1(score: object) -> None:
    verdict, _ = ask("similarity", [score])
    assert (verdict.kind, verdict.score) == ("unscored", None)
    assert "not between 0 and 1" in verdict.reason


@pytest.mark.parametrize("reply", ["", "They agree.", "{}", [None], ["high"], [[0.9]]])
def test_a_reply_without_a_reading_is_unscored(reply: object) -> None:
    """C22: an empty object never passes for a verdict."""
    verdict, _ = ask("similarity", reply)
    assert (verdict.kind, verdict.score, verdict.reason) == ("unscored", None, NO_READING)


@pytest.mark.parametrize("said", ["perhaps", None, 2])
def test_yes_or_no_is_read_or_unscored(said: object) -> None:
    assert ask("hallucination", [True])[0].score == 1.0
    assert ask("hallucination", ["false"])[0].score == 0.0
    assert ask("hallucination", [said])[0].kind == "unscored"


def test_an_unreadable_reply_is_asked_for_again_before_it_is_given_up() -> None:
    verdict, model = ask("similarity", "They agree.", [0.9], reasks=2)
    assert (verdict.score, len(model.asked)) == (0.9, 2)


def test_the_demonstrations_are_sent_and_none_is_a_labelled_pair() -> None:
    pairs = {pair.question for pair in read_judge_pairs()}
    for signature, demos in DEMONSTRATIONS.items():
        assert not pairs & {demo.question for demo in demos}
        for demo in demos:
            assert set(demo.keys()) == set(signature.fields)
    judge = JUDGES["similarity"]()
    shown = {name: getattr(ANSWER, name) for name in judge.needs}
    text = str(QkgramAdapter().format(ScoreSimilarity, judge.predict.demos, shown))
    assert all(demo.answer in text for demo in DEMONSTRATIONS[ScoreSimilarity])


def test_an_outage_is_no_verdict() -> None:
    with pytest.raises((ModelCallError, dspy.LMError)):
        ask("similarity", ModelCallError("the judge is away"))
