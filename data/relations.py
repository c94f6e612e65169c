"""PrimeKG's thirty relations: wording, direction, polarity and domain weights.

The table is `relations.csv` beside this file. A row with an empty `display_relation` describes the
relation; a row with one says how that display relation reads, where it reads differently
(`drug_protein` is a target, an enzyme, a transporter or a carrier).

PrimeKG stores every edge twice, once reversed, under the same label. The canonical direction of a
relation is from `head_type` to `tail_type`, and triplets are always worded in it. Between nodes of
one type the direction is lost for good, so such relations are not `directed`, and hierarchies are
never worded as "parent of".
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

from signatures.schema import Domain, Predicate, Record

Sign = Literal[1, -1]
"""+1: the relation speaks for a claim with this predicate; -1: against it."""

TABLE = Path(__file__).with_name("relations.csv")
"""Weights as printed in ReGraM Table 7; the mapping of relations to its categories is ours."""

UNKNOWN_WEIGHT = 1.0
"""Weight of a relation that the table lacks: neither preferred nor put back."""


class Wording(Record):
    """How one display relation reads, and what it speaks for."""

    forward: str
    """Phrase from head to tail: `is indicated for`."""
    backward: str
    """Phrase from tail to head: `is an indication for`."""
    polarity: dict[Predicate, Sign]


class RelationInfo(Record):
    """One row of the relation table."""

    relation: str
    category: str
    """Row of ReGraM Table 7: `Treats`, `Causes` …; `unknown` for a relation outside the table."""
    head_type: str
    """Node type that a triplet of this relation starts from; empty when unknown."""
    tail_type: str
    """Usual node type at its end; some edges end at another type, and the head decides."""
    directed: bool
    """False when the file cannot say which of two nodes comes first."""
    forward: str
    backward: str
    polarity: dict[Predicate, Sign]
    """Per predicate, whatever the display relation; `polarity_of` is finer."""
    weights: dict[Domain, float]
    """w_r of ReGraM §3.2, one per domain."""
    displays: dict[str, Wording] = {}
    """Display relations with a wording of their own."""
    source: str

    def wording(self, display_relation: str) -> Wording:
        """Return the wording of a display relation, the relation's own when it has none."""
        own = Wording(forward=self.forward, backward=self.backward, polarity=self.polarity)
        return self.displays.get(display_relation, own)


@cache
def relation_table() -> Mapping[str, RelationInfo]:
    """Return the thirty relations of PrimeKG by name.

    >>> len(relation_table())
    30
    >>> relation_table()["indication"].weights["DRUG_THERAPY"]
    1.5
    """
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    variants = [row for row in rows if row["display_relation"]]
    table = {
        row["relation"]: _info(row, [v for v in variants if v["relation"] == row["relation"]])
        for row in rows
        if not row["display_relation"]
    }
    return MappingProxyType(table)


def relation_info(relation: str) -> RelationInfo:
    """Return the table's row for a relation; a neutral one when it has none.

    `qkgram kg build` names such relations. A neutral row weighs 1.0 in every domain, speaks for
    `associated` and is worded by its name.
    """
    known = relation_table().get(relation)
    return known if known is not None else _unknown(relation)


def triplet_text(head: str, relation: str, display_relation: str, tail: str) -> str:
    """Word a triplet in its canonical direction.

    >>> triplet_text("Metformin", "indication", "indication", "type 2 diabetes mellitus")
    'Metformin is indicated for type 2 diabetes mellitus'
    >>> triplet_text("Metformin", "drug_protein", "transporter", "SLC22A1")
    'Metformin is moved by the transporter SLC22A1'
    """
    phrase = relation_info(relation).wording(display_relation).forward
    return f"{head} {phrase} {tail}"


def polarity_of(relation: str, display_relation: str, predicate: Predicate) -> Literal[-1, 0, 1]:
    """Say whether an edge speaks for a predicate (1), against it (-1) or of neither (0).

    >>> polarity_of("contraindication", "contraindication", "treats")
    -1
    >>> polarity_of("drug_protein", "enzyme", "targets")
    0
    """
    return relation_info(relation).wording(display_relation).polarity.get(predicate, 0)


def reads_forward(relation: str, first_type: str, second_type: str) -> bool | None:
    """Say whether (first, second) stands in the relation's canonical direction.

    `None` when the types cannot tell: both ends have one type, or the relation is unknown.

    >>> reads_forward("indication", "disease", "drug")
    False
    >>> reads_forward("disease_disease", "disease", "disease") is None
    True
    """
    info = relation_info(relation)
    if first_type == second_type or info.head_type not in (first_type, second_type):
        return None
    return first_type == info.head_type


def _info(row: Mapping[str, str], variants: list[dict[str, str]]) -> RelationInfo:
    return RelationInfo(
        relation=row["relation"],
        category=row["category"],
        head_type=row["head_type"],
        tail_type=row["tail_type"],
        directed=row["directed"] == "yes",
        forward=row["forward"],
        backward=row["backward"],
        polarity=_polarity(row),
        weights={domain: float(row[domain]) for domain in get_args(Domain)},
        displays={v["display_relation"]: _wording(v) for v in variants},
        source=row["source"],
    )


def _wording(row: Mapping[str, str]) -> Wording:
    return Wording(forward=row["forward"], backward=row["backward"], polarity=_polarity(row))


def _polarity(row: Mapping[str, str]) -> dict[Predicate, Sign]:
    signs: dict[str, Sign] = {"1": 1, "-1": -1}
    return {p: signs[row[p]] for p in get_args(Predicate) if row[p]}


@cache
def _unknown(relation: str) -> RelationInfo:
    words = relation.replace("_", " ")
    return RelationInfo(
        relation=relation,
        category="unknown",
        head_type="",
        tail_type="",
        directed=False,
        forward=words,
        backward=words,
        polarity={"associated": 1},
        weights=dict.fromkeys(get_args(Domain), UNKNOWN_WEIGHT),
        source="not in the table",
    )
