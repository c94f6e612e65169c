"""`qkgram kg download`: PrimeKG's official files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from optimize.cli.bars import byte_bar
from optimize.cli.options import JsonOption


def download_command(
    name: Annotated[
        str, typer.Argument(help="kg.csv, drug_features.csv, disease_features.csv …")
    ] = "kg.csv",
    out: Annotated[Path, typer.Option(help="Folder for the file.")] = Path(),
    server: Annotated[
        str | None, typer.Option(help="Address of another Dataverse that has the dataset.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Fetch a file of PrimeKG from Harvard Dataverse and check its MD5. Resumes when cut.

    Example: qkgram kg download kg.csv --out primekg
    """
    from optimize.primekg import SERVER, fetch_primekg

    with byte_bar(name) as progress:
        path = fetch_primekg(out, name=name, server=server or SERVER, progress=progress)
    if as_json:
        sys.stdout.write(json.dumps({"file": str(path), "bytes": path.stat().st_size}) + "\n")
    else:
        typer.echo(f"{path} is here; next: qkgram kg build {path} STORE")
