"""What one fact says of a leaf, and how the facts together settle it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from data.wording import counted
from retrievers.evaluation_types import Case, Finding
from retrievers.numbers import Interval, show, within
from retrievers.vocabulary import Kind
from signatures.schema import Match, Node, PatientFact


class Voice(NamedTuple):
    """What one fact says of a leaf."""

    match: Match
    why: str


def timely(wanted: Interval, fact: PatientFact) -> Voice:
    """Return whether the fact happened in the wanted time."""
    if fact.days_ago is None:
        return Voice("INDETERMINATE", f"no time is stated, {source(fact)}")
    match = within(Interval(fact.days_ago, fact.days_ago), wanted)
    return Voice(match, f"{time(fact.days_ago)} ago, {source(fact)}")


def settle(wanted: str, voices: Iterable[Voice]) -> Finding:
    """Return the finding: what one fact decides, unless another says the opposite."""
    found = list(voices)
    for match in ("MET", "NOT_MET"):
        first = next((voice for voice in found if voice.match == match), None)
        other = "NOT_MET" if match == "MET" else "MET"
        if first is not None and any(voice.match == other for voice in found):
            return Finding("INDETERMINATE", (f"{wanted} → INDETERMINATE; the text says both",))
        if first is not None:
            return Finding(first.match, (f"{wanted} → {first.match}; {first.why}",))
    why = found[0].why if found else "not mentioned"
    return Finding("INDETERMINATE", (f"{wanted} → INDETERMINATE; {why}",))


def node_of(name: str, kind: Kind, case: Case) -> Node | None:
    """Return the node of a name, where facts have nodes to compare it with."""
    if case.find_node is None or not any(fact.node for fact in case.patient.facts):
        return None
    return case.find_node(name, kind)


def kind_of(child: Node | None, parent: Node | None, case: Case) -> bool:
    """Say whether the first node is the second or a kind of it."""
    if child is None or parent is None:
        return False
    return child.index == parent.index or (case.is_a is not None and case.is_a(child, parent))


def source(fact: PatientFact) -> str:
    """Word where a fact stands."""
    return f"from '{fact.span.text}'"


def length(wanted: Interval | None) -> str:
    """Word how long something must have lasted."""
    return "" if wanted is None else f" for {show(wanted)} days"


def days(wanted: Interval | None) -> str:
    """Word how long ago something must have happened."""
    if wanted is None:
        return ""
    if wanted.low == 0:
        return f" within {time(wanted.high)}"
    return f" {time(wanted.low)} to {time(wanted.high)} ago"


def time(count: float) -> str:
    """Word a time given in days; parts of a day in hours.

    >>> time(0.1875), time(2 / 24), time(1), time(30), time(2.5)
    ('4.5 hours', '2 hours', '1 day', '30 days', '2.5 days')
    """
    hours = round(24 * count, 2)
    if 0 < hours < 24:
        return counted(hours, "hour")
    return counted(float(count), "day")
