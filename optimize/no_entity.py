"""Questions of which nothing was linked to the graph: a linker that is silent must be seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from programs.adjacency import NAMES_NOTHING
from programs.validate import UNVERIFIABLE


def found_no_entity(trace: Mapping[str, JsonValue]) -> bool:
    """Tell whether a program looked into the graph and no name of the question led there.

    Read from the regions, of the hops or of the question; where a program builds none, from the
    reasons of its claims, the ends of its proposed triplets, or its note of the question's names
    together with its options. A program that does none of these did not look.

    >>> empty = {"anchors": [], "triplets": []}
    >>> found_no_entity({"regions": [empty]}), found_no_entity({"hops": [{"region": empty}]})
    (True, True)
    >>> found_no_entity({"report": [{"reason": "unverifiable: the graph does not know x"}]})
    True
    >>> found_no_entity({"regions": [empty, {"anchors": [{"name": "x"}]}]}), found_no_entity({})
    (False, False)
    >>> found_no_entity({"reviewed": [{"head": None, "tail": None}]})
    True
    """
    if regions := [*_regions(trace)]:
        return not any(region.get("anchors") or region.get("triplets") for region in regions)
    if verdicts := [*_records(trace.get("report"))]:
        return all(str(verdict.get("reason")).startswith(UNVERIFIABLE) for verdict in verdicts)
    if reviewed := [*_records(trace.get("reviewed"))]:
        return not any(triplet.get("head") or triplet.get("tail") for triplet in reviewed)
    notes = trace.get("notes")
    unnamed = isinstance(notes, list) and NAMES_NOTHING in notes
    return unnamed and not any(score.get("known") for score in _records(trace.get("scores")))


def _regions(trace: Mapping[str, JsonValue]) -> Iterator[dict[str, JsonValue]]:
    yield from _records(trace.get("regions"))
    for hop in _records(trace.get("hops")):
        yield from _records([hop.get("region")])


def _records(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item
