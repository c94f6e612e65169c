"""`qkgram kg`: build a graph store and say what is in it; the other commands have their files."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.bars import stage_bars
from optimize.cli.kg_doctor import doctor_command
from optimize.cli.kg_download import download_command
from optimize.cli.kg_embed import embed_command
from optimize.cli.kg_parts import ReplaceOption, export_command, subgraph_command
from optimize.cli.options import JsonOption
from optimize.cli.tables import count_table

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from retrievers.manifest import BuildReport

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Build and inspect graph stores."
)
app.command("download")(download_command)
app.command("doctor")(doctor_command)
app.command("subgraph")(subgraph_command)
app.command("export")(export_command)
app.command("embed")(embed_command)


@app.command("build")
def build_command(
    csv: Annotated[Path, typer.Argument(help="PrimeKG's CSV, plain or gzipped.")],
    out: Annotated[Path, typer.Argument(help="Folder of the store, made where it is absent.")],
    constraints: Annotated[
        Path | None, typer.Option(help="ConstraintItems as JSON lines, in the QKG release's shape.")
    ] = None,
    aliases: Annotated[
        list[Path],
        typer.Option(
            help="More names: OBO, PrimeKG's drug or disease features, id,alias; may be repeated."
        ),
    ] = [],  # noqa: B006 - typer makes a new list for every call
    strict_schema: Annotated[
        bool, typer.Option("--strict-schema", help="Refuse relations and types PrimeKG lacks.")
    ] = False,
    replace: ReplaceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Build a graph store from PrimeKG's CSV and report what was merged.

    A store of other input that stands there is replaced with --replace only.

    Example: qkgram kg build kg.csv primekg_store --constraints constraints.jsonl --aliases hp.obo
    """
    from optimize.replacing import check_rebuild
    from retrievers.build import build_store

    if not replace:
        check_rebuild(out, csv=csv, constraints=constraints, aliases=aliases)
    with stage_bars() as progress:
        report = build_store(
            csv,
            out,
            constraints=constraints,
            aliases=aliases,
            progress=progress,
            strict_schema=strict_schema,
        )
    _show(report, source=csv.name, as_json=as_json)


@app.command("stats")
def stats_command(
    store: Annotated[Path, typer.Argument(help="Folder of the store.")],
    as_json: JsonOption = False,
) -> None:
    """Say what a store holds: rows read, logical edges, relations, node types and warnings.

    Example: qkgram kg stats primekg_store
    """
    from retrievers.manifest import read_manifest

    manifest = read_manifest(store)
    _show(manifest.report, source=manifest.source, as_json=as_json)


def _show(report: BuildReport, *, source: str, as_json: bool) -> None:
    from rich.console import Console

    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
        return
    out: Console = Console()
    for part in _parts(report, source):
        out.print(part)


def _parts(report: BuildReport, source: str) -> Iterable[RenderableType]:
    from rich.text import Text

    yield count_table(f"Read from {source}", ("", "count"), _totals(report))
    relations = (
        (name, str(rows), str(report.edges_by_relation[name]), _direction(name))
        for name, rows in report.rows_by_relation.items()
    )
    yield count_table("Relations", ("relation", "rows", "logical edges", "direction"), relations)
    kinds = ((name, str(count)) for name, count in report.nodes_by_type.items())
    yield count_table("Node types", ("type", "nodes"), kinds)
    if report.aliases_added:
        yield count_table(
            "Aliases", ("file", "added", "not in the graph", "clashing"), _aliases(report)
        )
    for warning in report.warnings:
        yield Text(f"warning: {warning}", style="yellow")
    yield Text(f"fingerprint {report.fingerprint}", style="dim")


def _totals(report: BuildReport) -> Iterable[tuple[str, str]]:
    counts = {
        "rows read": report.rows_read,
        "logical edges": report.logical_edges,
        "mirrored rows": report.mirrored_rows,
        "duplicate rows": report.duplicate_rows,
        "nodes": report.nodes,
        "nodes with several names": report.node_name_conflicts,
        "indexes shared by several nodes": report.index_collisions,
        "nodes under several indexes": report.split_nodes,
        "pairs for and against treatment": report.opposed_pairs,
        "constraint items": report.constraint_items,
        "edges with constraint items": report.constraint_edges,
        "constraint lines without an edge": report.constraint_unmatched,
    }
    return ((name, str(count)) for name, count in counts.items())


def _aliases(report: BuildReport) -> Iterable[tuple[str, ...]]:
    lost, clashing = report.aliases_unmatched, report.aliases_clashing
    return (
        (name, str(added), str(lost[name]), str(clashing[name]))
        for name, added in report.aliases_added.items()
    )


def _direction(relation: str) -> str:
    """Say whether the graph knows which end comes first; mirrored hierarchies have lost it."""
    from data.relations import relation_table

    info = relation_table().get(relation)
    return f"{info.head_type} → {info.tail_type}" if info and info.directed else "unknown"
