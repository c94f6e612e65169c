"""What goes into an evaluation and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from retrievers.vocabulary import Kind
from signatures.schema import Match, Node, PatientContext

IsA = Callable[[Node, Node], bool]
"""Is the first node a kind of the second? Given from outside: the graph lost the direction."""
FindNode = Callable[[str, Kind], Node | None]
"""The node of a name of this kind, or `None`."""


class Case(NamedTuple):
    """A patient, with what is needed to compare names with the patient's facts."""

    patient: PatientContext
    is_a: IsA | None = None
    find_node: FindNode | None = None
    subject: str | None = None
    """The drug that the item's triplet is about; what `treatment` without a name means."""


class Finding(NamedTuple):
    """What an expression came to, with one line per leaf."""

    match: Match
    audit: tuple[str, ...]
