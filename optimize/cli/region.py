"""`qkgram region` and `qkgram link`: what the graph offers for a question, and why."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from optimize.cli.options import ConfigOption, GraphOption, JsonOption
from optimize.folding import folding_table
from signatures.errors import InputError
from signatures.schema import Domain, Link, Region

if TYPE_CHECKING:
    from rich.table import Table

    from retrievers.lexicon import Lexicon
    from retrievers.region import RegionSettings
    from retrievers.unlinked import Suggestion

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
    _check_text(query, example='region "Which drug …?"')
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
    order = order_caption(settings.region)
    _show([region_table(region, caption=order)], notes=_region_notes(region, mode))


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
    from optimize.cli.options import read_settings
    from optimize.toolbox import open_graph
    from retrievers.linking import GraphLinker
    from retrievers.unlinked import suggestions

    _check_text(text, example='link "She takes metformin."')
    settings = read_settings(config, graph=graph)
    linker = GraphLinker(open_graph(settings.graph), settings=settings.linking)
    links = (linker.link_name(text),) if name else linker.link(text)
    if as_json:
        _write([link.model_dump(mode="json") for link in links])
        return
    unread = () if name else suggestions(linker.lexicon, text, links)
    tables = [link_table(links), refusal_table(links, unread, linker.lexicon)]
    notes = [] if links else ["no mention of a node was found"]
    _show([table for table in tables if table.row_count], notes=notes)


def region_table(region: Region, *, caption: str = "") -> Table:
    """Return the triplets of a region as a table, in the order of selection."""
    from rich.text import Text

    columns = ("id", "relevance", "relation", "triplet")
    table = folding_table(*columns, title="Region", caption=caption, caption_justify="left")
    for triplet, relevance in zip(region.triplets, region.relevance, strict=True):
        cells = (triplet.id, f"{relevance:.2f}", triplet.relation, triplet.text)
        table.add_row(*map(Text, cells))
    return table


def order_caption(settings: RegionSettings) -> str:
    """Say in one line in which order the rows of a region stand.

    >>> from retrievers.region import RegionSettings
    >>> order_caption(RegionSettings(use_selector=False))
    'rows by relevance'
    """
    if not settings.use_selector:
        return "rows by relevance"
    weighed = "relevance × the relation's weight in the domain"
    if not settings.use_mmr:
        return f"rows by {weighed}"
    return (
        f"rows in the order of selection (MMR, λ {settings.trade_off:g}): {weighed}, less likeness "
        "to the rows above; so relevance need not fall"
    )


def link_table(links: tuple[Link, ...]) -> Table:
    """Return the linked mentions and their nodes as a table, in order of the text."""
    from rich.text import Text

    linked = [link for link in links if link.node]
    columns = ("mention", "node", "type", "method", "score", "asserted", "why")
    others = any(_others(link) for link in linked)
    table = folding_table(*columns, *(["could be"] if others else []), title="Links")
    for link in linked:
        if link.node is None:
            continue
        said = (link.method, f"{link.score:.0f}", link.assertion, link.reason)
        cells = (link.mention, link.node.name, link.node.type, *said)
        table.add_row(*map(Text, (*cells, _others(link)) if others else cells))
    return table


def refusal_table(
    links: tuple[Link, ...], unread: tuple[Suggestion, ...], lexicon: Lexicon
) -> Table:
    """Return what was not linked, why, and the names that it is near: mentions, then words."""
    from rich.text import Text

    from retrievers.unlinked import nearby

    table = folding_table("not linked", "why", "near", title="Refused")
    for link in links:
        if link.node is None:
            near = _others(link) or "; ".join(nearby(lexicon, link.mention)) or "-"
            table.add_row(*map(Text, (link.mention, link.reason, near)))
    for suggestion in unread:
        why = "no name of the graph; too unlike these to be linked"
        table.add_row(*map(Text, (suggestion.word, why, "; ".join(suggestion.near))))
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


def _check_text(text: str, *, example: str) -> None:
    """Refuse a text that is blank or too long, as `ask` does."""
    from data.typed import LONGEST

    if not text.strip():
        raise InputError(f"expected a text, got nothing to look up; try: qkgram {example}")
    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} characters, got {len(text):,}")


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
