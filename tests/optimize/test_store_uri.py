"""Tracking addresses: absolute, and never the folder of files that MLflow refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from optimize.store_uri import artifact_root, sqlite_file, tracking_uri
from signatures.errors import InputError


def test_the_default_is_an_absolute_file_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    uri = tracking_uri()
    assert uri == f"sqlite:///{tmp_path.resolve()}/mlflow.db"
    assert sqlite_file(uri) == tmp_path.resolve() / "mlflow.db"
    assert tracking_uri("sqlite:///runs/x.db") == f"sqlite:///{tmp_path.resolve()}/runs/x.db"


@pytest.mark.parametrize(
    "uri", ["./mlruns", "mlruns", "file:///data/mlruns", "/data/mlruns", "ftp://x"]
)
def test_a_folder_of_files_is_refused_with_the_way_out(uri: str) -> None:
    with pytest.raises(InputError, match="use sqlite:///mlflow.db.*mlflow migrate-filestore"):
        tracking_uri(uri)


@pytest.mark.parametrize("uri", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_store_in_memory_is_refused(uri: str) -> None:
    with pytest.raises(InputError, match="must name a file"):
        tracking_uri(uri)


def test_artifacts_lie_beside_the_store_and_with_the_server() -> None:
    assert artifact_root("sqlite:////data/mlflow.db", "a b") == "file:///data/mlartifacts/a_b"
    assert artifact_root("https://tracking.example.org", "x") is None
    assert tracking_uri("postgresql+psycopg://host/db") == "postgresql+psycopg://host/db"
