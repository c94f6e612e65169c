"""Answering a hop in its mode, and joining the hops (ReGraM §3.3 and §3.5, figures 6 to 9)."""

from __future__ import annotations

import dspy


class AnswerFromFacts(dspy.Signature):
    """Answer the sub-question from the listed facts alone, in one or two sentences.

    Use no other knowledge. Cite the ids of the facts you used.
    """

    sub_question: str = dspy.InputField()
    facts: str = dspy.InputField(desc="one per line, id first")
    answer: str = dspy.OutputField()
    cited: list[str] = dspy.OutputField(desc="fact ids")


class AnswerFromPartialFacts(dspy.Signature):
    """Answer the sub-question step by step from the few listed facts, in one to three sentences.

    Go beyond the facts only where they point, and say which step the facts do not cover. Cite the
    ids of the facts you used.
    """

    sub_question: str = dspy.InputField()
    facts: str = dspy.InputField(desc="one per line, id first")
    answer: str = dspy.OutputField()
    cited: list[str] = dspy.OutputField(desc="fact ids")


class AnswerFromKnowledge(dspy.Signature):
    """No fact of the graph covers this sub-question: answer it from general knowledge.

    One or two sentences. Say that the answer is uncertain and name the evidence that is missing.
    """

    sub_question: str = dspy.InputField()
    answer: str = dspy.OutputField()
    missing: str = dspy.OutputField(desc="evidence that would settle it")


class SynthesizeAnswer(dspy.Signature):
    """Choose the answer that the findings support for this patient.

    Findings tied to facts outweigh uncertain ones. Never choose an option that the findings rule
    out; if they rule out every option, answer abstain.
    """

    question: str = dspy.InputField()
    options: str = dspy.InputField()
    findings: str = dspy.InputField()
    reasoning: str = dspy.OutputField(desc="two sentences, naming the deciding finding")
    answer: str = dspy.OutputField(desc="letter of the option, or abstain")


class WriteFactualAnswer(dspy.Signature):
    """Answer the question in a few words, from the findings alone.

    Findings tied to facts outweigh uncertain ones. Add nothing that the findings do not say.
    """

    # ReGraM §3.5, KG-STRICT.
    question: str = dspy.InputField()
    findings: str = dspy.InputField()
    reasoning: str = dspy.OutputField(desc="one sentence, naming the deciding finding")
    answer: str = dspy.OutputField(desc="the name or phrase asked for")


class WriteStepwiseAnswer(dspy.Signature):
    """Join the findings step by step, then answer the question in a few words.

    Say which step no fact covers. What is only possible stays possible in the answer's reasons.
    """

    # ReGraM §3.5, HYBRID.
    question: str = dspy.InputField()
    findings: str = dspy.InputField()
    reasoning: str = dspy.OutputField(desc="one short sentence per step")
    answer: str = dspy.OutputField(desc="the name or phrase asked for")


class WriteUncertainAnswer(dspy.Signature):
    """The graph holds no fact that settles this question: give the most plausible answer.

    A few words. Name the evidence that is missing.
    """

    # ReGraM §3.5, LLM-GUESS.
    question: str = dspy.InputField()
    findings: str = dspy.InputField()
    missing: str = dspy.OutputField(desc="evidence that would settle it")
    answer: str = dspy.OutputField(desc="the name or phrase asked for")
