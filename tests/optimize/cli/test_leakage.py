from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from optimize.cli.leakage import leakage_command
from signatures.errors import InputError
from tests.support.run_folder import make_question, write_run

app = typer.Typer()
app.command()(leakage_command)

LEAK = {"option": "B", "supports": True, "status": "CONTRADICTED", "evidence": "Medically, no."}


@pytest.fixture
def run(tmp_path: Path) -> str:
    questions = [make_question(n, split="test") for n in range(3)]
    answers = {f"q{n}": "A" for n in range(3)}
    folder = write_run(
        tmp_path / "run", questions, answers, firsts={**answers, "q0": "B"}, reports={"q0": [LEAK]}
    )
    return str(folder)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})


def test_a_run_is_audited(run: str) -> None:
    (found,) = json.loads(call(run, "--format", "json").stdout)["audits"]
    assert (found["raw"], found["adjusted"], found["removed"]) == (1.0, 1.0, 1)
    assert found["improved"]["leakage"] == 1
    assert found["cases"][0]["reason"] == "EV_LEAKAGE (parametric): Medically, no."


def test_every_case_is_written_with_its_reason(run: str, tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    call(run, "--cases", str(path))
    (row,) = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    assert (row["sample_key"], row["final_label"], row["label_source"]) == (
        "q0",
        "LIKELY_LEAKAGE",
        "regex",
    )
    assert row["reason"]


def test_cases_that_were_written_can_be_audited_again(run: str, tmp_path: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    call(run, "--cases", str(folder / "cases.csv"))
    (folder / "rows.csv").write_text(
        "sample_key,gold_answer,reasoner_answer,final_answer\nq0,A,B,A\nq1,A,A,A\nq2,A,A,A\n"
    )
    (found,) = json.loads(call(str(folder), "--format", "json").stdout)["audits"]
    assert (found["name"], found["improved"]["leakage"], found["adjusted"]) == ("run", 1, 1.0)


def test_a_validators_log_is_audited(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    row = {
        "sample_key": "q0",
        "gold_answer": "A",
        "reasoner_answer": "B",
        "final_answer": "A",
        "validation_report": [LEAK, "A: SUPPORTED", {"status": "PARSE_ERROR"}],
    }
    log.write_text(json.dumps(row) + "\n")
    (found,) = json.loads(call(str(log), "--format", "json").stdout)["audits"]
    assert (found["improved"]["leakage"], found["odd_statuses"]) == (1, {"PARSE_ERROR": 1})


def test_a_run_without_a_validator_is_a_user_error(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [make_question(0)], {"q0": "A"})
    assert isinstance(call(str(folder)).exception, InputError)
