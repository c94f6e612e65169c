"""What a judge is asked about an answer (ReGraM §4.2; figures 10, 11 and 12 show its prompts).

The papers name the prompts and print none of their text; the words here are ours. Each asks for the
finding first and the number after it: a model that has given a number only defends it. Small
models need to see both ends of the scale: the measures against a reference have demonstrations.
"""

from __future__ import annotations

from collections.abc import Mapping

import dspy


class ScoreSimilarity(dspy.Signature):
    """Compare an answer with the reference answer: rate from 0 to 1 how far they say the same.

    Rate 1 if both mean the same, also in other words, by a synonym or brand name, or in another
    unit. Rate 0 if the answer names another drug, disease, gene or number than the reference, says
    the opposite, or gives no answer. Rate between if it is right in part, too general, or adds
    something false.
    """

    # ReGraM figure 10; an answer counts as correct from 0.8 on. The prompt does not name that bar:
    # a small model told of it gave 0.8 to whatever it read.
    question: str = dspy.InputField()
    reference: str = dspy.InputField()
    answer: str = dspy.InputField()
    comparison: str = dspy.OutputField(
        desc="what each of the two says, and: the same, partly the same, or different"
    )
    similarity: float = dspy.OutputField(desc="0 to 1")


class ScoreInconsistency(dspy.Signature):
    """Rate from 0 to 1 how far an answer contradicts the reference answer.

    Rate 0 if it contradicts nothing there. Rate 1 if its main statement contradicts the reference:
    another drug, disease, gene or number, or the opposite. Rate between if a part does. A missing
    or an additional detail is no contradiction.
    """

    # ReGraM figure 12: "factual inconsistency score in [0,1] between the model answer and the
    # reference answer"
    question: str = dspy.InputField()
    reference: str = dspy.InputField()
    answer: str = dspy.InputField()
    comparison: str = dspy.OutputField(
        desc="what each of the two says, and: the same, partly the same, or different"
    )
    inconsistency: float = dspy.OutputField(desc="0 to 1")


class ScoreEvidenceInconsistency(dspy.Signature):
    """Rate from 0 to 1 how far an answer contradicts the evidence or the reasoning given for it.

    Rate 0 if it follows from them or they are silent. Rate 1 if they say otherwise. Rate between if
    a part contradicts them. Use no other knowledge.
    """

    # Ours, for what ReGraM's second worked example shows: good evidence, another final answer
    question: str = dspy.InputField()
    evidence: str = dspy.InputField(desc="one fact or finding per line")
    reasoning: str = dspy.InputField()
    answer: str = dspy.InputField()
    comparison: str = dspy.OutputField(desc="one short sentence: what the evidence says")
    inconsistency: float = dspy.OutputField(desc="0 to 1")


class FindHallucination(dspy.Signature):
    """Say whether the answer states something false or made up.

    True if a statement contradicts the reference or the knowledge, or is an invention that neither
    supports. False if all it says agrees with them, also in other words or with less detail. Saying
    that one does not know is false.
    """

    # ReGraM figure 11, MedHallu
    question: str = dspy.InputField()
    knowledge: str = dspy.InputField(desc="may be empty")
    reference: str = dspy.InputField()
    answer: str = dspy.InputField()
    statement: str = dspy.OutputField(desc="the false statement, or the word none")
    hallucinated: bool = dspy.OutputField()


class FindReasoningError(dspy.Signature):
    """Say whether the reasoning has an error: a false step, or a conclusion that does not follow.

    A right answer does not excuse a false step; a wrong answer alone is no reasoning error if it
    follows from a wrong but stated premise that the reference does not contradict.
    """

    # ReGraM table 3, MH-RError; the paper does not define it
    question: str = dspy.InputField()
    reference: str = dspy.InputField()
    reasoning: str = dspy.InputField()
    answer: str = dspy.InputField()
    step: str = dspy.OutputField(desc="the false step, or the word none")
    reasoning_error: bool = dspy.OutputField()


_ANEMIA = {"question": "Which drug treats iron deficiency anemia?", "reference": "Ferrous sulfate"}
_ASTHMA = {
    "question": "Which drug relieves an acute asthma attack?",
    "reference": "Salbutamol, inhaled",
}
_WARFARIN = {"question": "Does warfarin cross the placenta?", "reference": "Yes"}
_MALARIA = {
    "question": "What transmits malaria?",
    "reference": "The female Anopheles mosquito",
}
_INPUTS = ("question", "knowledge", "reference", "answer")


def _shown(item: Mapping[str, str], answer: str, **said: object) -> dspy.Example:
    return dspy.Example(**item, answer=answer, **said).with_inputs(*_INPUTS)


_SAME = "Salbutamol and albuterol: the same drug under two names."
_OTHER = "Ferrous sulfate and folic acid: different drugs."
_OPPOSITE = "Yes and no: different, the opposite."
_PART = "Both name the mosquito, the answer adds a false virus: partly the same."
_INHALER = "An albuterol inhaler."
_VIRUS = "Anopheles mosquitoes, which carry the virus that causes malaria."

# Ours; no pair of the packaged labelled pairs is among them.
DEMONSTRATIONS: Mapping[type[dspy.Signature], tuple[dspy.Example, ...]] = {
    ScoreSimilarity: (
        _shown(_ASTHMA, _INHALER, comparison=_SAME, similarity=1.0),
        _shown(_ANEMIA, "Folic acid.", comparison=_OTHER, similarity=0.0),
        _shown(_MALARIA, _VIRUS, comparison=_PART, similarity=0.5),
        _shown(_WARFARIN, "It does not.", comparison=_OPPOSITE, similarity=0.0),
    ),
    ScoreInconsistency: (
        _shown(_ASTHMA, _INHALER, comparison=_SAME, inconsistency=0.0),
        _shown(_ANEMIA, "Folic acid.", comparison=_OTHER, inconsistency=1.0),
        _shown(_MALARIA, _VIRUS, comparison=_PART, inconsistency=0.5),
        _shown(_WARFARIN, "It does not.", comparison=_OPPOSITE, inconsistency=1.0),
    ),
    FindHallucination: (
        _shown({**_ASTHMA, "knowledge": ""}, _INHALER, statement="none", hallucinated=False),
        _shown(
            {**_MALARIA, "knowledge": "Malaria is caused by Plasmodium parasites."},
            _VIRUS,
            statement="a virus causes malaria",
            hallucinated=True,
        ),
        _shown(
            {**_WARFARIN, "knowledge": ""}, "I do not know.", statement="none", hallucinated=False
        ),
        _shown(
            {**_ANEMIA, "knowledge": ""},
            "Folic acid.",
            statement="folic acid treats iron deficiency anemia",
            hallucinated=True,
        ),
    ),
}
"""Worked looks at an answer, shown before the one to be judged."""
