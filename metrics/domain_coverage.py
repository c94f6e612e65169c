"""IS or accuracy by domain, beside how far the graph covers the domain (ReGraM tables 2 and 15).

The paper prints a coverage and defines none. Here it is counted in parts of questions:

hops       a hop is covered when its region held a fact: its mode is not LLM-GUESS
entities   an entity that a hop names is covered when a triplet of the hop's region touches it;
           a mention that found no node of the graph is not

`hops` is what every run keeps; it saturates when each region is filled to K, and then `entities`
still tells domains apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, get_args

from metrics.measures import Measure
from signatures.schema import Domain, Mode, Record, Region

MEASURE = Measure(
    name="kg_coverage",
    low=0.0,
    high=1.0,
    direction="higher",
    unit="proportion",
    source="ReGraM table 2 prints it; this project defines it: covered hops, or covered entities",
)


class Covered(NamedTuple):
    """How many parts of a question there are, and how many the graph covers."""

    covered: int
    parts: int


class CoverageItem(NamedTuple):
    """One answered question."""

    domain: Domain
    coverage: Covered
    score: float | None
    """Its IS, or 1 for right and 0 for wrong; `None` without a verdict."""


class DomainCoverage(Record):
    """One domain."""

    questions: int
    parts: int
    coverage: float | None
    """Covered parts by parts, from 0 to 1; `None` where the program has none to count."""
    scored: int
    score: float | None
    """Mean of the scored questions; `None` without one."""


def covered_hops(modes: Sequence[Mode]) -> Covered:
    """Count the hops with at least one fact.

    >>> covered_hops(["KG-STRICT", "HYBRID", "LLM-GUESS"])
    Covered(covered=2, parts=3)
    """
    return Covered(sum(mode != "LLM-GUESS" for mode in modes), len(modes))


def covered_entities(regions: Iterable[Region]) -> Covered:
    """Count the named entities that a triplet of their region touches."""
    covered = parts = 0
    for region in regions:
        inside = {node.index for node in region.entities}
        covered += sum(node.index in inside for node in region.anchors)
        parts += len(region.anchors) + len(region.unlinked)
    return Covered(covered, parts)


def domain_coverage(items: Iterable[CoverageItem]) -> Mapping[Domain, DomainCoverage]:
    """Group by domain; domains without a question are left out.

    >>> gene = [CoverageItem("GENE_PROTEIN", Covered(2, 3), 0.2),
    ...         CoverageItem("GENE_PROTEIN", Covered(1, 1), None)]
    >>> found = domain_coverage(gene)["GENE_PROTEIN"]
    >>> found.coverage, found.score, found.questions, found.scored
    (0.75, 0.2, 2, 1)
    """
    groups: dict[Domain, list[CoverageItem]] = {}
    for item in items:
        groups.setdefault(item.domain, []).append(item)
    return {name: _of(groups[name]) for name in get_args(Domain) if name in groups}


def _of(items: Sequence[CoverageItem]) -> DomainCoverage:
    parts = sum(item.coverage.parts for item in items)
    scores = [item.score for item in items if item.score is not None]
    return DomainCoverage(
        questions=len(items),
        parts=parts,
        coverage=sum(item.coverage.covered for item in items) / parts if parts else None,
        scored=len(scores),
        score=math.fsum(scores) / len(scores) if scores else None,
    )
