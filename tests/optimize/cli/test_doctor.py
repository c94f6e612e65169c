from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from optimize.cli.main import app


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "file:./mlruns")
    monkeypatch.chdir(tmp_path)


def test_one_line_a_check_and_exit_1_when_something_is_wrong() -> None:
    result = CliRunner().invoke(app, ["doctor"])
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert all(line.split()[0] in ("ok", "warn", "wrong") for line in lines[:-1])
    assert any(line.startswith("wrong MLflow") and " → " in line for line in lines)
    assert lines[-1].endswith(" wrong")


def test_json_says_the_same_to_a_script() -> None:
    document = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)
    assert document["sound"] is False
    assert {"about", "verdict", "found", "advice"} == set(document["checks"][0])


def test_help_has_an_example_that_runs() -> None:
    words = " ".join(CliRunner().invoke(app, ["doctor", "--help"]).stdout.split())
    assert "Example: qkgram doctor --deep" in words
    assert CliRunner().invoke(app, ["doctor", "--deep"]).exit_code == 1
