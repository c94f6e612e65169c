from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from optimize.cli.compare import compare_command
from tests.support.run_folder import make_question, write_run

app = typer.Typer()
app.command()(compare_command)


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    questions = [make_question(n, split="test") for n in range(4)]
    a = write_run(tmp_path / "a", questions, {"q0": "A", "q1": "B", "q2": "B"}, firsts={"q1": "A"})
    b = write_run(tmp_path / "b", questions, {f"q{n}": "A" for n in range(4)})
    return [str(a), str(b)]


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})


def test_json_holds_everything(runs: list[str]) -> None:
    (found,) = json.loads(call(*runs, "--format", "json").stdout)["comparisons"]
    assert (found["a"], found["b"], found["only_b"]) == ("a", "b", ["q3"])
    assert (found["fixes"], found["breaks"], found["total"]) == (2, 0, 3)
    assert found["flips"][0]["place_a"].endswith("rows.jsonl:2")


def test_the_terminal_shows_unmatched_questions_first(runs: list[str]) -> None:
    result = call(*runs)
    assert result.stdout.index("Unmatched") < result.stdout.index("Paired comparison")
    assert "B fixes 2, breaks 0" in result.stdout
    assert "1 of 4 questions were not run" in result.stderr


def test_csv_is_one_table_and_flips_a_file(runs: list[str], tmp_path: Path) -> None:
    flips = tmp_path / "out" / "flips.csv"
    result = call(*runs, "--format", "csv", "--flips", str(flips))
    (row,) = csv.DictReader(result.stdout.splitlines())
    assert (row["N"], row["only B"], row["direction"]) == ("3", "1", "B fixes 2, breaks 0")
    assert [r["question"] for r in csv.DictReader(flips.read_text().splitlines())] == ["q1", "q2"]


def test_within_takes_one_run(runs: list[str]) -> None:
    (found,) = json.loads(call(runs[0], "--within", "--format", "json").stdout)["comparisons"]
    assert (found["total"], found["breaks"]) == (1, 1)


@pytest.mark.parametrize(("style", "sign"), [("markdown", "| --- |"), ("latex", r"\toprule")])
def test_formats_for_papers(runs: list[str], style: str, sign: str) -> None:
    assert sign in call(*runs, "--format", style).stdout


def test_names_and_a_figure(runs: list[str], tmp_path: Path) -> None:
    figure = tmp_path / "f.svg"
    result = call(*runs, "--name", "KG", "--name", "QKG", "--figure", str(figure))
    assert "QKG" in result.stdout
    assert "QKG" in figure.read_text()


@pytest.mark.parametrize("width", ["40", "80"])
def test_many_runs_stand_in_tables_that_a_terminal_holds(tmp_path: Path, width: str) -> None:
    questions = [make_question(n, split="test") for n in range(4)]
    answers = [{"q0": "A"}, {"q1": "B"}, {"q2": "A"}, {"q3": "A"}]
    folders = [
        str(write_run(tmp_path / f"run-{i}", questions, {f"q{n}": "C" for n in range(4)} | said))
        for i, said in enumerate(answers)
    ]
    shown = CliRunner().invoke(app, folders, env={"COLUMNS": width}).stdout
    assert max(map(len, shown.splitlines())) <= int(width)
    for first in range(4):
        for second in range(first + 1, 4):
            assert f"run-{first}" in shown
            assert f"run-{second}" in shown
    assert shown.count("p Holm") == (6 if width == "40" else shown.count("Paired comparison"))
