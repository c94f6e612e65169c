"""`qkgram ui`: MLflow's own pages over the store, on this machine only."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from typing import Annotated

import typer

from signatures.errors import InputError, MissingError

HOST = "127.0.0.1"
"""The pages have no log-in, so they are never served to a network."""


def ui_command(
    tracking: Annotated[
        str | None,
        typer.Option(help="Tracking address; default: MLFLOW_TRACKING_URI or ./mlflow.db."),
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = 5000,
) -> None:
    """Compare studies, prompts and scores in the browser. Stop with Ctrl-C.

    Example: qkgram ui --port 5000
    """
    from optimize.store_uri import tracking_uri

    uri = tracking_uri(tracking or os.environ.get("MLFLOW_TRACKING_URI"))
    check_store(uri)
    check_port(port)
    sys.stderr.write(f"qkgram: pages at http://{HOST}:{port} in about 15 seconds; Ctrl-C stops\n")
    sys.stderr.flush()
    # The server takes this process's place, so that a signal to it stops the server itself.
    os.execve(sys.executable, server_command(uri, port=port), server_environment(os.environ))  # noqa: S606


def check_store(uri: str) -> None:
    """Raise when the address is a server's own, or when its file is not there yet."""
    from optimize.store_uri import sqlite_file

    if uri.startswith(("http://", "https://")):
        raise InputError(
            f"{uri} is a tracking server: open it in the browser, it has its own pages"
        )
    database = sqlite_file(uri)
    if database is not None and not database.is_file():
        raise MissingError(
            f"there is no tracking store at {database} yet; a study makes one: "
            "qkgram compile --experiment NAME"
        )


def check_port(port: int) -> None:
    """Raise `InputError` when something already listens at the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise InputError(
                f"port {port} must be free, it is not ({error.strerror}); "
                f"use --port {port % 65535 + 1}"
            ) from error


def server_command(uri: str, *, port: int) -> list[str]:
    """Return the command of MLflow's server: one worker, loopback, this store."""
    return [
        *(sys.executable, "-m", "mlflow", "server"),
        *("--backend-store-uri", uri),
        *("--host", HOST),
        *("--port", str(port)),
        *("--workers", "1"),
    ]


def server_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Switch telemetry off, and the job runner, which starts a dozen processes nobody needs."""
    return {
        **environment,
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    }
