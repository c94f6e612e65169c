"""After any program: does its evidence justify its answer, and should the answer be given at all?

One place for all programs: `confidence`, `mismatch` and `scores` are added to the prediction, and
the abstention rule of the settings is applied. The program itself is not changed or wrapped, so its
predictors keep their names.
"""

from __future__ import annotations

from collections.abc import Iterator

import dspy

from metrics.answers import read_answer
from programs.abstain import AbstainRule, Standing, coverage_of, is_contradicted, withheld
from programs.adjacency import weigh_by_rules
from programs.option_score import confidence_in, decision_mismatch, favourite, score_options
from programs.registry import ProgramSettings
from programs.synthesise import respond
from programs.toolbox import Toolbox
from retrievers.validity import Paradigm
from signatures.schema import (
    ABSTAIN,
    ClaimVerdict,
    Evidence,
    OptionScore,
    PatientContext,
    Question,
    ReviewedTriplet,
    Triplet,
)

MISMATCH = "decision_mismatch"
"""How the note begins that says so."""


def justify(
    question: Question,
    prediction: dspy.Prediction,
    *,
    tools: Toolbox | None,
    settings: ProgramSettings = ProgramSettings(),
) -> dspy.Prediction:
    """Return the prediction with `scores`, `confidence` and `mismatch`, abstaining if it should.

    `mismatch` is of the answer that the model gave, also where the graph has overruled it since or
    the rule withholds it. A program without a graph, or a question without options, has no
    evidence to compare with: the prediction comes back as it is.
    """
    hidden = settings.withhold_options and "scores" not in prediction
    if tools is None or not question.options or hidden:
        return prediction
    scores = prediction.get("scores") or scores_of(question, prediction, tools, settings)
    reading = read_answer(prediction.response.llm_answer_choice, question.options)
    choice = ABSTAIN if reading.kind == "abstained" else reading.letter
    notes = tuple(prediction.get("notes") or ())
    overruled = any(note.startswith(MISMATCH) for note in notes)
    mismatch = True if overruled else decision_mismatch(choice, scores)
    if mismatch and not overruled:
        notes = (*notes, mismatch_note(choice, scores))
    judged = {
        "scores": scores,
        "confidence": confidence_in(reading.letter, scores),
        "mismatch": mismatch,
        "notes": notes,
    }
    whole = dspy.Prediction(**{**dict(prediction.items()), **judged})
    return keep_or_withhold(question, whole, reading.letter, rule=rule_of(settings))


def keep_or_withhold(
    question: Question, prediction: dspy.Prediction, letter: str | None, *, rule: AbstainRule
) -> dspy.Prediction:
    """Return the prediction, its answer replaced by `abstain` where the rule withholds it."""
    report = tuple(prediction.get("report") or ())
    standing = Standing(
        confidence=prediction.confidence,
        coverage=coverage_of(prediction.scores, report),
        mismatch=prediction.mismatch,
        contradicted=is_contradicted(letter, report),
    )
    why = None if letter is None else withheld(rule, standing)
    if why is None:
        return prediction
    said = f"{why}; the answer was {letter}. {prediction.response.reasoning}"
    changed = {
        "response": respond(ABSTAIN, question.options, reasoning=said),
        "notes": (*prediction.notes, f"abstained: {why}; the answer was {letter}"),
    }
    return dspy.Prediction(**{**dict(prediction.items()), **changed})


def rule_of(settings: ProgramSettings) -> AbstainRule:
    """Return the abstention rule that the settings make."""
    return AbstainRule(
        below=settings.abstain_below,
        coverage_below=settings.abstain_coverage_below,
        on_mismatch=settings.abstain_on_mismatch,
        on_contradiction=settings.abstain_on_contradiction,
    )


def mismatch_note(choice: str | None, scores: tuple[OptionScore, ...]) -> str:
    """Say what the evidence is for and what the answer is."""
    wanted = favourite(scores)
    stands = "against it" if wanted in (None, choice) else f"for {wanted}"
    return f"{MISMATCH}: the evidence is {stands}, the answer is {choice or 'unreadable'}"


# --- the evidence of a prediction ----------------------------------------------------------------


def scores_of(
    question: Question, prediction: dspy.Prediction, tools: Toolbox, settings: ProgramSettings
) -> tuple[OptionScore, ...]:
    """Score the options by whatever the program looked at."""
    return score_options(
        question,
        evidence_of(prediction, tools, settings),
        tools.linker,
        degree=tools.graph.degree,
        report=tuple(prediction.get("report") or ()),
        domain=prediction.get("domain") or question.domain,
    )


def evidence_of(
    prediction: dspy.Prediction, tools: Toolbox, settings: ProgramSettings
) -> tuple[Evidence, ...]:
    """Return the triplets that a prediction rests on, each once, with their validity.

    Triplets that the program has weighed keep their validity; the others of its regions are
    weighed by rules for the patient that it read. A program that reads no patient takes every
    triplet as valid, and so does this.
    """
    found = {piece.triplet.id: piece for piece in weighed(prediction)}
    rest = {t.id: t for t in unweighed(prediction) if t.id not in found}
    patient: PatientContext | None = prediction.get("patient")
    use = settings.use_context and patient is not None
    validity: Paradigm = settings.validity if use else "conventional"
    more = weigh_by_rules(
        tools,
        rest.values(),
        patient or PatientContext(),
        validity=validity,
        unmet=settings.unmet,
    )
    return (*found.values(), *more, *proposed(prediction))


def weighed(prediction: dspy.Prediction) -> Iterator[Evidence]:
    """Yield the evidence of claims and answers."""
    report: tuple[ClaimVerdict, ...] = tuple(prediction.get("report") or ())
    for verdict in report:
        yield from verdict.evidence
    yield from prediction.get("evidence") or ()


def unweighed(prediction: dspy.Prediction) -> Iterator[Triplet]:
    """Yield the triplets of regions."""
    for region in prediction.get("regions") or ():
        yield from region.triplets
    for hop in prediction.get("hops") or ():
        yield from hop.region.triplets


def proposed(prediction: dspy.Prediction) -> Iterator[Evidence]:
    """Yield the reviewed triplets that an answer may build on, numbered `h1`, `h2` and so on."""
    reviewed: list[ReviewedTriplet] = list(prediction.get("reviewed") or ())
    for hop in prediction.get("hops") or ():
        reviewed += hop.hypotheses
    for number, one in enumerate((one for one in reviewed if one.used), start=1):
        if one.head and one.tail:
            yield Evidence(triplet=as_triplet(one, number), validity=1.0)


def as_triplet(reviewed: ReviewedTriplet, number: int) -> Triplet:
    """Return a reviewed triplet whose ends are nodes as a triplet, which no file states."""
    triplet, head, tail = reviewed.hypothesis, reviewed.head, reviewed.tail
    if head is None or tail is None:
        raise ValueError(f"wanted a triplet with both ends linked, got {triplet}")
    return Triplet(
        id=f"h{number}",
        head=head,
        relation=triplet.relation,
        display_relation=triplet.relation,
        tail=tail,
        text=f"{head.name} {triplet.relation} {tail.name}",
    )
