"""`qkgram evaluate` from end to end: a real server on the loopback, the packaged questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from data.paths import sample_dir
from data.questions import read_questions
from optimize.cli.evaluate import evaluate_command
from optimize.runs import read_run
from signatures.errors import InputError, RunIncomplete
from tests.support.cache import memory_cache
from tests.support.fake_openai import Body, FakeOpenAI, Refusal

app = typer.Typer()
app.command()(evaluate_command)


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    """A server whose model always answers B."""

    def reply(body: Body) -> str:
        return json.dumps({"reasoning": "because", "answer": "B"})

    with FakeOpenAI(reply) as server:
        yield server


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working folder with caches of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    with memory_cache():
        yield tmp_path


def settings(place: Path, fake: FakeOpenAI, name: str = "toy-7b", **more: object) -> None:
    """Write `qkgram.toml` for the server."""
    extra = "".join(f"{key} = {value}\n" for key, value in more.items())
    (place / "qkgram.toml").write_text(
        f'[model]\nmodel = "{name}"\napi_base = "{fake.url}"\ncache = false\nretries = 0\n{extra}'
    )


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_evaluate_and_resume(place: Path, fake: FakeOpenAI) -> None:
    settings(place, fake)
    result = call("direct", "--split", "test", "--sample", "4", "--out", "runs/direct", "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    summary = json.loads(result.stdout)
    assert (summary["done"], summary["incomplete"], len(fake.requests)) == (4, False, 4)
    assert summary["models"]["reasoner"].endswith("toy-7b")
    rows = read_run(place / "runs" / "direct").rows.values()
    gold = {q.id: q.gold for q in read_questions(sample_dir() / "questions.jsonl")}
    right = sum(gold[row.question] == "B" for row in rows)
    assert summary["accuracy"]["right"] == right
    assert {"low", "high", "level"} == summary["accuracy"]["interval"].keys()

    wider = call(
        "direct", "--split", "test", "--sample", "6", "--out", "runs/direct", "--threads", "3"
    )
    assert wider.exit_code == 0, (wider.output, wider.exception)
    assert len(fake.requests) == 6
    assert "Wilson 95 %" in wider.stdout
    assert "of 6" in wider.stdout


def test_the_gold_never_reaches_the_model(place: Path, fake: FakeOpenAI) -> None:
    settings(place, fake)
    call("direct", "--sample", "2")
    sent = json.dumps([request.body for request in fake.requests])
    assert sent
    assert not re.search(r"gold|decided_by|labelled", sent)


def test_a_budget_stops_with_exit_code_2(place: Path, fake: FakeOpenAI) -> None:
    settings(place, fake)
    result = call("direct", "--sample", "5", "--max-calls", "2", "--out", "r")
    assert isinstance(result.exception, RunIncomplete)
    assert "INCOMPLETE" in result.stdout
    assert "3 of 5 have no row" in result.stdout
    assert call("direct", "--sample", "5", "--out", "r").exit_code == 0
    assert len(fake.requests) == 5


def test_another_model_is_another_run(place: Path, fake: FakeOpenAI) -> None:
    settings(place, fake)
    assert call("direct", "--sample", "2", "--out", "r").exit_code == 0
    settings(place, fake, name="other-7b")
    refused = call("direct", "--sample", "2", "--out", "r")
    assert isinstance(refused.exception, InputError)
    assert "toy-7b" in str(refused.exception)
    assert "other-7b" in str(refused.exception)
    assert call("direct", "--sample", "2").exit_code == 0
    settings(place, fake, temperature=0.7)
    assert call("direct", "--sample", "2").exit_code == 0
    assert len(list((place / "runs").iterdir())) == 2


def test_a_server_that_is_down_is_not_a_wrong_answer(place: Path) -> None:
    with FakeOpenAI(lambda body: Refusal(401, "no key")) as server:
        settings(place, server)
        result = call("direct", "--sample", "9", "--out", "r", "--json")
    assert isinstance(result.exception, RunIncomplete)
    summary = json.loads(result.stdout)
    assert summary["accuracy"]["value"] is None
    assert "refused the key" in summary["stopped"]
    assert len(server.requests) == 1
    assert len(server.requests) < 9


def test_errors_are_the_users(place: Path, fake: FakeOpenAI) -> None:
    settings(place, fake)
    for arguments, said in (
        (("nothing",), "nothing"),
        (("direct", "--questions", "none.jsonl"), "no such file"),
        (("direct", "--sample", "2", "--compiled", "none.json"), "none.json"),
    ):
        result = call(*arguments)
        assert said in str(result.exception)
        assert "\n" not in str(result.exception)
    assert not fake.requests
