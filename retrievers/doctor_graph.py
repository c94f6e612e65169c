"""What nodes and logical edges show, whether they come from a file or from a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from retrievers.build_edges import Edges, opposed_pairs
from retrievers.build_nodes import GraphNode, looks_like_a_date
from retrievers.findings import SHOWN, Finding, note, problem

HUB = 1_000
"""Edges of a hub: a region looks at 128 triplets exactly, so most of a hub's are left out."""


class GraphParts(NamedTuple):
    """Nodes and logical edges, wherever they come from."""

    nodes: Sequence[GraphNode]
    edges: Edges
    relations: tuple[str, ...]


def graph_findings(graph: GraphParts) -> tuple[Finding, ...]:
    """Examine nodes and logical edges."""
    return (*_date_like(graph), *_namesakes(graph), *_opposed(graph), *_hubs(graph))


def _date_like(graph: GraphParts) -> tuple[Finding, ...]:
    return problem(
        "date_like_genes",
        "gene names that look like a date, probably SEPT or MARCH genes",
        [f"{node.name!r} (id {node.id})" for node in graph.nodes if looks_like_a_date(node)],
        "look up the id and write the symbol again; a spreadsheet changed it",
    )


def _namesakes(graph: GraphParts) -> tuple[Finding, ...]:
    holders: dict[tuple[str, str], list[GraphNode]] = defaultdict(list)
    for node in graph.nodes:
        holders[node.type, node.name.casefold()].append(node)
    examples = [
        f"{held[0].name!r} ({kind}): ids {', '.join(node.id or 'none' for node in held[:SHOWN])}"
        for (kind, _), held in holders.items()
        if len(held) > 1
    ]
    return note(
        "namesakes",
        "names that several nodes of one type share",
        examples,
        "nothing: a question that uses such a name is linked as ambiguous; use the id to be sure",
    )


def _opposed(graph: GraphParts) -> tuple[Finding, ...]:
    nodes, edges = graph.nodes, graph.edges
    pairs = opposed_pairs(edges, graph.relations, nodes=len(nodes))
    return note(
        "opposed_relations",
        "pairs with one relation for and one against treatment",
        [f"{nodes[a].name} and {nodes[b].name}" for a, b in pairs[:SHOWN].tolist()],
        "nothing: both are kept, and verdicts that rest on them carry a conflict flag",
        count=len(pairs),
    )


def _hubs(graph: GraphParts) -> tuple[Finding, ...]:
    degrees = np.bincount(graph.edges.head, minlength=len(graph.nodes))
    degrees += np.bincount(graph.edges.tail, minlength=len(graph.nodes))
    largest = np.argsort(-degrees, kind="stable")[:SHOWN]
    return note(
        "hubs",
        f"nodes with {HUB:,} edges or more",
        [
            f"{graph.nodes[n].name!r} ({graph.nodes[n].type}): {degrees[n]:,} edges"
            for n in largest.tolist()
            if degrees[n] >= HUB
        ],
        "nothing: regions choose among their triplets by relevance, in both directions",
        count=int((degrees >= HUB).sum()),
    )
