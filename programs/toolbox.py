"""What every program shares: the graph and the tools over it, opened once."""

from __future__ import annotations

from typing import NamedTuple

from retrievers.evidence import EvidenceFinder
from retrievers.graph import GraphStore
from retrievers.linking import EntityLinker
from retrievers.region import RegionBuilder


class Toolbox(NamedTuple):
    """Graph, linker, regions and evidence. Each returns itself from `__deepcopy__`."""

    graph: GraphStore
    linker: EntityLinker
    regions: RegionBuilder
    evidence: EvidenceFinder
