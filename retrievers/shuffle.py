"""The shuffled-constraints control: every triplet is given the ConstraintItems of another.

If a gain came from having any conditions at all, it would survive this; if it comes from the right
conditions (QKG §5.1), it must vanish. Items move between triplets of one relation, so each relation
keeps its items and levels; only the tie between a fact and its conditions is cut.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple


class Annotated(NamedTuple):
    """A triplet that carries items."""

    edge: int
    """Edge number in the store."""
    relation: str
    head: int
    """Index of the head node, as a rule the drug."""


def shuffled_items(annotated: Iterable[Annotated], *, seed: int) -> Mapping[int, int]:
    """Return for every edge the edge whose items it is given.

    Within a relation the triplets are ordered by head, heads in an order drawn by `seed`, and the
    items move on by as many places as the largest head has triplets: no triplet keeps its items,
    and none gets those of its own head where the largest head has at most half of them.

    Returns:
        A permutation of the edge numbers; the same for the same triplets and seed, whatever their
        order. A relation with one triplet cannot be shuffled: its triplet is given no items and is
        missing here.

    >>> pairs = [Annotated(0, "indication", 7), Annotated(1, "indication", 8)]
    >>> dict(shuffled_items(pairs, seed=0))
    {0: 1, 1: 0}
    """
    groups: dict[str, list[Annotated]] = defaultdict(list)
    for one in sorted(annotated):
        groups[one.relation].append(one)
    given: dict[int, int] = {}
    for relation in sorted(groups):
        given |= _moved_on(groups[relation], random.Random(f"{seed}:{relation}"))  # noqa: S311
    return MappingProxyType(dict(sorted(given.items())))


def _moved_on(group: list[Annotated], draw: random.Random) -> dict[int, int]:
    if len(group) < 2:
        return {}
    heads = sorted({one.head for one in group})
    draw.shuffle(heads)
    place = {head: number for number, head in enumerate(heads)}
    ordered = sorted(group, key=lambda one: (place[one.head], one.edge))
    largest = max(Counter(one.head for one in group).values())
    step = largest if largest < len(group) else 1
    return {
        one.edge: ordered[(number + step) % len(ordered)].edge for number, one in enumerate(ordered)
    }
