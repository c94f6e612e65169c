"""Who says whether a proposed triplet holds: the Reviewer of ReGraM §3.4."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

import dspy

from data.relations import triplet_text
from programs.caps import Caps
from programs.roles import step
from programs.wording import one_line
from signatures.errors import ParseError
from signatures.hypotheses import ReviewTriplets, TripletProbability
from signatures.schema import Hypothesis, Node

BATCH = 12
"""Triplets asked in one call: a review is about fifteen tokens."""
UNJUDGED = "unjudged"
"""How the reason begins when a reviewer was asked and gave no probability."""
UNVERIFIABLE = "unverifiable"
"""How the reason begins when an end of the triplet is no node of the graph."""


class ProposedTriplet(NamedTuple):
    """A triplet that a model proposes, with the nodes its two ends were linked to."""

    hypothesis: Hypothesis
    head: Node | None
    """`None` when the head is no node of the graph: the triplet is then unverifiable."""
    tail: Node | None


class Review(NamedTuple):
    """What a Reviewer says of one triplet."""

    probability: float | None
    """That the triplet holds, from 0 to 1; `None` when it is unverifiable or unjudged."""
    reason: str
    """One line."""


class Reviewer(Protocol):
    """Gives each triplet a probability; a reviewer is asked for linked triplets only."""

    id: str
    """Name of the reviewer and of what it was trained on, as written in every row."""

    def review(self, triplets: Sequence[ProposedTriplet], *, question: str) -> tuple[Review, ...]:
        """Return one review per triplet, in their order.

        Callers go through `review_linked`, which never asks for a triplet with an unlinked end.
        """
        ...


def review_linked(
    reviewer: Reviewer, triplets: Sequence[ProposedTriplet], *, question: str
) -> tuple[Review, ...]:
    """Ask the reviewer for the triplets whose ends are both linked; the rest are unverifiable.

    An entity outside the graph is never "true at 0.5": its probability is `None`.
    """
    linked = [t for t in triplets if t.head is not None and t.tail is not None]
    asked = iter(reviewer.review(linked, question=question) if linked else ())
    return tuple(
        unverifiable(t) if t.head is None or t.tail is None else next(asked) for t in triplets
    )


def unverifiable(proposed: ProposedTriplet) -> Review:
    """Say which end of the triplet is no node of the graph."""
    ends = ((proposed.head, proposed.hypothesis.head), (proposed.tail, proposed.hypothesis.tail))
    names = " and ".join(repr(one_line(name)) for node, name in ends if node is None)
    return Review(None, f"{UNVERIFIABLE}: the graph does not know {names}")


class LMReviewer(dspy.Module):
    """A Reviewer that asks the model of role `reviewer` for a probability per triplet.

    Probabilities are matched by id, never by position. A triplet without a usable one is asked once
    more and then stays unjudged.
    """

    id = "lm"

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.predict = dspy.Predict(ReviewTriplets, max_tokens=caps.reasoning)

    def review(self, triplets: Sequence[ProposedTriplet], *, question: str) -> tuple[Review, ...]:
        """Return one review per triplet, in their order."""
        reviews: tuple[Review, ...] = self(triplets, question=question)
        return reviews

    def forward(self, triplets: Sequence[ProposedTriplet], *, question: str) -> tuple[Review, ...]:
        """Do as `review` says; this form is the one that optimizers trace."""
        lines = {f"t{n}": proposed_text(t.hypothesis) for n, t in enumerate(triplets, start=1)}
        ids, found = tuple(lines), dict[str, float]()
        for start in range(0, len(ids), BATCH):
            batch = ids[start : start + BATCH]
            found |= self._ask(question, {i: lines[i] for i in batch})
            missing = {i: lines[i] for i in batch if i not in found}
            if missing:
                found |= self._ask(question, missing)
        return tuple(_reviewed(found.get(i)) for i in ids)

    def _ask(self, question: str, lines: dict[str, str]) -> dict[str, float]:
        worded = "\n".join(f"{i}: {line}" for i, line in lines.items())
        with step("review", role="reviewer"):
            try:
                said = self.predict(question=question, triplets=worded).reviews
            except ParseError:
                return {}
        return probabilities(said, wanted=lines.keys())


def _reviewed(probability: float | None) -> Review:
    if probability is None:
        return Review(None, f"{UNJUDGED}: the reviewer gave no probability from 0 to 1")
    return Review(probability, f"probability {probability:.2f}")


def probabilities(
    said: Iterable[TripletProbability], *, wanted: Collection[str]
) -> dict[str, float]:
    """Return the probabilities of wanted ids; one outside 0 to 1, or two that differ, are none.

    >>> said = [TripletProbability(id="t1", probability=0.9),
    ...         TripletProbability(id="t2", probability=7)]
    >>> probabilities(said, wanted={"t1", "t2"})
    {'t1': 0.9}
    """
    found: dict[str, set[float]] = {}
    for review in said:
        found.setdefault(review.id.strip(), set()).add(review.probability)
    return {
        i: next(iter(values))
        for i, values in found.items()
        if i in wanted and len(values) == 1 and all(0 <= value <= 1 for value in values)
    }


def proposed_text(hypothesis: Hypothesis) -> str:
    """Word a proposed triplet as a fact of its relation is worded, on one line.

    >>> proposed_text(Hypothesis(head="Colchicine", relation="indication", tail="gout"))
    'Colchicine is indicated for gout'
    """
    relation = hypothesis.relation
    return one_line(triplet_text(hypothesis.head, relation, relation, hypothesis.tail))
