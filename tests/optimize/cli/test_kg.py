"""`qkgram kg` on the small graph, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from optimize.cli.kg import app
from signatures.errors import GraphFileError, InputError, ModelNotFound, StoreNotFound
from tests.support.files_server import FilesServer

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
KG, ITEMS = str(FIXTURES / "kg_small.csv"), str(FIXTURES / "constraints_small.jsonl")


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words, catch_exceptions=False, env={"COLUMNS": "120"})
    assert result.exit_code == 0
    return result.stdout


def test_build_and_stats_report_the_same(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    built = json.loads(run("build", KG, store, "--constraints", ITEMS, "--json"))
    assert json.loads(run("stats", store, "--json")) == built
    counts = ("rows_read", "logical_edges", "mirrored_rows", "duplicate_rows")
    assert [built[name] for name in counts] == [88, 43, 43, 2]
    assert (built["constraint_items"], built["constraint_unmatched"]) == (6, 1)
    assert built["edges_by_relation"]["indication"] == 8
    assert built["rows_by_relation"]["indication"] == 18
    assert built["nodes_by_type"]["drug"] == 7


def test_tables_for_people(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    run("build", KG, store)
    shown = run("stats", store)
    lines = [[cell.strip() for cell in line.strip("│ ").split("│")] for line in shown.splitlines()]
    assert ["rows read", "88"] in lines
    assert ["disease_disease", "4", "2", "unknown"] in lines
    assert ["indication", "18", "8", "drug → disease"] in lines
    assert "warning: nodes with several names" in shown


def test_errors_are_ours(tmp_path: Path) -> None:
    runner = CliRunner()
    missing = runner.invoke(app, ["build", str(tmp_path / "kg.csv"), str(tmp_path / "store")])
    assert isinstance(missing.exception, GraphFileError)
    nowhere = runner.invoke(app, ["stats", str(tmp_path / "store")])
    assert isinstance(nowhere.exception, StoreNotFound)


def test_build_with_aliases(tmp_path: Path) -> None:
    names = [str(FIXTURES / name) for name in ("mini.obo", "disease_features.csv")]
    words = ["build", KG, str(tmp_path / "store"), "--aliases", names[0], "--aliases", names[1]]
    assert json.loads(run(*words, "--json"))["aliases_added"] == {
        "mini.obo": 3,
        "disease_features.csv": 4,
    }
    assert "mini.obo" in run("stats", str(tmp_path / "store"))


def test_doctor_exits_with_1_when_something_wants_a_repair() -> None:
    runner = CliRunner()
    sound = runner.invoke(app, ["doctor", KG, "--json"])
    kinds = {finding["kind"] for finding in json.loads(sound.stdout)["findings"]}
    assert sound.exit_code == 0
    assert {"mirrored_rows", "duplicate_rows", "several_names", "opposed_relations"} <= kinds
    ill = runner.invoke(app, ["doctor", KG, "--constraints", ITEMS])
    assert ill.exit_code == 1
    assert "problem: constraint lines that fit no edge, or several pairs of nodes: 1" in ill.stdout
    assert "row 88 repeats row 2" in ill.stdout


def test_subgraph(tmp_path: Path) -> None:
    whole, part = str(tmp_path / "whole"), str(tmp_path / "part")
    run("build", KG, whole, "--constraints", ITEMS)
    words = ("subgraph", whole, "--center", "MONDO:5148", "--out", part)
    report = json.loads(run(*words, "--json"))
    assert (report["direct_rows"], report["direct_edges"]) == (18, 9)
    assert report["rows"] == report["direct_rows"] + report["indirect_rows"]
    assert json.loads(run("stats", part, "--json"))["logical_edges"] == report["edges"]
    shown = run(*words)
    assert "Around type 2 diabetes mellitus (disease 5148)" in shown
    assert "E1, one edge away" in shown
    unclear = CliRunner().invoke(app, ["subgraph", whole, "--center", "no node", "--out", part])
    assert isinstance(unclear.exception, InputError)


def test_export(tmp_path: Path) -> None:
    store, out, names = (str(tmp_path / name) for name in ("store", "out.csv.gz", "names.csv"))
    run("build", KG, store)
    facts = json.loads(run("export", store, out, "--aliases", names, "--json"))
    assert facts == {"rows": 86, "edges": 43, "aliases": 1}
    built = json.loads(run("build", out, str(tmp_path / "again"), "--aliases", names, "--json"))
    assert (built["rows_read"], built["logical_edges"]) == (86, 43)


def test_download(tmp_path: Path) -> None:
    files = {
        "/api/datasets/:persistentId/versions/:latest-published/files"
        "?persistentId=doi%3A10.7910%2FDVN%2FIXA7BM": json.dumps(
            {
                "data": [
                    {
                        "dataFile": {
                            "id": 1,
                            "filename": "kg.csv",
                            "filesize": 3,
                            "md5": "900150983cd24fb0d6963f7d28e17f72",  # of abc, RFC 1321
                        }
                    }
                ]
            }
        ).encode(),
        "/api/access/datafile/1": b"abc",
    }
    with FilesServer(files) as server:
        shown = run("download", "--out", str(tmp_path), "--server", server.url)
    assert (tmp_path / "kg.csv").read_bytes() == b"abc"
    assert "next: qkgram kg build" in shown


def test_embed_without_the_encoder_says_what_to_fetch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    run("build", KG, str(tmp_path / "store"))
    missing = CliRunner().invoke(app, ["embed", str(tmp_path / "store")])
    assert isinstance(missing.exception, ModelNotFound)
    assert "qkgram models fetch all-minilm-l6-v2" in str(missing.exception)


COMMANDS = ["build", "stats", "doctor", "subgraph", "export", "embed", "download"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_holds_an_example(command: str) -> None:
    assert f"Example: qkgram kg {command}" in run(command, "--help")
