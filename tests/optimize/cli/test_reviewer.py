"""`qkgram reviewer` on a small graph, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from optimize.cli.main import app
from signatures.errors import ModelNotFound
from tests.support.graphs import Fact, make_graph

FACTS: list[Fact] = [
    (f"drugomycin {a}", "drug", "indication", f"scurvyosis {b}", "disease")
    for a in range(12)
    for b in range(12)
    if a // 4 == b // 4
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_graph(tmp_path_factory.mktemp("graph"), FACTS).path


def run(*words: str) -> str:
    result = CliRunner().invoke(
        app, ["reviewer", *words], catch_exceptions=False, env={"COLUMNS": "160"}
    )
    assert result.exit_code == 0
    return result.stdout


def test_train_then_score(store: Path) -> None:
    graph = ("--graph", str(store))
    asked = ("score", "drugomycin 1", "indication", "scurvyosis 1", *graph)
    before = CliRunner().invoke(app, ["reviewer", *asked])
    assert isinstance(before.exception, ModelNotFound)

    table = run("train", *graph, "--epochs", "12", "--dimension", "4")
    assert "indication" in table and "by degree" in table and "Brier" in table
    assert (store.parent / "store.rotate" / "manifest.json").is_file()

    found = json.loads(run(*asked, "--json"))
    assert 0 <= found["probability"] <= 1
    assert found["head"].startswith("drugomycin 1 (drug, DrugBank:")
    assert found["reviewer"].startswith("rotate-d4-e12-s0-")

    lost = json.loads(run("score", "unobtainium", "indication", "scurvyosis 1", *graph, "--json"))
    assert lost["probability"] is None
    assert "'unobtainium'" in lost["reason"]


def test_out_seed_and_json(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine"
    words = ("--graph", str(store), "--out", str(out), "--epochs", "12", "--seed", "5", "--json")
    manifest = json.loads(run("train", *words))
    assert manifest == json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["settings"]["seed"], manifest["settings"]["epochs"]) == (5, 12)
    shown = run(
        "score",
        "drugomycin 1",
        "indication",
        "scurvyosis 1",
        "--model",
        str(out),
        "--graph",
        str(store),
    )
    assert "probability" in shown and "reviewer" in shown
