"""An evidence-aware score of the options: what an answer must justify itself against.

ReGraM C.9 shows the bottleneck: the evidence is for B and the answer is C. A score that needs no
model makes that visible (`decision_mismatch`), and alone it is the baseline `adjacency`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from programs.decide import Standing, decide
from programs.joins import Degree, Evidences, joins
from programs.named import Named, Names, names_of
from programs.polarity import turn_claims
from programs.question_asks import Asked, asked_of
from retrievers.linking import EntityLinker
from signatures.schema import (
    ABSTAIN,
    ClaimVerdict,
    Domain,
    Evidence,
    Join,
    OptionScore,
    Question,
)

TIE = 1e-9
"""Scores that differ by no more are equal."""

MARGIN = 0.05
"""Ours: by how much evidence must favour an option before another answer is a mismatch."""

HALF = 0.15
"""Ours: the margin at which confidence is one half. On the development halves of three question
sets the middle margin lies between 0.04 and 0.23 (`tests/bench/bench_adjacency.py`)."""

CLAIM: dict[Standing, float] = {"for": 1.0, "against": -1.0, "open": 0.0}
"""Points of checked claims: more than triplets alone usually reach, because a claim was made of the
question by a model and its status was decided for the patient."""

SHOWN = 5
"""Joins that a score keeps as a record; all of them count."""


def score_options(
    question: Question,
    evidence: Iterable[Evidence],
    linker: EntityLinker,
    *,
    degree: Degree,
    report: Sequence[ClaimVerdict] = (),
    domain: Domain | None = None,
) -> tuple[OptionScore, ...]:
    """Score each option of a question by weighed triplets and by checked claims.

    Args:
        question: text and options; its gold is not looked at.
        evidence: triplets with their validity for the patient, in any order.
        linker: finds what question and options name.
        degree: number of edges at a node.
        report: verdicts on claims about the options.
        domain: weighs the relations; `None` takes it from what the options are.
    """
    names = names_of(linker, question.text, question.options)
    return score_named(question, names, evidence, degree=degree, report=report, domain=domain)


def score_named(
    question: Question,
    names: Names,
    evidence: Iterable[Evidence],
    *,
    degree: Degree,
    report: Sequence[ClaimVerdict] = (),
    domain: Domain | None = None,
) -> tuple[OptionScore, ...]:
    """Score the options of a question whose names are linked; see `score_options`."""
    asked = asked_of(question.text, names.option_types)
    found = Evidences(evidence)
    standings = standings_of(question, report)

    def best(mentioned: Named, letter: str) -> Join | None:
        ways = (
            way
            for option in names.options[letter]
            for way in joins(mentioned, option, found, asked=asked, degree=degree, domain=domain)
        )
        return strongest(ways, asked)

    def score(letter: str) -> OptionScore:
        kept = [join for one in names.question if (join := best(one, letter)) is not None]
        return OptionScore(
            option=letter,
            score=sum(join.points for join in kept) + CLAIM[standings[letter]],
            known=bool(names.options[letter]),
            claims=standings[letter],
            joins=tuple(sorted(kept, key=lambda join: -abs(join.points))[:SHOWN]),
        )

    return tuple(score(letter) for letter in question.options)


def strongest(ways: Iterable[Join], asked: Asked) -> Join | None:
    """Return the strongest of several joins; of equals that disagree, the safer one.

    Where a drug to give is asked for, what speaks against it is the safer; where one to avoid is,
    what speaks for avoiding it.
    """
    safer = 1 if "contraindicated" in asked.predicates else -1
    return max(ways, key=lambda way: (round(abs(way.points), 12), safer * way.points), default=None)


def standings_of(question: Question, report: Sequence[ClaimVerdict]) -> dict[str, Standing]:
    """Say for each option whether its claims, argued as the question asks, stand for it."""
    turned = turn_claims((v.claim for v in report), question.text, question.options)
    argued = [
        verdict.model_copy(update={"claim": claim})
        for verdict, claim in zip(report, turned, strict=True)
    ]
    return decide(argued, question.options).standings


def favourite(scores: Sequence[OptionScore], *, margin: float = TIE) -> str | None:
    """Return the option that evidence favours, `abstain` when claims rule out all, else `None`.

    >>> favourite([OptionScore(option=o, score=s, known=True) for o, s in zip("AB", (0.2, 0.1))])
    'A'
    >>> favourite([OptionScore(option=o, score=0.2, known=True) for o in "AB"]) is None
    True
    >>> ruled_out = OptionScore(option="A", score=-0.4, known=True)
    >>> favourite([ruled_out, OptionScore(option="B", score=0, known=False)]) is None
    True
    """
    if scores and all(one.claims == "against" for one in scores):
        return ABSTAIN
    supported = [one.option for one in scores if one.claims == "for"]
    if len(supported) == 1:
        return supported[0]
    ranked = sorted(scores, key=lambda one: -one.score)
    if not ranked or ranked[0].score < 0 or not any(one.score for one in ranked):
        return None
    if ranked[0].score == 0 and not ranked[0].known:  # left over, and nothing is known of it
        return None
    return ranked[0].option if lead(ranked[0].option, scores) > margin else None


def lead(option: str, scores: Sequence[OptionScore]) -> float:
    """Return by how much an option leads the best of the others; below 0 when it trails.

    >>> lead("B", [OptionScore(option=o, score=s, known=True) for o, s in zip("AB", (0.5, 0.25))])
    -0.25
    """
    own = next((one.score for one in scores if one.option == option), 0.0)
    return own - max((one.score for one in scores if one.option != option), default=0.0)


def confidence_in(option: str | None, scores: Sequence[OptionScore]) -> float:
    """Return what the evidence gives an answer, from 0 (nothing, or it trails) to below 1.

    >>> scores = [OptionScore(option=o, score=s, known=True) for o, s in zip("AB", (0.15, 0.0))]
    >>> confidence_in("A", scores), confidence_in("B", scores), confidence_in(None, scores)
    (0.5, 0.0, 0.0)
    """
    ahead = 0.0 if option is None else max(0.0, lead(option, scores))
    return round(ahead / (ahead + HALF), 6)


def decision_mismatch(
    choice: str | None, scores: Sequence[OptionScore], *, margin: float = MARGIN
) -> bool | None:
    """Tell whether the evidence is for another option than the answer; `None` if it decides none.

    Args:
        choice: the answer's letter, `abstain`, or `None` for an answer without a reading.
        scores: of all options.
        margin: by how much evidence must favour an option to decide.

    >>> scores = [OptionScore(option=o, score=s, known=True) for o, s in zip("AB", (0.5, 0.1))]
    >>> decision_mismatch("B", scores), decision_mismatch("A", scores)
    (True, False)
    >>> decision_mismatch("B", scores, margin=0.5) is None
    True
    """
    wanted = favourite(scores, margin=margin)
    if wanted is not None:
        return wanted != choice
    ruled_out = {one.option for one in scores if one.claims == "against"}
    return True if choice in ruled_out else None
