"""What a reflecting optimizer is told about an answer, in words, from our own records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import dspy

from metrics.claim_agreement import agreements
from metrics.outcomes import outcome
from signatures.schema import Claim, ClaimVerdict, Hop, QAResponse, Question, Region, Triplet

LONGEST = 1200
"""Characters of one feedback: a handful of them must fit a small proposer's context."""


def feedback(example: dspy.Example, pred: object, *, score: float, field: str) -> str:
    """Say what was right and what was wrong.

    Of a whole program: which option is right and which one was given, which claim was refuted and
    why, which status a claim should have, which option the evidence supports, which deciding fact
    was in no region. Of a predictor: its field and the gold.

    Args:
        example: What was asked, with the gold.
        pred: What came back.
        score: What the metric made of it.
        field: Output field that the metric reads.
    """
    question = example.get("question")
    lines = (
        program_lines(question, pred)
        if isinstance(question, Question)
        else predictor_lines(example, pred, score=score, field=field)
    )
    text = "\n".join(lines) or f"The score was {score:.2f}."
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def program_lines(question: Question, pred: object) -> Iterator[str]:
    """Say what became of a question, most telling first."""
    yield from answer_lines(question, getattr(pred, "response", None))
    report: Sequence[ClaimVerdict] = tuple(getattr(pred, "report", None) or ())
    yield from status_lines(question, report)
    yield from refuted_lines(report)
    yield from support_lines(question, report)
    yield from missing_lines(question, pred)


def predictor_lines(
    example: dspy.Example, pred: object, *, score: float, field: str
) -> Iterator[str]:
    """Compare one output field with its gold."""
    said = getattr(pred, field, None)
    if score >= 1:
        yield f"Right: {field} is {said}."
    else:
        yield f"Wrong: {field} was {said}; it should be {example.get(field)}."


def answer_lines(question: Question, response: object) -> Iterator[str]:
    """Say which option was given and which is right."""
    if not isinstance(response, QAResponse):
        yield "There was no answer."
        return
    found = outcome(question, response.llm_answer_choice)
    right = _option(question, question.gold) if question.gold else "no option: abstain"
    said = {
        "correct": f"Right: the answer is {right}.",
        "correct_abstention": "Right: no option is right, and the program abstained.",
        "wrong": f"Wrong: the answer was {_option(question, found.letter)}; right is {right}.",
    }
    yield said.get(
        found.kind,
        f"The answer {response.llm_answer_choice[:80]!r} is {found.kind}; right is {right}.",
    )


def status_lines(question: Question, report: Sequence[ClaimVerdict]) -> Iterator[str]:
    """Name the claims whose status should be another, and those that were never made."""
    for item in agreements(question.gold_claims, report) if report else ():
        if item.said is None:
            yield f"Missing claim: {_words(item.gold.claim)} ({item.gold.status})."
        elif not item.agrees:
            yield f"The claim {_words(item.gold.claim)} is {item.gold.status}, not {item.said}."


def refuted_lines(report: Sequence[ClaimVerdict]) -> Iterator[str]:
    """Name the claims that the graph contradicts, with the reason."""
    for verdict in report:
        if verdict.status == "CONTRADICTED":
            yield f"Contradicted: {_words(verdict.claim)}: {verdict.reason}"


def support_lines(question: Question, report: Sequence[ClaimVerdict]) -> Iterator[str]:
    """Say which options the evidence supports."""
    for_it = dict.fromkeys(
        v.claim.option for v in report if v.status == "SUPPORTED" and v.claim.supports
    )
    if for_it:
        yield f"The evidence supports {', '.join(_option(question, o) for o in for_it)}."
    elif report:
        yield "The evidence supports no option."


def missing_lines(question: Question, pred: object) -> Iterator[str]:
    """Name the deciding facts that stood in no region."""
    regions = _regions(pred)
    if not regions:
        return
    held = {_fact(triplet) for region in regions for triplet in region.triplets}
    for head, relation, tail in question.deciding:
        if (head.casefold(), relation, tail.casefold()) not in held:
            yield f"Missing fact: {head} {relation} {tail} was in no region."


def _regions(pred: object) -> tuple[Region, ...]:
    hops: Sequence[Hop] = tuple(getattr(pred, "hops", None) or ())
    found: Sequence[Region] = tuple(getattr(pred, "regions", None) or ())
    return (*found, *(hop.region for hop in hops))


def _fact(triplet: Triplet) -> tuple[str, str, str]:
    return triplet.head.name.casefold(), triplet.relation, triplet.tail.name.casefold()


def _option(question: Question, letter: str | None) -> str:
    return f"{letter} ({question.options.get(letter or '', '?')})"


def _words(claim: Claim) -> str:
    return f"{claim.option}: {claim.head} {claim.predicate} {claim.tail}"
