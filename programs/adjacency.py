"""`adjacency`: no model; the option that valid triplets join to the question is the answer.

The floor that every other program must beat, and the option score of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import dspy

from programs.joining import joining
from programs.named import LinkedOnce, Names, names_of
from programs.option_score import confidence_in, favourite, score_named
from programs.question_asks import Asked, asked_of
from programs.reasons import worded
from programs.toolbox import Toolbox
from retrievers.evidence import weigh
from retrievers.patient import read_patient
from retrievers.validity import Paradigm, Unmet
from signatures.schema import (
    ABSTAIN,
    Evidence,
    Join,
    OptionScore,
    PatientContext,
    QAResponse,
    Question,
    Triplet,
)

REASONS = 3
"""Joins named in the reasoning; the scores keep more."""
NAMES_NOTHING = "the question names nothing that the graph knows"
"""The note of a question of which nothing was linked."""


class Adjacency(dspy.Module):
    """Score options by the valid triplets that join them to the question; abstain on a tie.

    Args:
        tools: graph, linker and evidence; regions and the sentence encoder are not used.
        use_context: off, every stored triplet is valid.
        validity: which function of QKG §1 gives F_τ(C); `llm` is read as `explicit`.
        unmet: what becomes of a relation that is stated for other groups only.
    """

    def __init__(
        self,
        tools: Toolbox,
        *,
        use_context: bool = True,
        validity: Paradigm = "explicit",
        unmet: Unmet = "exclude",
    ) -> None:
        super().__init__()
        self.tools = tools
        self.validity: Paradigm = validity if use_context else "conventional"
        self.unmet = unmet

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response`, `patient`, `scores`, `confidence`, `not_covered` and `notes`."""
        graph, linker = self.tools.graph, LinkedOnce(self.tools.linker)
        patient = read_patient(question.text, linker=linker)
        names = names_of(linker, question.text, question.options)
        asked = asked_of(question.text, names.option_types)
        evidence = weigh_by_rules(
            self.tools,
            joining(graph, names, asked),
            patient,
            validity=self.validity,
            unmet=self.unmet,
        )
        scores = score_named(question, names, evidence, degree=graph.degree, domain=question.domain)
        choice = favourite(scores)
        return dspy.Prediction(
            response=answer(choice, scores, question),
            patient=patient,
            scores=scores,
            confidence=confidence_in(choice, scores),
            not_covered=tuple(question.options[one.option] for one in scores if not one.joins),
            notes=notes(scores, names, asked),
        )


def weigh_by_rules(
    tools: Toolbox,
    triplets: Iterable[Triplet],
    patient: PatientContext,
    *,
    validity: Paradigm = "explicit",
    unmet: Unmet = "exclude",
) -> tuple[Evidence, ...]:
    """Return triplets with their validity for the patient; no model reads what rules cannot."""
    found = tuple(triplets)
    if validity == "conventional":
        return tuple(weigh(triplet, (), paradigm=validity) for triplet in found)
    return tools.evidence.weigh(found, patient, paradigm=validity, unmet=unmet)


def answer(choice: str | None, scores: Sequence[OptionScore], question: Question) -> QAResponse:
    """Word the choice with what decided it; without one, abstain and say why."""
    reasoning = abstaining(scores) if choice is None else reasons(choice, scores)
    return QAResponse(
        llm_answer_choice=choice or ABSTAIN,
        selected_option_text=None if choice is None else question.options[choice],
        reasoning=reasoning,
    )


def abstaining(scores: Sequence[OptionScore]) -> str:
    """Say why no option is chosen."""
    if not scores:
        return (
            "there are no options to choose from: give each with -o, or ask another program, "
            "qkgram say"
        )
    if not any(one.joins for one in scores):
        return "the graph joins no option to the question as it asks"
    return "the graph does not decide: the options are tied, or each is ruled out or uncertain"


def reasons(choice: str, scores: Sequence[OptionScore]) -> str:
    """Say what joins the choice, or what speaks against all others."""
    own = next((one.joins for one in scores if one.option == choice), ())
    others = (f"not {one.option}: {join_line(one.joins[0])}" for one in scores if one.joins)
    return "; ".join([join_line(join) for join in own[:REASONS]] or others)


def join_line(join: Join) -> str:
    """Word a join with the triplets it rests on."""
    return f"{' and '.join(worded(e) for e in join.evidence)} ({join.points:+.2f})"


def notes(scores: Sequence[OptionScore], names: Names, asked: Asked) -> tuple[str, ...]:
    """Say what was asked for, what stayed unknown, and the score of each option."""
    unknown = ", ".join(one.option for one in scores if not one.known)
    said = (
        (True, f"asked for: {'not ' * asked.negated}{' or '.join(asked.predicates)}"),
        (not names.question, NAMES_NOTHING),
        (unknown, f"options that the graph does not know: {unknown}"),
        (scores, "scores: " + ", ".join(f"{one.option} {one.score:+.3f}" for one in scores)),
    )
    return tuple(text for holds, text in said if holds)
