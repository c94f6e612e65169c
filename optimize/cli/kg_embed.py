"""`qkgram kg embed`: vectors of all names and the prefilter, ahead of the first question."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from data.wording import counted
from optimize.cli.bars import count_bar
from optimize.cli.options import JsonOption


def embed_command(
    store: Annotated[Path, typer.Argument(help="Folder of the store.")],
    as_json: JsonOption = False,
) -> None:
    """Embed every node name that has no vector yet and fit the prefilter. Can be run again.

    Questions embed what they need without it; with it the first ones are fast too.

    Example: qkgram kg embed primekg_store
    """
    from retrievers.embedding import SentenceEncoder
    from retrievers.graph import GraphStore
    from retrievers.graph_vectors import GraphVectors
    from retrievers.prefilter import make_prefilter

    graph = GraphStore.open(store)
    vectors = GraphVectors(graph, SentenceEncoder())
    began = time.perf_counter()
    with count_bar("embedding names") as progress:
        done = vectors.embed_nodes(progress)
    with count_bar("fitting the prefilter") as progress:
        fit = make_prefilter(vectors, progress=progress)
    facts = {
        "nodes": graph.node_count,
        "embedded": done,
        "folder": str(vectors.folder),
        "prefilter_cosine": round(fit.cosine, 4),
        "seconds": round(time.perf_counter() - began, 3),
    }
    if as_json:
        sys.stdout.write(json.dumps(facts) + "\n")
    else:
        typer.echo(f"{done:,} of {counted(graph.node_count, 'name')} embedded, in {vectors.folder}")
