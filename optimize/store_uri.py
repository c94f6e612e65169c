"""Where runs are tracked: an address that MLflow still writes to, always absolute."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from signatures.errors import InputError

DEFAULT_STORE = "mlflow.db"
"""SQLite file in the current folder."""

_SERVERS = frozenset({"http", "https", "postgresql", "mysql", "mssql", "databricks"})


def tracking_uri(uri: str | None = None) -> str:
    """Return the address to use; a relative SQLite path becomes absolute.

    Raises:
        InputError: a folder of files (`mlruns`), which MLflow 3 refuses, a database in memory, or
            an address of another kind.

    >>> tracking_uri("https://tracking.example.org")
    'https://tracking.example.org'
    >>> tracking_uri("sqlite:////data/mlflow.db")
    'sqlite:////data/mlflow.db'
    """
    text = (uri or f"sqlite:///{DEFAULT_STORE}").strip()
    scheme = urlsplit(text).scheme.split("+")[0].lower()
    if scheme == "sqlite":
        return _absolute(text)
    if scheme in _SERVERS or text == "databricks":
        return text
    raise InputError(
        f"the tracking address must be sqlite:///FILE.db or a server's http(s) address, got "
        f"{text!r}; MLflow 3 no longer writes to a folder such as mlruns: use "
        f"sqlite:///{DEFAULT_STORE}, and move old runs with: mlflow migrate-filestore"
    )


def sqlite_file(uri: str) -> Path | None:
    """Return the file of an absolute SQLite address, `None` for a server."""
    return Path(uri.removeprefix("sqlite:///")) if uri.startswith("sqlite:///") else None


def artifact_root(uri: str, experiment: str) -> str | None:
    """Return where an experiment's artifacts go; `None` lets a tracking server decide.

    Without it MLflow would write them into the folder that a command happens to start in.
    """
    if urlsplit(uri).scheme.lower() in {"http", "https", "databricks"} or uri == "databricks":
        return None
    database = sqlite_file(uri)
    home = database.parent if database is not None else Path.cwd()
    folder = "".join(c if c.isalnum() or c in "-_." else "_" for c in experiment)
    return (home / "mlartifacts" / folder).resolve().as_uri()


def _absolute(uri: str) -> str:
    path = uri.partition("sqlite:///")[2]
    if not path or path.startswith(":memory:") or "?" in path:
        raise InputError(
            f"a SQLite tracking address must name a file, got {uri!r}; "
            f"use sqlite:///{DEFAULT_STORE}"
        )
    return f"sqlite:///{Path(path).expanduser().resolve()}"
