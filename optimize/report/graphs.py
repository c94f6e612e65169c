"""The graph that a card draws: region triplets, evidence triplets, and where their nodes stand."""

from __future__ import annotations

from collections.abc import Iterator

from optimize.report.layout import layout
from optimize.report.loose import Loose, lines, mapping, mappings, number, words
from optimize.report.pool import Pool

CITED, REGION, EVIDENCE = 1, 2, 4
"""What an edge is: cited by an answer, inside a region, looked at for a claim."""

MAX_EDGES = 48
"""Edges drawn of one question; the lists beside the picture hold all of them."""


def regions_of(trace: Loose) -> list[Loose]:
    """Return the regions of a prediction: of its hops, else the ones it merged."""
    hops = [mapping(hop.get("region")) for hop in mappings(trace.get("hops"))]
    return hops or mappings(trace.get("regions"))


def evidence_of(trace: Loose) -> list[Loose]:
    """Return every piece of evidence: of the claims, then of the answer itself."""
    of_claims = [e for v in mappings(trace.get("report")) for e in mappings(v.get("evidence"))]
    return [*of_claims, *mappings(trace.get("evidence"))]


def region_graph(trace: Loose, pool: Pool) -> dict[str, object] | None:
    """Return what a card draws of a prediction, `None` when it holds no triplet.

    `nodes` are (pool number, x, y in thousandths, 1 for an anchor), `edges` are (pool number of the
    triplet, first end, last end, what it is, validity or `None`), ends as numbers of `nodes`.
    """
    what: dict[int, int] = {}
    validity: dict[int, float | None] = {}
    for triplet, kind, value in _triplets(trace):
        key = pool.triplet(triplet)
        what[key] = what.get(key, 0) | kind
        if value is not None:
            validity[key] = value
    if not what:
        return None
    drawn = list(what)[:MAX_EDGES]
    anchors = {pool.node(a) for r in regions_of(trace) for a in mappings(r.get("anchors"))}
    numbers: dict[int, int] = {}
    for node in (end for key in drawn for end in pool.ends(key)):
        numbers.setdefault(node, len(numbers))
    ends = [(numbers[head], numbers[tail]) for head, tail in map(pool.ends, drawn)]
    places = layout(ends, anchors={n for node, n in numbers.items() if node in anchors})
    return {
        "nodes": [
            [node, round(1000 * x), round(1000 * y), int(node in anchors)]
            for node, (x, y) in zip(numbers, places, strict=True)
        ],
        "edges": [
            [key, *both, what[key], validity.get(key)]
            for key, both in zip(drawn, ends, strict=True)
        ],
        "left_out": len(what) - len(drawn),
    }


def _triplets(trace: Loose) -> Iterator[tuple[Loose, int, float | None]]:
    """Yield triplets, the most telling first: evidence, cited ones, then the rest of a region."""
    cited = {t for hop in mappings(trace.get("hops")) for t in lines(hop.get("cited"))}
    inside = [t for region in regions_of(trace) for t in mappings(region.get("triplets"))]
    for piece in evidence_of(trace):
        if triplet := mapping(piece.get("triplet")):
            yield triplet, EVIDENCE, number(piece.get("validity"))
    for triplet in sorted(inside, key=lambda t: words(t.get("id")) not in cited):
        yield triplet, REGION | (CITED if words(triplet.get("id")) in cited else 0), None
