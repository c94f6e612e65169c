"""How evidence joins an option to what the question names, and what each way is worth.

An option is joined by a triplet between the two, or by one step more along a hierarchy: a relative
of either end has the relation that is asked for. Other shared neighbours are no argument: two
diseases that share a common symptom, or two drugs that share a side effect, join at chance level
(`tests/bench/bench_adjacency.py`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from programs.named import Named
from programs.question_asks import Asked
from retrievers.status import vote
from retrievers.weights import relation_weight
from signatures.schema import Domain, Evidence, Join, Node

HIERARCHIES = frozenset(
    {
        "anatomy_anatomy",
        "bioprocess_bioprocess",
        "cellcomp_cellcomp",
        "disease_disease",
        "exposure_exposure",
        "molfunc_molfunc",
        "pathway_pathway",
        "phenotype_phenotype",
    }
)
"""Relations between broader and narrower concepts."""

MENTIONED = 0.5
"""Ours: weight of what an option only mentions, beside what it is."""

BY_RELATIVE = 0.3
"""Ours: weight of a join by way of a relative, before the relative's own rarity."""

DOMAINS: Mapping[str, Domain] = {
    "gene/protein": "GENE_PROTEIN",
    "drug": "DRUG_THERAPY",
    "disease": "DISEASE_SYMPTOM",
    "effect/phenotype": "DISEASE_SYMPTOM",
}
"""Domain of a question by the type of its option, where no model typed it."""

Degree = Callable[[int], int]
"""Number of edges at a node, by its index."""


class Step(NamedTuple):
    """One piece of evidence, seen from one of its ends."""

    to: Node
    piece: Evidence


class Evidences:
    """Weighed triplets by the nodes they touch."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        """Index each triplet once, in the order of the ids."""
        self._at: dict[int, list[Step]] = defaultdict(list)
        once = {piece.triplet.id: piece for piece in evidence}
        for _, piece in sorted(once.items()):
            head, tail = piece.triplet.head, piece.triplet.tail
            self._at[head.index].append(Step(tail, piece))
            self._at[tail.index].append(Step(head, piece))

    def between(self, first: Node, second: Node) -> Iterator[Evidence]:
        """Yield what joins two nodes directly."""
        return (step.piece for step in self._at.get(first.index, ()) if step.to == second)

    def by_relative(self, first: Node, second: Node) -> Iterator[tuple[Node, Evidence, Evidence]]:
        """Yield relatives between two nodes, each with the deciding piece and the hierarchy's."""
        for step in self._at.get(first.index, ()):
            if step.to in (first, second):
                continue
            for piece in self.between(step.to, second):
                near, far = is_hierarchy(step.piece), is_hierarchy(piece)
                if near != far:
                    decides, climbs = (piece, step.piece) if near else (step.piece, piece)
                    yield step.to, decides, climbs


def is_hierarchy(piece: Evidence) -> bool:
    """Does the triplet say only that two concepts are relatives?"""
    return piece.triplet.relation in HIERARCHIES


def joins(
    mentioned: Named,
    option: Named,
    evidence: Evidences,
    *,
    asked: Asked,
    degree: Degree,
    domain: Domain | None = None,
) -> Iterator[Join]:
    """Yield every way in which evidence joins an option to one thing that the question names."""
    for first in option.nodes:
        for second in mentioned.nodes:
            if first == second:
                continue
            common = rarity(degree(first.index)) * rarity(degree(second.index))
            common *= 1.0 if option.whole else MENTIONED
            known = domain or DOMAINS.get(first.type, "INTEGRATED")
            for piece in evidence.between(first, second):
                yield from _join(piece, (piece,), first, second, common, asked, known)
            for relative, decides, climbs in evidence.by_relative(first, second):
                worth = common * BY_RELATIVE / math.log(2 + degree(relative.index))
                yield from _join(decides, (decides, climbs), first, second, worth, asked, known)


def _join(  # type: ignore[no-untyped-def]
    decides: Evidence, pieces, option, mentioned, worth: float, asked: Asked, domain: Domain
) -> Iterator[Join]:
    sign = sign_of(decides, asked)
    if sign is None:
        return
    points = sign * worth * relation_weight(decides.triplet.relation, domain)
    yield Join(mentioned=mentioned, option=option, points=points, evidence=pieces)


def sign_of(piece: Evidence, asked: Asked) -> int | None:
    """Return +1 or -1 for evidence that fits what is asked, 0 when uncertain, `None` when silent.

    In a negated question the option is asked for that the evidence is against.
    """
    votes = (vote(predicate, piece) for predicate in asked.predicates)
    found = next((one for one in votes if one is not None), None)
    return -found if found is not None and asked.negated else found


def rarity(degree: int) -> float:
    """Return what a join to a node with this many edges is worth; two ends multiply.

    >>> rarity(0), rarity(2), rarity(254)
    (1.0, 0.7071067811865475, 0.35355339059327373)
    """
    return 1 / math.sqrt(math.log2(2 + degree))
