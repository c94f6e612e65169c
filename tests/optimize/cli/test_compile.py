"""`qkgram compile` from question files to a saved program, under a scripted model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from optimize import language_models
from optimize.artefacts import load_program, read_card
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
    reported = toy_questions(12, 18, split="test")
    made["reported"] = write(tmp_path / "reported.jsonl", reported)
    made["all"] = write(tmp_path / "all.jsonl", [*splits["train"], *splits["dev"], *reported])
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
    assert said["demos"] == {"answer.predict": 2, "in_words.predict": 0}
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
        (
            ["--questions", "both.jsonl", "--predictor", "answer", "--metric", "domain_match"],
            "an output 'domain'",
        ),
        (["--train", "train.jsonl", "--dev", "reported.jsonl"], "no question of the test split"),
        (["--questions", "both.jsonl", "--teacher", "x"], "the teacher must be a role"),
        (
            ["--questions", "both.jsonl", "--optimizer", "gepa", "--component", "x"],
            "predictor 'x' is unknown here",
        ),
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


def test_the_test_split_is_reported_before_and_after(
    files: dict[str, Path], scripted: list[ScriptedLM]
) -> None:
    result = run("--questions", files["all"], "--out", "x.json")
    assert result.exit_code == 0, result.exception
    assert "test exact_match: 0.333 [" in result.stdout
    said = json.loads(run("--questions", files["all"], "--out", "y.json", "--json").stdout)
    assert (said["test"]["n"], said["test"]["p"], said["test"]["words"]) == (
        6,
        1.0,
        "no difference: after fixes 0, breaks 0",
    )
    unasked = json.loads(
        run("--questions", files["all"], "--out", "z.json", "--json", "--no-report").stdout
    )
    assert unasked["test"] is None


def test_a_forecast_calls_no_model(files: dict[str, Path], scripted: list[ScriptedLM]) -> None:
    result = run("--questions", files["all"], "--optimizer", "gepa", "--forecast-only")
    assert result.exit_code == 0, result.exception
    assert result.stdout.startswith("at most 180 answers, ")
    assert scripted == [] and not Path("compiled.json").exists()


def test_an_overlap_is_compiled_on_when_allowed_and_stands_on_the_card(
    files: dict[str, Path], scripted: list[ScriptedLM], tmp_path: Path
) -> None:
    flags = ["--train", files["train"], "--dev", files["reported"], "--test", files["reported"]]
    result = run(*flags, "--out", "x.json", "--allow-overlap")
    assert result.exit_code == 0, result.exception
    assert "overlap allowed: dev and test must not share a question" in result.stdout
    card = read_card(tmp_path / "x.json")
    assert card.overlap == (
        "train or dev must hold no question of the test split, they hold 6",
        "dev and test must not share a question, they share 6",
    )


def test_one_predictor_of_a_graph_s_program_needs_no_graph(
    files: dict[str, Path], scripted: list[ScriptedLM], tmp_path: Path
) -> None:
    flags = ["--predictor", "type_domain", "--graph", tmp_path / "nowhere"]
    result = CliRunner().invoke(
        app, [*map(str, (*flags, "--questions", files["both"], "--out", "x.json"))]
    )
    assert result.exit_code == 0, result.exception
    assert {call.fields for call in scripted[0].asked} == {("domain",)}
    card = read_card(tmp_path / "x.json")
    assert (card.program, card.graph) == ("qkgram", None)


def test_a_lone_predictor_is_judged_by_its_own_field(
    files: dict[str, Path], scripted: list[ScriptedLM], tmp_path: Path
) -> None:
    result = run("--questions", files["both"], "--predictor", "answer", "--out", "x.json")
    assert result.exit_code == 0, result.exception
    assert read_card(tmp_path / "x.json").metric == "answer_match"


def test_a_file_without_splits_is_split(
    files: dict[str, Path], scripted: list[ScriptedLM], tmp_path: Path
) -> None:
    loose = [q.model_copy(update={"split": None}) for q in toy_questions(0, 30)]
    path = write(tmp_path / "loose.jsonl", loose)
    result = run("--questions", path, "--out", "x.json", "--json")
    assert result.exit_code == 0, result.exception
    card = read_card(tmp_path / "x.json")
    assert card.test is not None
    assert (card.train.n, card.dev.n, card.test.n) == (12, 6, 12)
    assert card.splits is not None
