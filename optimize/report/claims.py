"""Claims, hops and hypotheses of a prediction, as a card shows them."""

from __future__ import annotations

from optimize.report.graphs import regions_of
from optimize.report.loose import Loose, lines, mapping, mappings, number, sequence, words
from optimize.report.pool import Pool

PREDICATES = {
    "contraindicated": "is contraindicated in",
    "presents": "presents with",
    "associated": "is associated with",
}
"""Predicates that read badly between two names, in words; the others stand as they are."""


def claims_of(trace: Loose, pool: Pool) -> list[dict[str, object]]:
    """Return every claim with its verdict; a claim that no verdict names is shown as unchecked.

    A report of another program may hold bare texts and unknown statuses: both are kept as they are.
    """
    report = [_verdict(value, pool) for value in sequence(trace.get("report"))]
    reported = {tuple(map(str, mapping(v.get("claim")).values())) for v in _loose(trace)}
    unchecked = [
        _claim(claim) | {"status": "UNCHECKED", "evidence": []}
        for claim in mappings(trace.get("claims"))
        if tuple(map(str, claim.values())) not in reported
    ]
    return [*report, *unchecked]


def evidence(value: Loose, pool: Pool) -> dict[str, object]:
    """Return one triplet as evidence: F, label, and every constraint verdict with its audit."""
    return {
        "t": pool.triplet(mapping(value.get("triplet"))),
        "f": number(value.get("validity")),
        "label": words(value.get("label")),
        "out": bool(value.get("ruled_out")),
        "conflict": bool(value.get("conflict")),
        "verdicts": [
            [
                pool.item(verdict.get("item")),
                words(verdict.get("match")),
                words(verdict.get("decided_by")),
                lines(verdict.get("audit")),
            ]
            for verdict in mappings(value.get("verdicts"))
        ],
    }


def hops_of(trace: Loose, pool: Pool) -> list[dict[str, object]]:
    """Return the hops, or the regions alone where the program answers without hops."""
    hops = mappings(trace.get("hops")) or [{"region": region} for region in regions_of(trace)]
    return [_hop(hop, pool) for hop in hops]


def hypotheses_of(value: object) -> list[dict[str, object]]:
    """Return proposed triplets with what the Reviewer said of them."""
    return [
        {
            "text": " ".join(
                words(mapping(h.get("hypothesis")).get(part))
                for part in ("head", "relation", "tail")
            ),
            "kind": words(h.get("kind")),
            "p": number(h.get("probability")),
            "revisions": number(h.get("revisions")),
            "reason": words(h.get("reason")),
        }
        for h in mappings(value)
    ]


def _hop(hop: Loose, pool: Pool) -> dict[str, object]:
    region = mapping(hop.get("region"))
    return {
        "question": words(hop.get("sub_question")) or words(region.get("query")),
        "mode": words(hop.get("mode")),
        "answer": words(hop.get("answer")),
        "domain": words(region.get("domain")),
        "cited": lines(hop.get("cited")),
        "dropped": lines(hop.get("dropped")),
        "triplets": [pool.triplet(t) for t in mappings(region.get("triplets"))],
        "relevance": [
            None if (r := number(v)) is None else round(r, 3)
            for v in sequence(region.get("relevance"))
        ],
        "candidates": number(region.get("candidates")),
        "unlinked": lines(region.get("unlinked")),
        "hypotheses": hypotheses_of(hop.get("hypotheses")),
    }


def _loose(trace: Loose) -> list[Loose]:
    return mappings(trace.get("report"))


def _claim(claim: Loose) -> dict[str, object]:
    said = words(claim.get("predicate"))
    parts = (words(claim.get("head")), PREDICATES.get(said, said), words(claim.get("tail")))
    text = " ".join(parts)
    supports = claim.get("supports")
    return {
        "option": words(claim.get("option")),
        "text": text.strip(),
        "supports": supports if isinstance(supports, bool) else None,
    }


def _verdict(value: object, pool: Pool) -> dict[str, object]:
    if isinstance(value, str):
        return _claim({}) | {"status": "UNREAD", "reason": value, "evidence": []}
    verdict = mapping(value)
    return _claim(mapping(verdict.get("claim"))) | {
        "status": words(verdict.get("status")) or "UNREAD",
        "label": words(verdict.get("label")),
        "conflict": bool(verdict.get("conflict")),
        "reason": words(verdict.get("reason")),
        "evidence": [evidence(e, pool) for e in mappings(verdict.get("evidence"))],
    }
