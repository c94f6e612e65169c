"""`qkgram region` and `qkgram link`: what the graph offers for a question, and why."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from optimize.cli.options import ConfigOption, GraphOption, JsonOption
from signatures.errors import InputError
from signatures.schema import Domain, Link, Region

if TYPE_CHECKING:
    from rich.table import Table

COULD_BE = 3
"""Other candidates of a mention that the table names; `--json` has them all."""

OptionOption = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="An answer option; repeat for more.")
]


def region_command(
    query: Annotated[str, typer.Argument(help="The question or sub-question.")],
    domain: Annotated[
        str, typer.Option(help=f"Whose relation weights count: {', '.join(get_args(Domain))}.")
    ] = "INTEGRATED",
    option: OptionOption = None,
    k: Annotated[int | None, typer.Option("--k", min=1, help="Triplets in the region.")] = None,
    export: Annotated[
        Path | None, typer.Option(help="Write the region to this .graphml, .png or .svg file.")
    ] = None,
    graph: GraphOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the region of a question: the only triplets that an answer may use.

    Example: qkgram region "Which drug suits type 2 diabetes with a low eGFR?"
    --domain DRUG_THERAPY -o Metformin -o Linagliptin
    """
    from optimize.cli.options import read_settings
    from optimize.toolbox import open_toolbox
    from retrievers.export import export_region
    from retrievers.modes import facts_above, mode_for

    chosen = _domain(domain)
    settings = read_settings(config, graph=graph)
    if k is not None:
        region_settings = settings.region.model_copy(update={"k": k})
        settings = settings.model_copy(update={"region": region_settings})
    regions = open_toolbox(settings).regions
    region = regions.build(query, domain=chosen, options=tuple(option or ()))
    mode = mode_for(facts_above(region, -1.0))
    if export is not None:
        export_region(region, export)
    if as_json:
        _write({**region.model_dump(mode="json"), "mode": mode, "selected_by": regions.id})
        return
    _show([region_table(region)], notes=_region_notes(region, mode))


def link_command(
    text: Annotated[str, typer.Argument(help="A running text, or with --name one name.")],
    name: Annotated[bool, typer.Option("--name", help="The whole text is one name.")] = False,
    graph: GraphOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show which nodes the words of a text mean, how each was found, and what was refused.

    Example: qkgram link "She takes metformin for T2DM and denies chest pain."
    """
    from data.typed import LONGEST
    from optimize.cli.options import read_settings
    from optimize.toolbox import open_graph
    from retrievers.linking import GraphLinker

    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} characters, got {len(text):,}")
    settings = read_settings(config, graph=graph)
    linker = GraphLinker(open_graph(settings.graph), settings=settings.linking)
    links = (linker.link_name(text),) if name else linker.link(text)
    if as_json:
        _write([link.model_dump(mode="json") for link in links])
        return
    _show([link_table(links)], notes=[] if links else ["no mention of a node was found"])


def region_table(region: Region) -> Table:
    """Return the triplets of a region as a table, best first."""
    from rich.table import Table

    table = Table("id", "relevance", "relation", "triplet", title="Region")
    for triplet, relevance in zip(region.triplets, region.relevance, strict=True):
        table.add_row(triplet.id, f"{relevance:.2f}", triplet.relation, triplet.text)
    return table


def link_table(links: tuple[Link, ...]) -> Table:
    """Return mentions and their nodes as a table, in order of the text."""
    from rich.markup import escape
    from rich.table import Table

    columns = ("mention", "node", "type", "method", "score", "asserted", "why", "could be")
    table = Table(*columns, title="Links")
    for link in links:
        node = (link.node.name, link.node.type) if link.node else ("-", "-")
        cells = (link.method, f"{link.score:.0f}", link.assertion, link.reason, _others(link))
        table.add_row(link.mention, *node, *(escape(cell) for cell in cells))
    return table


def _others(link: Link) -> str:
    """Name the nodes that a mention could mean besides the one it was linked to."""
    others = [node for node in link.candidates if node != link.node]
    named = [f"{node.name} ({node.type})" for node in others[:COULD_BE]]
    return "; ".join(named) + (" ..." if len(others) > COULD_BE else "")


def _region_notes(region: Region, mode: str) -> list[str]:
    names = ", ".join(node.name for node in region.anchors) or "none"
    shown = f"{len(region.triplets)} of {region.candidates} candidate triplets; mode {mode}"
    lost = [f"not in the graph: {', '.join(region.unlinked)}"] if region.unlinked else []
    return [f"anchors: {names}", shown, *lost]


def _domain(text: str) -> Domain:
    for domain in get_args(Domain):
        if text.upper().replace("-", "_") == domain:
            found: Domain = domain
            return found
    raise InputError(f"--domain must be one of {', '.join(get_args(Domain))}; got {text!r}")


def _write(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _show(tables: list[Table], *, notes: list[str]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console()
    for table in tables:
        console.print(table)
    for note in notes:
        console.print(escape(note))
