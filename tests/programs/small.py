"""A small annotated store and its toolbox, without a sentence encoder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from programs.toolbox import Toolbox
from retrievers.build import build_store
from retrievers.embedding import SentenceEncoder
from retrievers.evidence import EvidenceFinder
from retrievers.graph import GraphStore
from retrievers.linking import GraphLinker
from retrievers.region import RegionBuilder
from tests.support.graphs import Fact, make_graph

Items = Mapping[tuple[str, str, str], list[tuple[str, str]]]
"""(head, relation, tail) to (group, level) pairs."""


def toolbox(folder: Path, facts: list[Fact], items: Items) -> Toolbox:
    """Build a store of these facts and items and the tools over it; the encoder stays unloaded."""
    make_graph(folder, facts)
    lines = [
        {
            "triplet": {"x": {"name": head}, "y": {"name": tail}, "relation": relation},
            "relation_constraints": [
                {"patient_characteristics": group, "applicability": level, "evidence": "label"}
                for group, level in groups
            ],
        }
        for (head, relation, tail), groups in items.items()
    ]
    file = folder / "constraints.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    build_store(folder / "kg.csv", folder / "annotated", constraints=file)
    graph = GraphStore.open(folder / "annotated")
    linker = GraphLinker(graph)
    regions = RegionBuilder(graph, linker, SentenceEncoder())
    return Toolbox(graph, linker, regions, EvidenceFinder(graph, linker))


def by_fields(**replies: Any) -> Callable[[Any], Any]:
    """Answer by the wanted fields, joined by `_`; a callable reply is called with the call."""

    def script(call: Any) -> Any:
        reply = replies["_".join(call.fields)]
        return reply(call) if callable(reply) else reply

    return script
