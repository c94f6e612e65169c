"""Opening an MLflow store: without telemetry, one process at a time where it must be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from optimize.scrub import Scrubber
from optimize.store_uri import sqlite_file
from signatures.errors import InputError

if TYPE_CHECKING:
    from mlflow import MlflowClient


def open_client(uri: str) -> MlflowClient:
    """Open a client without MLflow's telemetry; only one process may create a SQLite store."""
    from mlflow import MlflowClient

    with one_process(uri):
        return MlflowClient(tracking_uri=uri, registry_uri=uri)


@contextmanager
def one_process(uri: str) -> Iterator[None]:
    """Let one process at a time look something up in a SQLite store and make it if it is absent."""
    database = sqlite_file(uri)
    if database is None:
        yield
        return
    from filelock import FileLock

    database.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{database}.lock"):
        yield


def fetch_artifacts(uri: str, run: str, path: str, target: Path) -> Path:
    """Fetch a folder of a run's artifacts and return where it lies.

    Args:
        uri: Tracking address.
        run: Run id.
        path: Folder among the run's artifacts.
        target: Folder to write to; it exists.

    Raises:
        InputError: the store cannot be read, has no such run, or the run has no such folder.
    """
    errors = mlflow_errors()
    try:
        return Path(open_client(uri).download_artifacts(run, path, str(target)))
    except errors as error:
        raise InputError(
            f"run {run} of {Scrubber().text(uri)} must have the folder {path!r} attached, the "
            f"store answered: {Scrubber().text(first_line(error))}"
        ) from error


def mlflow_errors() -> tuple[type[Exception], ...]:
    """Return what a store may raise; imports MLflow, quietly."""
    quiet_mlflow()
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    return (MlflowException, SQLAlchemyError, OSError)


def quiet_mlflow() -> None:
    """Switch MLflow's telemetry off, before it is imported and after."""
    os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
    os.environ.setdefault("MLFLOW_ENABLE_ASYNC_TRACE_LOGGING", "false")
    from mlflow.telemetry import set_telemetry_client

    set_telemetry_client()


def first_line(error: Exception) -> str:
    """Return the first line of an error, or its name."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
