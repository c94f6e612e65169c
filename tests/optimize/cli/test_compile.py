"""`qkgram compile` from question files to a saved program, under a scripted model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from optimize import language_models
from optimize.artefacts import load_program
from optimize.cli.compile import compile_command
from optimize.meter import Meter
from optimize.scripted import ScriptedCall, ScriptedLM
from optimize.settings import Settings
from programs.direct import Direct
from signatures.errors import BudgetExceeded, InputError, ModelCallError
from signatures.schema import Question
from tests.support.toy_program import toy_questions

app = typer.Typer()
app.command()(compile_command)

Run = Callable[..., object]


def says_a(call: ScriptedCall) -> dict[str, str]:
    return {"reasoning": "because", "answer": "A"}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    splits = {"train": toy_questions(0, 6), "dev": toy_questions(6, 12, split="dev")}
    made = {name: write(tmp_path / f"{name}.jsonl", rows) for name, rows in splits.items()}
    made["both"] = write(tmp_path / "both.jsonl", [*splits["train"], *splits["dev"]])
    return made


def write(path: Path, questions: list[Question]) -> Path:
    path.write_text("".join(q.model_dump_json() + "\n" for q in questions), encoding="utf-8")
    return path


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[ScriptedLM]:
    """Put a scripted model in every role; the list holds it once it is made."""
    made: list[ScriptedLM] = []

    def roles(settings: Settings, meter: Meter) -> dict[str, ScriptedLM]:
        made.append(ScriptedLM(says_a, meter=meter))
        return {"reasoner": made[-1], "proposer": made[-1]}

    monkeypatch.setattr(language_models, "build_roles", roles)
    monkeypatch.setenv("QKGRAM_RESPONSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.chdir(tmp_path)
    return made


def run(*arguments: object):  # type: ignore[no-untyped-def]
    return CliRunner().invoke(app, ["--program", "direct", *map(str, arguments)])


def test_a_program_is_compiled_from_the_splits_of_one_file(
    files: dict[str, Path], scripted: list[ScriptedLM], tmp_path: Path
) -> None:
    result = run("--questions", files["both"], "--out", "direct.json", "--json")
    assert result.exit_code == 0, result.exception
    said = json.loads(result.stdout)
    assert said["before"]["value"] == pytest.approx(2 / 6)
    assert said["demos"] == {"answer.predict": 2}
    assert said["usage"]["calls"] == len(scripted[0].asked)
    program = Direct()
    card = load_program(program, tmp_path / "direct.json", name="direct")
    assert card.settings["region"]["k"] == 15  # type: ignore[index]
    assert card.complete and card.models == {
        "reasoner": "scripted/model",
        "proposer": "scripted/model",
    }


def test_two_files_give_the_same_study_as_one(
    files: dict[str, Path], scripted: list[ScriptedLM]
) -> None:
    one = run("--questions", files["both"], "--out", "1.json", "--json")
    two = run("--train", files["train"], "--dev", files["dev"], "--out", "2.json", "--json")
    assert (one.exit_code, two.exit_code) == (0, 0)
    assert {**json.loads(one.stdout), "out": "", "usage": ""} == {
        **json.loads(two.stdout),
        "out": "",
        "usage": "",
    }


def test_the_table_names_both_scores_and_what_was_kept(
    files: dict[str, Path], scripted: list[ScriptedLM]
) -> None:
    result = run("--questions", files["both"], "--out", "x.json", "--set", "max_rounds=1")
    assert result.exit_code == 0, result.exception
    assert "before" in result.stdout and "0.333" in result.stdout
    assert "kept: before, saved at x.json" in result.stdout


def test_a_spent_budget_leaves_with_2_and_a_file(
    files: dict[str, Path], scripted: list[ScriptedLM], tmp_path: Path
) -> None:
    result = run("--questions", files["both"], "--out", "x.json", "--max-calls", "8")
    assert isinstance(result.exception, BudgetExceeded)
    assert result.exception.exit_code == 2
    assert len(scripted[0].asked) == 8
    assert (tmp_path / "x.json").is_file()


def test_an_outage_is_no_wrong_answer(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, scripted: list[ScriptedLM]
) -> None:
    monkeypatch.setattr(
        language_models, "build_roles", lambda settings, meter: {"reasoner": ScriptedLM([])}
    )
    result = run("--questions", files["both"], "--out", "x.json")
    assert isinstance(result.exception, ModelCallError)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--train", "train.jsonl"], "give --train and --dev together"),
        (["--questions", "train.jsonl"], "wanted split 'dev'"),
        (["--questions", "both.jsonl", "--set", "max_rounds"], "takes NAME=VALUE"),
        (["--questions", "both.jsonl", "--predictor", "domain"], "use one of answer.predict"),
        (["--questions", "both.jsonl", "--predictor", "answer"], "an output 'domain'"),
        (
            ["--questions", "both.jsonl", "--optimizer", "x"],
            "use one of labeled, bootstrap, random-search",
        ),
        (
            ["--questions", "both.jsonl", "--experiment", "e", "--tracking", "mlruns"],
            "no longer writes to a folder",
        ),
    ],
)
def test_a_wrong_flag_costs_no_call(
    flags: list[str], message: str, files: dict[str, Path], scripted: list[ScriptedLM]
) -> None:
    result = run(*flags, "--out", "x.json")
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert sum(len(lm.asked) for lm in scripted) == 0
    assert not Path("x.json").exists()
