"""Match ConstraintItems to a patient: does the patient belong to the item's group?

The engine decides what it can read; an item it cannot read is UNJUDGED here and decided by nobody,
and goes to a model elsewhere. An item that is read in part is decided only where the unread part
cannot change the verdict: the people it speaks of ("women who plan …") exclude the patient, or one
of several alternatives holds by a number (`retrievers.expression_parts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from retrievers.evaluation import evaluate
from retrievers.evaluation_types import Case, IsA
from retrievers.expression_parts import parse_parts
from retrievers.expressions import parse_condition, parse_head
from retrievers.name_forms import without_modifiers
from retrievers.vocabulary import Kind
from signatures.schema import ConstraintItem, ConstraintVerdict, Link, Match, Node, PatientContext

TYPES: dict[Kind, frozenset[str]] = {
    "diagnosis": frozenset({"disease", "effect/phenotype"}),
    "medication": frozenset({"drug"}),
}
"""PrimeKG node types that a name of each kind may be."""


class NameLinker(Protocol):
    """Finds the node of a whole name."""

    def link_name(self, name: str, *, types: frozenset[str] | None = None) -> Link:
        """Link a string that is one name."""
        ...


class Verdict(NamedTuple):
    """Whether one item's group holds for the patient."""

    match: Match
    decided_by: Literal["rules", "nobody"]
    audit: tuple[str, ...]


class Matcher:
    """Matches items with what a graph knows: nodes of names, and which disease is a kind of which.

    Nodes of names are looked up once and kept.
    """

    def __init__(self, *, is_a: IsA | None = None, linker: NameLinker | None = None) -> None:
        """Keep the hierarchy and the linker; both may be absent."""
        self.is_a = is_a
        self.linker = linker
        self._nodes: dict[tuple[str, Kind], Node | None] = {}

    def match(
        self, item: ConstraintItem, patient: PatientContext, *, subject: str | None = None
    ) -> Verdict:
        """Match one item to a patient; `subject` is the drug that the item's triplet is about."""
        text = item.patient_characteristics
        case = Case(patient, self.is_a, None if self.linker is None else self._find, subject)
        expression = parse_condition(text)
        if expression is None:
            return _in_part(text, case)
        finding = evaluate(expression, case)
        return Verdict(finding.match, "rules", finding.audit)

    def match_all(
        self,
        triplet_id: str,
        items: Sequence[ConstraintItem],
        patient: PatientContext,
        *,
        subject: str | None = None,
    ) -> tuple[ConstraintVerdict, ...]:
        """Match all items of a triplet; ids are `e412.0`, `e412.1` …, in order."""
        found = []
        for place, item in enumerate(items):
            verdict = self.match(item, patient, subject=subject)
            found.append(
                ConstraintVerdict(
                    id=f"{triplet_id}.{place}",
                    item=item,
                    match=verdict.match,
                    decided_by=verdict.decided_by,
                    audit=verdict.audit,
                )
            )
        return tuple(found)

    def _find(self, name: str, kind: Kind) -> Node | None:
        key = (name, kind)
        if key not in self._nodes and self.linker is not None:
            node = self.linker.link_name(name, types=TYPES[kind]).node
            self._nodes[key] = None if self._is_wider(node, name, kind) else node
        return self._nodes.get(key)

    def _is_wider(self, node: Node | None, name: str, kind: Kind) -> bool:
        """Say whether a disease's node is also that of its name without what narrows it."""
        bare = without_modifiers(name)
        if node is None or kind != "diagnosis" or bare == name or self.linker is None:
            return False
        return self.linker.link_name(bare, types=TYPES[kind]).node == node


def _in_part(text: str, case: Case) -> Verdict:
    """Decide a group that was not wholly read by the parts that were, or by who it is made of."""
    unread = f"'{text}' not read by rules"
    head = parse_head(text)
    if head is not None:
        finding = evaluate(head, case)
        if finding.match == "NOT_MET":
            return Verdict("NOT_MET", "rules", (*finding.audit, f"{unread} beyond that"))
    parts = parse_parts(text)
    if parts is not None:
        finding = evaluate(parts, case)
        if finding.match != "INDETERMINATE":
            return Verdict(finding.match, "rules", finding.audit)
    return Verdict("UNJUDGED", "nobody", (unread,))


def match_item(
    item: ConstraintItem,
    patient: PatientContext,
    *,
    is_a: IsA | None = None,
    linker: NameLinker | None = None,
    subject: str | None = None,
) -> Verdict:
    """Match one item to a patient.

    Args:
        item: the item; its level plays no part here.
        patient: what the question says of the patient.
        is_a: is the first node a kind of the second?
        linker: finds the nodes of the item's names, to compare with the nodes of the facts.
        subject: the drug that the item's triplet is about, for `treatment longer than 12 weeks`.

    Returns:
        MET, NOT_MET or INDETERMINATE with an audit line per leaf; UNJUDGED when rules cannot read
        the item.

    >>> item = ConstraintItem(patient_characteristics="general population",
    ...                       applicability="Definitely Applicable", evidence="")
    >>> match_item(item, PatientContext()).match
    'MET'
    """
    return Matcher(is_a=is_a, linker=linker).match(item, patient, subject=subject)
