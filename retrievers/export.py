"""Regions and evidence as networkx graphs, GraphML files and pictures.

Nodes are named `n` and the store's index, edges are keyed by the triplet's id, so that what a
picture or a file shows can be looked up in the store again.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from signatures.errors import InputError
from signatures.schema import Evidence, Node, Region, Triplet

if TYPE_CHECKING:
    import networkx as nx

PICTURES = (".png", ".svg")
FORMATS = (".graphml", *PICTURES)

_SEED = 7  # of the layout: one region always gives one picture
_INCHES = (11.0, 8.0)
_WIDTH = 22
_COLOURS = {
    "disease": "#d9796c",
    "drug": "#6f9fd8",
    "gene/protein": "#8cc084",
    "effect/phenotype": "#e3b864",
}
_OTHER = "#b9b9c6"
_EDGE_COLOURS = {"RECOMMENDED": "#2f7d32", "AVOID": "#b3261e", "CAUTION": "#b26a00"}


def region_graph(region: Region) -> nx.MultiDiGraph:
    """Return a region as a graph: nodes with their cells, edges with relation, text and relevance.

    Anchors are there even when no triplet touches them. `rank` 1 is the best triplet.
    """
    import networkx as nx

    graph = nx.MultiDiGraph(query=region.query, domain=region.domain, candidates=region.candidates)
    anchors = {node.index for node in region.anchors}
    for node in (*region.anchors, *region.entities):
        _add_node(graph, node, anchor=node.index in anchors)
    scored = zip(region.triplets, region.relevance, strict=True)
    for rank, (triplet, relevance) in enumerate(scored, 1):
        _add_edge(graph, triplet, relevance=float(relevance), rank=rank)
    return graph


def evidence_graph(evidence: Iterable[Evidence]) -> nx.MultiDiGraph:
    """Return the evidence of a claim as a graph; edges carry validity, label and flags.

    The label is empty where no constraint decided; GraphML has no value for nothing.
    """
    import networkx as nx

    graph = nx.MultiDiGraph()
    for piece in evidence:
        for node in (piece.triplet.head, piece.triplet.tail):
            _add_node(graph, node, anchor=False)
        _add_edge(
            graph,
            piece.triplet,
            validity=piece.validity,
            label=piece.label or "",
            ruled_out=piece.ruled_out,
            conflict=piece.conflict,
        )
    return graph


def write_graph_file(graph: nx.MultiDiGraph, path: Path) -> None:
    """Write a graph as GraphML or draw it, as the ending of the name says.

    Raises:
        InputError: the ending is none of `FORMATS`, or the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise InputError(f"cannot export to {path.name}: the name must end in {', '.join(FORMATS)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _draw(graph, path) if suffix in PICTURES else _write_graphml(graph, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def export_region(region: Region, path: Path) -> None:
    """Write a region to a `.graphml`, `.png` or `.svg` file.

    Raises:
        InputError: as `write_graph_file`.
    """
    write_graph_file(region_graph(region), path)


def _add_node(graph: nx.MultiDiGraph, node: Node, *, anchor: bool) -> None:
    graph.add_node(
        f"n{node.index}",
        name=node.name,
        id=node.id,
        type=node.type,
        source=node.source,
        anchor=anchor,
    )


def _add_edge(graph: nx.MultiDiGraph, triplet: Triplet, **attributes: str | float | bool) -> None:
    graph.add_edge(
        f"n{triplet.head.index}",
        f"n{triplet.tail.index}",
        key=triplet.id,
        triplet=triplet.id,
        relation=triplet.relation,
        display_relation=triplet.display_relation,
        text=triplet.text,
        **attributes,
    )


def _write_graphml(graph: nx.MultiDiGraph, path: Path) -> None:
    import networkx as nx

    nx.write_graphml(graph, path, named_key_ids=True)


def _draw(graph: nx.MultiDiGraph, path: Path) -> None:
    """Draw with matplotlib's Agg or SVG canvas; no window and no global state."""
    import networkx as nx
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=_INCHES, layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    if graph.graph.get("query"):
        # A dollar sign would start a formula.
        axes.set_title(fill(graph.graph["query"], 100), fontsize=9, parse_math=False)
    places = nx.spring_layout(nx.Graph(graph), k=1.6 / max(1, len(graph)) ** 0.5, seed=_SEED)
    nodes = graph.nodes(data=True)
    nx.draw_networkx_nodes(
        graph,
        places,
        ax=axes,
        node_size=[520 if data["anchor"] else 260 for _, data in nodes],
        node_color=[_COLOURS.get(data["type"], _OTHER) for _, data in nodes],
        edgecolors=["#222222" if data["anchor"] else "none" for _, data in nodes],
    )
    _draw_edges(graph, places, axes)
    for name, data in nodes:
        axes.annotate(
            fill(data["name"], _WIDTH),
            places[name],
            xytext=(0, -10),
            textcoords="offset points",
            fontsize=7,
            ha="center",
            va="top",
            parse_math=False,
        )
    # Fixed ids and no date: one graph gives one file.
    with rc_context({"svg.hashsalt": "qkgram"}):
        plain = {"Date": None} if path.suffix.lower() == ".svg" else {}
        figure.savefig(path, dpi=150, metadata=plain)


def _draw_edges(graph: nx.MultiDiGraph, places: Any, axes: Any) -> None:
    """Draw parallel edges as arcs beside each other, each with its display relation."""
    import networkx as nx

    if not graph.number_of_edges():
        return
    bends = [f"arc3,rad={0.08 + 0.14 * step}" for step in range(_parallel(graph))]
    edges = list(graph.edges(keys=True, data=True))
    nx.draw_networkx_edges(
        graph,
        places,
        ax=axes,
        edge_color=[_EDGE_COLOURS.get(data.get("label", ""), "#777777") for *_, data in edges],
        width=0.9,
        arrowsize=9,
        connectionstyle=bends,
    )
    nx.draw_networkx_edge_labels(
        graph,
        places,
        ax=axes,
        edge_labels={(a, b, key): data["display_relation"] for a, b, key, data in edges},
        font_size=6,
        connectionstyle=bends,
        bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none", "alpha": 0.7},
    )


def _parallel(graph: nx.MultiDiGraph) -> int:
    return max(int(graph.number_of_edges(a, b)) for a, b in graph.edges())
