"""`qkgram kg subgraph` and `qkgram kg export`: a part of a store, or all of it, written out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.options import JsonOption
from optimize.cli.tables import count_table

if TYPE_CHECKING:
    from rich.table import Table

    from retrievers.subgraph import SubgraphReport

ReplaceOption = Annotated[
    bool, typer.Option("--replace", help="Replace a store of other input that stands there.")
]


def subgraph_command(
    store: Annotated[Path, typer.Argument(help="Folder of the whole graph's store.")],
    center: Annotated[
        str, typer.Option(help="The node in the middle: MONDO:5015, DB00331, or a whole name.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the new store.")],
    replace: ReplaceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Cut the two layers around a node (QKG 3.1.1); the result is a store of its own.

    Example: qkgram kg subgraph primekg_store --center MONDO:5015 --out diabetes_store
    """
    from rich.console import Console

    from optimize.replacing import check_recut
    from retrievers.graph import GraphStore
    from retrievers.subgraph import find_center, write_subgraph

    graph = GraphStore.open(store)
    node = find_center(graph, center)
    if not replace and out.resolve() != graph.path.resolve():
        check_recut(out, cut_from=graph.fingerprint, center=node)
    report = write_subgraph(graph, node, out)
    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
        return
    console = Console()
    for table in _tables(report):
        console.print(table)


def export_command(
    store: Annotated[Path, typer.Argument(help="Folder of the store.")],
    out: Annotated[Path, typer.Argument(help="CSV to write; gzipped when it ends in .gz.")],
    aliases: Annotated[
        Path | None, typer.Option(help="Also write the nodes' other names to this CSV.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a store back as a CSV in PrimeKG's columns, each edge in both directions.

    Example: qkgram kg export diabetes_store diabetes.csv --aliases diabetes_aliases.csv
    """
    from retrievers.csv_export import export_aliases, export_csv
    from retrievers.graph import GraphStore

    graph = GraphStore.open(store)
    facts = {"rows": export_csv(graph, out), "edges": graph.edge_count}
    if aliases is not None:
        facts["aliases"] = export_aliases(graph, aliases)
    if as_json:
        sys.stdout.write(json.dumps(facts) + "\n")
    else:
        typer.echo(", ".join(f"{count:,} {name}" for name, count in facts.items()) + f": {out}")


def _tables(report: SubgraphReport) -> tuple[Table, Table, Table]:
    layers = (
        ("direct layer", report.direct_rows, report.direct_edges),
        ("indirect layer, without the direct one", report.indirect_rows, report.indirect_edges),
        ("subgraph", report.rows, report.edges),
    )
    relations = (
        (name, report.rows_by_relation[name], count)
        for name, count in report.edges_by_relation.items()
    )
    kinds = (
        *report.nodes_by_type.items(),
        ("all", report.nodes),
        ("E1, one edge away", report.first_entities),
    )
    title = f"Around {report.center.name} ({report.center.type} {report.center.id})"
    return (
        count_table(title, ("", "directed rows", "logical edges"), layers),
        count_table("Relations", ("relation", "directed rows", "logical edges"), relations),
        count_table("Nodes", ("type", "nodes"), kinds),
    )
