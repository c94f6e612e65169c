"""`qkgram judge` from end to end: a real server on the loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from optimize.cli.judge import judge_command
from optimize.verdicts import VERDICTS
from signatures.errors import InputError, RunIncomplete
from tests.support.cache import memory_cache
from tests.support.fake_openai import Body, FakeOpenAI, Refusal
from tests.support.judged_runs import open_question, write_answers

app = typer.Typer()
app.command()(judge_command)


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    """A server whose model finds every answer 0.9 similar."""

    def reply(body: Body) -> str:
        return json.dumps({"comparison": "the same", "similarity": 0.9})

    with FakeOpenAI(reply) as server:
        yield server


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake: FakeOpenAI) -> Iterator[Path]:
    """A working folder with a run of three answers and settings for the server."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "qkgram.toml").write_text(
        '[model]\nmodel = "local:qwen2.5-coder-1.5b"\ntemperature = 0.3\n'
        f'[roles.judge]\nmodel = "toy-7b"\napi_base = "{fake.url}"\ncache = false\nretries = 0\n'
    )
    write_answers(tmp_path / "run", [open_question(n) for n in range(3)], ["a", "b", "abstain"])
    with memory_cache():
        yield tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_judge_stop_resume_and_a_second_judge(place: Path, fake: FakeOpenAI) -> None:
    """The run's own local model is not installed here: it is not needed."""
    first = call("run", "--max-calls", "1")
    assert isinstance(first.exception, RunIncomplete)
    assert "1 of 3 answers judged" in first.output
    assert "stopped: the budget of 1 call is spent" in first.output
    second = call("run", "--json")
    assert second.exit_code == 0, second.output
    data = json.loads(second.stdout)
    assert (data["summary"]["judged"], data["summary"]["reused"]) == (3, 1)
    assert data["results"]["judges"][0]["similarity"]["accuracy"]["value"] == pytest.approx(2 / 3)
    assert len(fake.requests) == 2
    assert all(request.body["temperature"] == 0 for request in fake.requests)
    assert len((place / "run" / VERDICTS).read_text().splitlines()) == 3
    third = call("run", "--judge-model", "toy-70b")
    assert third.exit_code == 0, third.output
    assert "Agreement of two judges" in third.output
    assert "the same one label" in third.output


def test_an_unknown_measure_and_a_folder_without_a_run_are_named(place: Path) -> None:
    found = call("run", "--measure", "similarty")
    assert isinstance(found.exception, InputError)
    assert "'similarty'; use similarity, " in str(found.exception)
    found = call("nowhere")
    assert isinstance(found.exception, InputError)
    assert "no run there" in str(found.exception)


def test_a_judge_that_refuses_leaves_the_judging_incomplete(place: Path, fake: FakeOpenAI) -> None:
    fake.reply = lambda body: Refusal(400)
    found = call("run")
    assert isinstance(found.exception, RunIncomplete)
    assert found.output.count("failed: ") == 2
    fake.reply = lambda body: json.dumps({"comparison": "", "similarity": 0.1})
    assert call("run").exit_code == 0
