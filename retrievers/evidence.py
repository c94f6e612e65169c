"""The triplets that bear on a claim, each weighed for this patient (QKG §3.2).

Evidence is what joins the claim's head and tail. For claims that a drug treats, or is
contraindicated, it is also every contraindication of the drug to a disease that the patient has:
it is against the drug although the claim does not name that disease.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from retrievers.evaluation_types import IsA
from retrievers.graph import GraphStore
from retrievers.linking import EntityLinker
from retrievers.matching import Matcher
from retrievers.normalise import normalise
from retrievers.shuffle import Annotated, shuffled_items
from retrievers.unjudged import answer
from retrievers.validity import Paradigm, Unmet, validity
from signatures.schema import (
    Claim,
    ConstraintItem,
    ConstraintVerdict,
    Evidence,
    Match,
    Node,
    PatientContext,
    Region,
    Triplet,
)

SAFETY = frozenset({"treats", "contraindicated"})
"""Predicates for which the patient's other diseases count."""
CONDITIONS = frozenset({"disease", "effect/phenotype"})
TAIL_TYPES: Mapping[str, frozenset[str]] = {
    "treats": CONDITIONS,
    "contraindicated": CONDITIONS,
    "causes": CONDITIONS,
    "presents": CONDITIONS,
    "targets": frozenset({"gene/protein"}),
}
"""Node types that the tail of a claim with this predicate may be; `associated`: any type."""
HEAD_TYPES: Mapping[str, frozenset[str]] = {
    "treats": frozenset({"drug"}),
    "contraindicated": frozenset({"drug"}),
    "targets": frozenset({"drug"}),
}
"""Node types that the head of a claim with this predicate may be; all others: any type."""


EXACT = 100.0
"""Link score of a name that equals a name of the graph."""


class EvidenceFinder:
    """Finds and weighs the triplets of claims; shared by threads and copies of programs."""

    def __init__(
        self,
        graph: GraphStore,
        linker: EntityLinker,
        *,
        is_a: IsA | None = None,
        shuffle: int | None = None,
    ) -> None:
        """Keep the graph, the linker and, where it is known, the hierarchy of diseases.

        Args:
            graph: the store.
            linker: finds the nodes of names.
            is_a: is the first disease a kind of the second?
            shuffle: seed of the shuffled-constraints control; `None` leaves every item in place.
        """
        self.graph = graph
        self.linker = linker
        self.matcher = Matcher(is_a=is_a, linker=linker)
        self.shuffle = shuffle
        self._given = None if shuffle is None else _shuffle(graph, shuffle)

    def shuffled(self, seed: int) -> Self:
        """Return the same finder with the items permuted between triplets, for the control."""
        return type(self)(self.graph, self.linker, is_a=self.matcher.is_a, shuffle=seed)

    def items_of(self, triplet: Triplet) -> tuple[ConstraintItem, ...]:
        """Return the triplet's ConstraintItems; in the control, another triplet's."""
        edge = self.graph.edge_number(triplet.id)
        if self._given is None:
            return self.graph.constraints_of(edge)
        return self.graph.constraints_of(self._given[edge]) if edge in self._given else ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the finder itself: graph and linker are shared."""
        return self

    def find(
        self, claim: Claim, patient: PatientContext, *, region: Region | None = None
    ) -> tuple[Triplet, ...]:
        """Return the triplets that bear on a claim.

        Args:
            claim: head and tail are linked here; an unlinked end gives no evidence.
            patient: present diagnoses that have a node add the contraindications of the drug.
            region: when given, nothing outside it is returned.

        Returns:
            Triplets between head and tail first, each once, in the order of edge numbers.
        """
        heads = self._nodes(claim.head, HEAD_TYPES.get(claim.predicate))
        tails = self._nodes(claim.tail, TAIL_TYPES.get(claim.predicate))
        found = [t for head in heads for tail in tails for t in self._between(head, tail)]
        if claim.predicate in SAFETY:
            found += self._contraindications(heads, patient)
        unique = {triplet.id: triplet for triplet in found}
        inside = None if region is None else region.ids
        return tuple(t for t in unique.values() if inside is None or t.id in inside)

    def unlinked(self, claim: Claim) -> tuple[str, ...]:
        """Say of each end that keeps a claim from being verified why: unknown, or another kind."""
        ends = ((claim.head, HEAD_TYPES), (claim.tail, TAIL_TYPES))
        said = (self._missing(name, types.get(claim.predicate), claim) for name, types in ends)
        return tuple(reason for reason in said if reason)

    def judge(
        self,
        triplets: Iterable[Triplet],
        patient: PatientContext,
        *,
        answered: Mapping[str, Match] | None = None,
    ) -> dict[str, tuple[ConstraintVerdict, ...]]:
        """Return the verdicts on the ConstraintItems of each triplet, by triplet id.

        Args:
            triplets: of this graph.
            patient: what the question says of the patient.
            answered: a model's verdicts by verdict id (`e412.0`), for items that rules cannot read.
        """
        found = {}
        for triplet in triplets:
            subject = triplet.head.name if triplet.head.type == "drug" else None
            verdicts = self.matcher.match_all(
                triplet.id, self.items_of(triplet), patient, subject=subject
            )
            found[triplet.id] = tuple(answer(v, answered or {}) for v in verdicts)
        return found

    def weigh(
        self,
        triplets: Sequence[Triplet],
        patient: PatientContext,
        *,
        paradigm: Paradigm = "explicit",
        unmet: Unmet = "exclude",
        answered: Mapping[str, Match] | None = None,
    ) -> tuple[Evidence, ...]:
        """Return each triplet with its validity for the patient, the most valid first."""
        verdicts = self.judge(triplets, patient, answered=answered)
        weighed = [
            weigh(triplet, verdicts[triplet.id], paradigm=paradigm, unmet=unmet)
            for triplet in triplets
        ]
        return tuple(sorted(weighed, key=lambda piece: -piece.validity))

    def _nodes(self, name: str, types: frozenset[str] | None) -> tuple[Node, ...]:
        """Return the node of a name with its namesakes: a finding is often a disease as well.

        A name that only its place in the claim makes clear ("ACE" as the tail of a pathway) comes
        back as all that it may be; only what has an edge to the other end becomes evidence.
        """
        link = self.linker.link_name(name, types=types)
        if link.node is None:
            return link.candidates if link.score == EXACT and link.candidates else ()
        same = normalise(link.node.name)
        others = (n for n in link.candidates if n != link.node and normalise(n.name) == same)
        return (link.node, *others)

    def _missing(self, name: str, types: frozenset[str] | None, claim: Claim) -> str:
        if self._nodes(name, types):
            return ""
        kinds = sorted({node.type for node in self._nodes(name, None)})
        if kinds:
            return f"{name} is a {kinds[0]}, which {claim.predicate!r} does not take there"
        return f"the graph does not know {name}"

    def _contraindications(self, drugs: Sequence[Node], patient: PatientContext) -> list[Triplet]:
        diseases = {
            node.index: node
            for had in present_nodes(patient)
            for node in (had, *self._nodes(had.name, frozenset({"disease"})))
        }
        return [
            triplet
            for drug in drugs
            for disease in diseases.values()
            for triplet in self._between(drug, disease)
            if triplet.relation == "contraindication"
        ]

    def _between(self, first: Node, second: Node) -> list[Triplet]:
        edges = self.graph.between(first.index, second.index)
        return [self.graph.triplet(int(edge)) for edge in edges]


def weigh(
    triplet: Triplet,
    verdicts: Sequence[ConstraintVerdict],
    *,
    paradigm: Paradigm = "explicit",
    unmet: Unmet = "exclude",
) -> Evidence:
    """Return a triplet as evidence, from the verdicts on its items."""
    found = validity(verdicts, triplet.relation, paradigm=paradigm, unmet=unmet)
    return Evidence(
        triplet=triplet,
        validity=found.value,
        label=found.label,
        ruled_out=found.ruled_out,
        conflict=found.conflict,
        verdicts=tuple(verdicts),
    )


def _shuffle(graph: GraphStore, seed: int) -> Mapping[int, int]:
    edges = graph.constrained_edges()
    heads, codes, _ = graph.endpoints(edges)
    return shuffled_items(
        (
            Annotated(int(edge), graph.relations[int(code)], int(head))
            for edge, head, code in zip(edges, heads, codes, strict=True)
        ),
        seed=seed,
    )


def present_nodes(patient: PatientContext) -> tuple[Node, ...]:
    """Return the nodes of the diagnoses that the patient has now, each once."""
    nodes = {
        fact.node.index: fact.node
        for fact in patient.facts
        if fact.kind == "diagnosis" and fact.assertion == "present" and fact.node is not None
    }
    return tuple(nodes.values())
