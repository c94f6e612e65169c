"""A judge: one module per measure, each turns a look at one answer into a `Verdict`.

A reply that cannot be read, or a score outside 0 to 1, is `unscored`: never 0, never 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.wording import one_line
from signatures.errors import ParseError
from signatures.judging import (
    DEMONSTRATIONS,
    FindHallucination,
    FindReasoningError,
    ScoreEvidenceInconsistency,
    ScoreInconsistency,
    ScoreSimilarity,
)
from signatures.schema import JudgedMeasure, Record, Verdict

NO_READING = "the judge's reply had no reading"


class JudgedAnswer(Record):
    """An answer as a judge sees it: never the option's letter alone, never the program's name."""

    question: str
    answer: str
    """The answer in words: the text of the option where one was chosen."""
    reasoning: str = ""
    reference: str = ""
    """The right answer in words."""
    knowledge: str = ""
    """Passage that the reference rests on."""
    evidence: str = ""
    """What the program found for the answer, one fact or finding per line."""


class AnswerJudge(dspy.Module):
    """Ask one judging signature about an answer."""

    measure: JudgedMeasure
    signature: type[dspy.Signature]
    reason: str
    """Output field with the judge's words."""
    score: str
    """Output field with the number, or with true and false."""

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.predict = dspy.Predict(self.signature, max_tokens=caps.synthesis)
        self.predict.demos = list(DEMONSTRATIONS.get(self.signature, ()))

    @property
    def needs(self) -> tuple[str, ...]:
        """Fields of the answer that the signature shows."""
        return tuple(self.signature.input_fields)

    def forward(self, answer: JudgedAnswer) -> Verdict:
        """Return the verdict; a reply without a reading is unscored."""
        with step("judge", role="judge"):
            try:
                said = self.predict(**{name: getattr(answer, name) for name in self.needs})
            except ParseError:
                return Verdict(measure=self.measure, kind="unscored", reason=NO_READING)
        return verdict(self.measure, said[self.score], reason=said[self.reason])


class JudgeSimilarity(AnswerJudge):
    """How far the answer means what the reference means (ReGraM figure 10)."""

    measure, signature = "similarity", ScoreSimilarity
    reason, score = "comparison", "similarity"


class JudgeInconsistency(AnswerJudge):
    """How far the answer contradicts the reference: IS (ReGraM figure 12)."""

    measure, signature = "inconsistency", ScoreInconsistency
    reason, score = "comparison", "inconsistency"


class JudgeEvidenceInconsistency(AnswerJudge):
    """How far the answer contradicts its own evidence and reasoning."""

    measure, signature = "evidence_inconsistency", ScoreEvidenceInconsistency
    reason, score = "comparison", "inconsistency"


class JudgeHallucination(AnswerJudge):
    """Whether the answer states something false or made up (ReGraM figure 11)."""

    measure, signature = "hallucination", FindHallucination
    reason, score = "statement", "hallucinated"


class JudgeReasoning(AnswerJudge):
    """Whether the reasoning has an error (ReGraM table 3)."""

    measure, signature = "reasoning_error", FindReasoningError
    reason, score = "step", "reasoning_error"


JUDGES: Mapping[JudgedMeasure, type[AnswerJudge]] = {
    judge.measure: judge
    for judge in (
        JudgeSimilarity,
        JudgeInconsistency,
        JudgeEvidenceInconsistency,
        JudgeHallucination,
        JudgeReasoning,
    )
}
"""The judge of every measure."""


def verdict(measure: JudgedMeasure, score: object, *, reason: str) -> Verdict:
    """Make a verdict of what the judge said; a score outside 0 to 1 is none.

    >>> [verdict("hallucination", score, reason="none").score for score in (0.9, True)]
    [0.9, 1.0]
    >>> [verdict("similarity", score, reason="").kind for score in (85, -0.1, float("nan"), None)]
    ['unscored', 'unscored', 'unscored', 'unscored']
    """
    value = float(score) if isinstance(score, bool | int | float) else math.nan
    if 0 <= value <= 1:
        return Verdict(measure=measure, kind="scored", score=value, reason=one_line(reason))
    said = one_line(f"the judge's score {score!r} is not between 0 and 1; it said: {reason}")
    return Verdict(measure=measure, kind="unscored", reason=said)
