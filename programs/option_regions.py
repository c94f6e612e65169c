"""The regions of one question: per sub-question, per option, and their union as the boundary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from retrievers.region import RegionBuilder
from signatures.schema import Domain, Link, Node, Region, Triplet


def mentioned(links: Iterable[Link]) -> tuple[Node, ...]:
    """Return the nodes that a text links to, each once, in order of mention.

    What the text denies or tells of a relative seeds no region.
    """
    kept = (link for link in links if link.assertion not in ("absent", "family"))
    return tuple({link.node.index: link.node for link in kept if link.node}.values())


def build_regions(
    builder: RegionBuilder,
    sub_questions: Sequence[str],
    *,
    options: Mapping[str, str],
    domain: Domain,
    anchors: Sequence[Node],
) -> tuple[Region, ...]:
    """Build a region per sub-question and one per option.

    An option's region is asked for by the option and the entities of the question, so that the
    triplets that join them rank first.
    """
    entities = ", ".join(node.name for node in anchors)
    hops = [
        builder.build(text, domain=domain, options=tuple(options.values()), anchors=anchors)
        for text in sub_questions
    ]
    choices = [
        builder.build(f"{option}; {entities}", domain=domain, anchors=anchors)
        for option in options.values()
    ]
    return (*hops, *choices)


def merge_regions(regions: Sequence[Region], *, query: str) -> Region:
    """Join regions to one boundary: each triplet once, in order of first appearance.

    Raises:
        ValueError: `regions` is empty; a question always has at least one sub-question.
    """
    if not regions:
        raise ValueError("expected at least one region, got none")
    pairs: dict[str, tuple[Triplet, float]] = {}
    for region in regions:
        for triplet, relevance in zip(region.triplets, region.relevance, strict=True):
            pairs.setdefault(triplet.id, (triplet, relevance))
    anchors = {node.index: node for region in regions for node in region.anchors}
    return Region(
        query=query,
        domain=regions[0].domain,
        anchors=tuple(anchors.values()),
        triplets=tuple(triplet for triplet, _ in pairs.values()),
        relevance=tuple(relevance for _, relevance in pairs.values()),
        candidates=max(region.candidates for region in regions),
        unlinked=tuple(dict.fromkeys(m for region in regions for m in region.unlinked)),
    )


def valid_part(region: Region, excluded: frozenset[str]) -> Region:
    """Return the region without the triplets that do not hold for the patient."""
    kept = [i for i, triplet in enumerate(region.triplets) if triplet.id not in excluded]
    return region.model_copy(
        update={
            "triplets": tuple(region.triplets[i] for i in kept),
            "relevance": tuple(region.relevance[i] for i in kept),
        }
    )
