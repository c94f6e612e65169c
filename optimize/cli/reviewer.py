"""`qkgram reviewer`: train RotatE on a graph, and ask it about one triplet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.options import ConfigOption, GraphOption, JsonOption

if TYPE_CHECKING:
    from retrievers.rotate_manifest import Figures, RotateManifest
    from signatures.schema import Link

app = typer.Typer(no_args_is_help=True, add_completion=False)

_COLUMNS = ("relation", "tested edges", "AUC", "by degree", "AUC, matched", "by degree, matched")


@app.command("train")
def train_command(
    graph: GraphOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the model; default: beside the store.")
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Passes over the training edges.")
    ] = None,
    dimension: Annotated[
        int | None, typer.Option(min=2, max=2048, help="Complex numbers per node.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides split, start and negatives.")] = 0,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the RotatE reviewer of a graph, calibrate it and test it on held-out edges.

    Nothing is written before it is done; an older model stays until then. AUC is the chance that a
    held-out triplet scores above a corrupted one; "matched" ones have a node that is as popular in
    the relation, so that degree alone tells nothing.

    Example: qkgram reviewer train --epochs 20
    """
    from optimize.cli.bars import count_bar
    from optimize.cli.options import read_settings
    from optimize.toolbox import open_graph
    from retrievers.rotate import default_folder
    from retrievers.rotate_manifest import RotateSettings
    from retrievers.rotate_train import train_rotate

    given = {"epochs": epochs, "dimension": dimension, "seed": seed}
    settings = RotateSettings(**{name: n for name, n in given.items() if n is not None})
    store = open_graph(read_settings(config, graph=graph).graph)
    folder = default_folder(store) if out is None else out
    with count_bar("training RotatE, batches") as progress:
        manifest = train_rotate(store, folder, settings=settings, progress=progress)
    if as_json:
        sys.stdout.write(manifest.model_dump_json() + "\n")
        return
    _show(manifest, folder)


@app.command("score")
def score_command(
    head: Annotated[str, typer.Argument(help="Name of an entity of the graph.")],
    relation: Annotated[str, typer.Argument(help="Relation, as in `qkgram kg stats`.")],
    tail: Annotated[str, typer.Argument(help="Name of an entity of the graph.")],
    graph: GraphOption = None,
    model: Annotated[
        Path | None, typer.Option(help="Folder of the model; default: beside the store.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how likely a triplet is by the trained RotatE, or why it cannot tell.

    Example: qkgram reviewer score metformin indication "type 2 diabetes mellitus"
    """
    from optimize.cli.options import read_settings
    from optimize.toolbox import open_graph
    from programs.review import ProposedTriplet
    from programs.review_rotate import open_reviewer
    from retrievers.linking import GraphLinker
    from signatures.schema import Hypothesis

    settings = read_settings(config, graph=graph)
    store = open_graph(settings.graph)
    reviewer = open_reviewer(store, model)
    linker = GraphLinker(store, settings=settings.linking)
    ends = linker.link_name(head), linker.link_name(tail)
    proposed = ProposedTriplet(
        Hypothesis(head=head, relation=relation, tail=tail), ends[0].node, ends[1].node
    )
    (review,) = reviewer.review([proposed], question="")
    facts = {
        "head": _end(ends[0]),
        "relation": relation,
        "tail": _end(ends[1]),
        "probability": review.probability,
        "reason": review.reason,
        "reviewer": reviewer.id,
    }
    if as_json:
        sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")
    else:
        typer.echo("\n".join(f"{name:<12}{value}" for name, value in facts.items()))


def _end(link: Link) -> str:
    if link.node is None:
        return f"{link.mention}: {link.reason}"
    return f"{link.node.name} ({link.node.type}, {link.node.source}:{link.node.id})"


def _show(manifest: RotateManifest, folder: Path) -> None:
    from rich.console import Console

    from optimize.cli.tables import count_table

    rows = [("all", *_cells(manifest.overall))]
    rows += [(r.relation, *_cells(r.figures)) for r in manifest.relations if r.figures.edges]
    console = Console()
    console.print(count_table("Held-out edges against corrupted ones", _COLUMNS, rows))
    brier = "-" if manifest.brier is None else f"{manifest.brier:.3f}"
    for note in (
        f"{manifest.train_edges:,} edges trained, {manifest.calibration_edges:,} calibrated",
        f"Brier score {brier}; 0.25 is a coin",
        f"{manifest.seconds:.0f} s; {manifest.id} is in {folder}",
    ):
        console.print(note, markup=False, highlight=False)


def _cells(figures: Figures) -> Iterable[str | int]:
    yield figures.edges
    for value in (
        figures.auc,
        figures.degree_auc,
        figures.matched_auc,
        figures.matched_degree_auc,
    ):
        yield "-" if value is None else f"{value:.3f}"
