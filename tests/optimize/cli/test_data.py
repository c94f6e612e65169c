"""`qkgram data check` as a user sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from optimize.cli.data import app

ROW = {"id": "1", "text": "Which vitamin cures scurvy?", "options": {"A": "C", "B": "D"}}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    dev, train = tmp_path / "dev.jsonl", tmp_path / "train.jsonl"
    dev.write_text(json.dumps({**ROW, "gold": "A"}), encoding="utf-8")
    train.write_text(json.dumps({**ROW, "id": "[red]9", "gold": "B"}), encoding="utf-8")
    return dev, train


def test_a_clean_file_exits_0(files: tuple[Path, Path]) -> None:
    result = CliRunner().invoke(app, ["check", str(files[0])])
    assert result.exit_code == 0
    assert "nothing found" in result.output


def test_an_overlap_exits_1_and_names_both_questions(files: tuple[Path, Path]) -> None:
    result = CliRunner().invoke(app, ["check", str(files[0]), "--against", str(files[1])])
    assert result.exit_code == 1
    assert "overlap: 1" in result.output
    assert "dev.jsonl: 1 ~ train.jsonl: [red]9" in result.output
    assert "another right answer" in " ".join(result.output.split())


def test_json_holds_everything(files: tuple[Path, Path]) -> None:
    result = CliRunner().invoke(app, ["check", *map(str, files), "--json"])
    assert result.exit_code == 1
    found = json.loads(result.output)
    assert [finding["kind"] for finding in found["findings"]] == ["overlap"]
    assert [file["read"] for file in found["files"]] == [1, 1]


def test_only_the_first_findings_of_a_kind_are_printed(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    rows = [json.dumps({**ROW, "id": str(n), "gold": "A"}) for n in range(20)]
    path.write_text("\n".join(rows), encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(path)])
    assert "duplicate: 19" in result.output
    assert "… and 9 more" in result.output


def test_help_has_an_example() -> None:
    result = CliRunner().invoke(app, ["check", "--help"])
    assert "qkgram data check dev.jsonl" in result.output
