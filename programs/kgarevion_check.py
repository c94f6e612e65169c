"""KGARevion's second step: link both ends over the whole graph, and say which triplets hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import dspy

from data.relations import reads_forward, relation_table
from programs.relation_names import read_relation
from programs.review import (
    UNVERIFIABLE,
    ProposedTriplet,
    Review,
    Reviewer,
    review_linked,
    unverifiable,
)
from programs.toolbox import Toolbox
from programs.wording import one_line
from retrievers.evidence import CONDITIONS
from retrievers.normalise import normalise
from signatures.schema import Hypothesis, Link, Node, ReviewedTriplet, ReviewKind, Triplet

IN_GRAPH = "in the graph"
"""How the reason of a triplet begins that is an edge of the graph."""
UNREVIEWED = Review(None, "not reviewed: the program has no reviewer")
"""Of a linked triplet that no edge states, in a program without a Reviewer."""


class Placed(NamedTuple):
    """A proposed triplet over the graph."""

    hypothesis: Hypothesis
    """With the relation as the graph writes it, where it has one."""
    known: bool
    """False when the graph has no such relation."""
    head: Node | None
    tail: Node | None
    joined: tuple[Triplet, ...] = ()
    """What joins the two ends in the graph, by any relation."""

    @property
    def edge(self) -> Triplet | None:
        """The edge of the graph that states the triplet."""
        return next((t for t in self.joined if t.relation == self.hypothesis.relation), None)

    @property
    def proposed(self) -> ProposedTriplet:
        """The triplet as a Reviewer takes it."""
        return ProposedTriplet(self.hypothesis, self.head, self.tail)


class CheckTriplets(dspy.Module):
    """Verify proposed triplets, post hoc, over the whole graph.

    An edge of the graph with the same ends and relation, in either direction, verifies its triplet
    with probability 1: no call. A relation that the graph does not have, or that never joins nodes
    of these types, is rejected. A triplet with an end that is no node is unverifiable, neither true
    nor false. All others of a round go to the Reviewer together and are verified from `threshold`
    on; without a verdict they are rejected.

    Args:
        tools: graph and linker.
        reviewer: gives the probabilities. KGARevion's own is a language model fine-tuned on the
            graph's edges, with their embeddings as a prefix: the graph is in its weights. Ours of
            kind `lm` is not trained. It sees the triplet in the words of its relation, the question
            and, where the graph joins the two ends by other relations, the triplets that join them.
            The kind `rotate` is trained on the graph. `None`: what no edge states is unreviewed.
        threshold: probability from which a triplet is verified.
    """

    def __init__(self, tools: Toolbox, reviewer: Reviewer | None, *, threshold: float) -> None:
        super().__init__()
        self.tools = tools
        self.reviewer = reviewer
        self.threshold = threshold

    def forward(
        self, triplets: Sequence[Hypothesis], question: str, *, revisions: int = 0
    ) -> tuple[ReviewedTriplet, ...]:
        """Return each triplet with what became of it, in order.

        Args:
            triplets: as proposed or as last revised.
            question: for the Reviewer.
            revisions: how often these triplets were revised before.
        """
        placed = [self.place(triplet) for triplet in triplets]
        settled = [without_reviewer(one) for one in placed]
        left = [one for one, review in zip(placed, settled, strict=True) if review is None]
        asked = iter(self._review(left, question))
        return tuple(
            self._record(one, review or next(asked), revisions)
            for one, review in zip(placed, settled, strict=True)
        )

    def _review(self, left: Sequence[Placed], question: str) -> tuple[Review, ...]:
        proposed = [one.proposed for one in left]
        if self.reviewer is None:
            return tuple(
                unverifiable(one) if one.head is None or one.tail is None else UNREVIEWED
                for one in proposed
            )
        known = [edge.text for one in left for edge in one.joined]
        return review_linked(self.reviewer, proposed, question=with_known(question, known))

    def place(self, triplet: Hypothesis) -> Placed:
        """Find the relation, both ends and, if the graph states the triplet, its edge."""
        relation = read_relation(triplet.relation, self.tools.graph.relations)
        info = relation_table().get(relation or "")
        heads = self._nodes(triplet.head, info.head_type if info else None)
        tails = self._nodes(triplet.tail, info.tail_type if info else None)
        named = triplet.model_copy(update={"relation": relation or triplet.relation})
        pairs = [Placed(named, relation is not None, h, t) for h, t in product(heads, tails)]
        joined = [pair._replace(joined=self._between(pair)) for pair in pairs]
        stated = next((pair for pair in joined if pair.edge), None)
        best = stated or next((pair for pair in joined if pair.joined), None)
        head, tail = (next(iter(nodes), None) for nodes in (heads, tails))
        return canonical(best or Placed(named, relation is not None, head, tail))

    def _between(self, pair: Placed) -> tuple[Triplet, ...]:
        graph = self.tools.graph
        if pair.head is None or pair.tail is None:
            return ()
        edges = graph.between(pair.head.index, pair.tail.index)
        return tuple(graph.triplet(int(edge)) for edge in edges)

    def _nodes(self, name: str, node_type: str | None) -> tuple[Node, ...]:
        """Return the node of a name and its namesakes, those of the relation's type first.

        A finding is often a disease as well, and the model may have written the ends the other way
        round, so the name is also linked without a type; the better link counts.
        """
        link = self.tools.linker.link_name
        tries = [link(name, types=frozenset({node_type}))] if node_type else []
        found = [one for one in (*tries, link(name)) if one.node is not None]
        best = max((one.score for one in found), default=0.0)
        nodes = (node for one in found if one.score == best for node in namesakes(one))
        return tuple({node.index: node for node in nodes}.values())

    def _record(self, placed: Placed, review: Review, revisions: int) -> ReviewedTriplet:
        return ReviewedTriplet(
            hypothesis=placed.hypothesis,
            head=placed.head,
            tail=placed.tail,
            probability=review.probability,
            kind=kind_of(review, threshold=self.threshold, revisions=revisions),
            revisions=revisions,
            reason=one_line(review.reason),
        )


def namesakes(link: Link) -> tuple[Node, ...]:
    """Return the node of a link, then the candidates that bear the same name."""
    node = link.node
    if node is None:
        return ()
    same = normalise(node.name)
    return (node, *(n for n in link.candidates if n != node and normalise(n.name) == same))


def without_reviewer(placed: Placed) -> Review | None:
    """Decide what needs no Reviewer; `None` leaves the triplet to it."""
    if not placed.known:
        return Review(0.0, f"{placed.hypothesis.relation!r} is no relation of the graph")
    if placed.head is not None and placed.head == placed.tail:
        return Review(0.0, "head and tail are one entity")
    if placed.edge is not None:
        return Review(1.0, f"{IN_GRAPH}: [{placed.edge.id}] {placed.edge.text}")
    wrong = wrong_types(placed)
    return Review(0.0, wrong) if wrong else None


def wrong_types(placed: Placed) -> str | None:
    """Say so when a relation never joins nodes of these types; diseases and findings are alike."""
    info = relation_table().get(placed.hypothesis.relation)
    if info is None or placed.head is None or placed.tail is None:
        return None
    usual, came = (info.head_type, info.tail_type), (placed.head.type, placed.tail.type)
    if sorted(map(_kind, usual)) == sorted(map(_kind, came)):
        return None
    return f"{info.relation} joins {' and '.join(usual)}, not {' and '.join(came)}"


def _kind(node_type: str) -> str:
    return "condition" if node_type in CONDITIONS else node_type


def canonical(placed: Placed) -> Placed:
    """Turn a triplet to the direction of its relation: the model may write its ends either way."""
    said, head, tail = placed.hypothesis, placed.head, placed.tail
    if not placed.known or head is None or tail is None:
        return placed
    if reads_forward(said.relation, head.type, tail.type) is not False:
        return placed
    turned = said.model_copy(update={"head": said.tail, "tail": said.head})
    return placed._replace(hypothesis=turned, head=tail, tail=head)


def with_known(question: str, known: Sequence[str]) -> str:
    r"""Add to a question what the graph holds of the triplets' ends.

    >>> with_known("Which drug?", ["Metformin is contraindicated in\nrenal failure"])
    'Which drug?\nThe graph holds: Metformin is contraindicated in renal failure'
    """
    lines = dict.fromkeys(f"The graph holds: {one_line(text)}" for text in known)
    return "\n".join([question, *lines])


def kind_of(review: Review, *, threshold: float, revisions: int) -> ReviewKind:
    """Return what becomes of a triplet with this review.

    >>> kind_of(Review(0.5, ""), threshold=0.5, revisions=0)
    'approved'
    >>> kind_of(Review(0.9, ""), threshold=0.5, revisions=2)
    'revised'
    >>> kind_of(Review(None, "unjudged"), threshold=0.5, revisions=0)
    'rejected'
    """
    if review == UNREVIEWED:
        return "unreviewed"
    if review.probability is None:
        return "unverifiable" if review.reason.startswith(UNVERIFIABLE) else "rejected"
    if review.probability < threshold:
        return "rejected"
    return "revised" if revisions else "approved"
