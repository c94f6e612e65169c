"""HYBRID's own step: propose, review, revise (ReGraM §3.3 and §3.4, figures 4 and 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

import dspy

from programs.caps import Caps
from programs.closed_world import ClosedWorld, Placed, first_of_each
from programs.review import (
    UNJUDGED,
    ProposedTriplet,
    Review,
    Reviewer,
    proposed_text,
    review_linked,
)
from programs.roles import step
from programs.toolbox import Toolbox
from programs.trimming import keep_ranked
from programs.wording import fact_lines, one_line
from signatures.errors import ParseError
from signatures.hypotheses import ProposeTriplets, RevisedTriplet, ReviseTriplets
from signatures.schema import Hypothesis, Region, ReviewedTriplet, ReviewKind

THRESHOLD = 0.5
"""s_θ from which a triplet is accepted (ReGraM §3.4)."""
MAX_REVISIONS = 2
"""Rounds of revision at most (ReGraM §3.4)."""
FACTS, ENTITIES, RELATIONS = 280, 200, 160
"""Tokens of each part of the proposing prompt: with instructions and sub-question below 900. What
is left out is not shown; the closed world is still the whole of V_q and of the schema."""
MAX_HYPOTHESES = 4
"""Ours; the paper names no number. A triplet is about thirty tokens to write, and one to review."""


class Hypothesise(dspy.Module):
    """Propose triplets that the facts lack, and keep what the Reviewer approves.

    Closed world, checked in code: both ends in V_q, the relation in the schema. A triplet that is
    rejected goes back to be revised, at most `max_revisions` times. Without a reviewer every
    triplet of the closed world is used, unreviewed: the ablation of ReGraM C.4.
    """

    def __init__(
        self,
        tools: Toolbox,
        *,
        reviewer: Reviewer | None,
        threshold: float = THRESHOLD,
        max_revisions: int = MAX_REVISIONS,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.tools, self.reviewer = tools, reviewer
        self.threshold, self.max_revisions = threshold, max_revisions
        self.propose = dspy.Predict(ProposeTriplets, max_tokens=caps.reasoning)
        self.revise = dspy.Predict(ReviseTriplets, max_tokens=caps.reasoning)

    def forward(self, sub_question: str, region: Region) -> tuple[ReviewedTriplet, ...]:
        """Return every proposed triplet as last revised, with what became of it."""
        world = ClosedWorld(region, relations=self.tools.graph.relations, linker=self.tools.linker)
        placed = [world.place(said) for said in self._propose(sub_question, world)]
        judged = self._judge(placed, sub_question, revisions=0)
        for revisions in range(1, self.max_revisions + 1):
            wrong = {f"h{n}": t for n, t in enumerate(judged, start=1) if _revisable(t)}
            if not wrong:
                break
            revised = self._revise(sub_question, world, wrong)
            again = self._judge(
                [world.place(said) for said in revised.values()], sub_question, revisions=revisions
            )
            for i, triplet in zip(revised, again, strict=True):
                judged[int(i[1:]) - 1] = triplet
        return without_repeats(judged)

    def _propose(self, sub_question: str, world: ClosedWorld) -> tuple[Hypothesis, ...]:
        if not world.relations:
            return ()
        with step("hypothesise"):
            said = self.propose(
                relations=keep_ranked(world.relation_lines(), budget=RELATIONS).text,
                sub_question=sub_question,
                facts=keep_ranked(fact_lines(world.region.triplets), budget=FACTS).text,
                entities=keep_ranked(world.entity_lines(), budget=ENTITIES).text,
            ).triplets
        return first_of_each(said, limit=MAX_HYPOTHESES)

    def _revise(
        self, sub_question: str, world: ClosedWorld, wrong: dict[str, ReviewedTriplet]
    ) -> dict[str, Hypothesis]:
        """Return the revised triplets by id; one that came back unchanged is left out."""
        with step("revise_hypotheses"):
            try:
                said = self.revise(
                    relations=keep_ranked(world.relation_lines(), budget=RELATIONS).text,
                    sub_question=sub_question,
                    entities=keep_ranked(world.entity_lines(), budget=ENTITIES).text,
                    rejected="\n".join(_rejected_line(i, t) for i, t in wrong.items()),
                ).triplets
            except ParseError:
                return {}
        return revisions_by_id(said, wrong=wrong)

    def _judge(
        self, placed: Sequence[Placed], sub_question: str, *, revisions: int
    ) -> list[ReviewedTriplet]:
        fit = [p.proposed for p in placed if p.objection is None]
        reviews = iter(self._review(fit, sub_question))
        return [
            _outside(p, revisions)
            if p.objection is not None
            else self._reviewed(p.proposed, next(reviews), revisions)
            for p in placed
        ]

    def _review(self, fit: Sequence[ProposedTriplet], question: str) -> tuple[Review, ...]:
        if self.reviewer is None:
            return (Review(None, "not reviewed: the program has no reviewer"),) * len(fit)
        return review_linked(self.reviewer, fit, question=question)

    def _reviewed(
        self, proposed: ProposedTriplet, review: Review, revisions: int
    ) -> ReviewedTriplet:
        kind: ReviewKind = "rejected"
        if self.reviewer is None:
            kind = "unreviewed"
        elif review.probability is not None and review.probability >= self.threshold:
            kind = "revised" if revisions else "approved"
        return _record(proposed, kind, review, revisions)


def _outside(placed: Placed, revisions: int) -> ReviewedTriplet:
    proposed = placed.proposed
    linked = proposed.head is not None and proposed.tail is not None
    review = Review(None, placed.objection or "")
    return _record(proposed, "rejected" if linked else "unverifiable", review, revisions)


def _record(
    proposed: ProposedTriplet, kind: ReviewKind, review: Review, revisions: int
) -> ReviewedTriplet:
    return ReviewedTriplet(
        hypothesis=proposed.hypothesis,
        head=proposed.head,
        tail=proposed.tail,
        probability=review.probability,
        kind=kind,
        revisions=revisions,
        reason=review.reason,
    )


def _revisable(triplet: ReviewedTriplet) -> bool:
    """A triplet that nobody judged has no fault to correct."""
    return not triplet.used and not triplet.reason.startswith(UNJUDGED)


def _rejected_line(number: str, triplet: ReviewedTriplet) -> str:
    said = triplet.hypothesis
    worded = one_line(f"{said.head} | {said.relation} | {said.tail}")
    return f"{number}: {worded} ({one_line(triplet.reason)})"


def revisions_by_id(
    said: Iterable[RevisedTriplet], *, wrong: dict[str, ReviewedTriplet]
) -> dict[str, Hypothesis]:
    """Return the first revision of each id that was asked for and that changes the triplet."""
    found: dict[str, Hypothesis] = {}
    for triplet in said:
        revised = Hypothesis(head=triplet.head, relation=triplet.relation, tail=triplet.tail)
        old = wrong.get(triplet.id.strip())
        if old is not None and old.hypothesis != revised:
            found.setdefault(triplet.id.strip(), revised)
    return found


def without_repeats(triplets: Iterable[ReviewedTriplet]) -> tuple[ReviewedTriplet, ...]:
    """Keep the first of used triplets that came to say the same; a later one is rejected."""
    seen: dict[Hypothesis, int] = {}
    kept: list[ReviewedTriplet] = []
    for number, triplet in enumerate(triplets, start=1):
        first = seen.setdefault(triplet.hypothesis, number) if triplet.used else number
        repeat = {"kind": "rejected", "reason": f"says the same as h{first}"}
        kept.append(triplet if first == number else triplet.model_copy(update=repeat))
    return tuple(kept)


def hypothesis_lines(triplets: Sequence[ReviewedTriplet]) -> str:
    """Word the triplets that an answer may build on: `hn` for the n-th, one per line."""
    return "\n".join(
        f"h{n}: {proposed_text(t.hypothesis)}" for n, t in enumerate(triplets, start=1) if t.used
    )


def counts(triplets: Iterable[ReviewedTriplet]) -> str:
    """Count what became of proposed triplets; empty when none was proposed.

    >>> said = Hypothesis(head="a", relation="indication", tail="b")
    >>> counts([ReviewedTriplet(hypothesis=said, kind="approved")])
    '1 approved, 0 revised, 0 rejected, 0 unverifiable'
    """
    found = Counter(triplet.kind for triplet in triplets)
    always = ("approved", "revised", "rejected", "unverifiable")
    shown = [kind for kind in get_args(ReviewKind) if found[kind] or kind in always]
    return ", ".join(f"{found[kind]} {kind}" for kind in shown) if found else ""
