"""`qkgram annotate` from end to end: a real server on the loopback, the packaged graph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from data.primekg import read_constraints
from optimize.annotation_ledger import LEDGER, RELEASE
from optimize.cli.annotate import annotate_command
from signatures.errors import InputError, RunIncomplete
from tests.support.cache import memory_cache
from tests.support.fake_openai import Body, FakeOpenAI, Refusal

app = typer.Typer()
app.command()(annotate_command)
GROUP = {
    "patient_characteristics": "pregnant",
    "applicability": "Decreased Likelihood",
    "evidence": "Use with care.",
}


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    """A server whose model always names one group."""

    def reply(body: Body) -> str:
        return json.dumps({"groups": [GROUP]})

    with FakeOpenAI(reply) as server:
        yield server


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake: FakeOpenAI) -> Iterator[Path]:
    """An empty working folder with caches of its own and settings for the server."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "qkgram.toml").write_text(
        f'[model]\nmodel = "toy-7b"\napi_base = "{fake.url}"\ncache = false\nretries = 0\n'
    )
    with memory_cache():
        yield tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_annotate_stop_and_resume(place: Path, fake: FakeOpenAI) -> None:
    first = call("--out", "out", "--limit", "5", "--max-calls", "2")
    assert isinstance(first.exception, RunIncomplete)
    assert "2 of 5 tasks annotated, 0 before" in first.output
    assert "stopped: the budget of 2 calls" in first.output
    second = call("--out", "out", "--limit", "5", "--json")
    assert second.exit_code == 0, second.output
    summary = json.loads(second.stdout)
    assert (summary["annotated"], summary["reused"], summary["items"]) == (5, 2, 5)
    assert len(fake.requests) == 5
    assert len(list(read_constraints(place / "out" / RELEASE))) == 5
    assert len((place / "out" / LEDGER).read_text().splitlines()) == 5


def test_labels_that_join_nothing_are_an_error(place: Path) -> None:
    (place / "labels.csv").write_text("drug_id,y_id,label_text\nDB99999,1,None.\n")
    found = call("--out", "out", "--labels", "labels.csv")
    assert isinstance(found.exception, InputError)
    assert "nothing to annotate" in str(found.exception)


def test_a_refused_call_is_listed_and_leaves_the_run_incomplete(
    place: Path, fake: FakeOpenAI
) -> None:
    fake.reply = lambda body: Refusal(400)
    found = call("--out", "out", "--limit", "2", "--relation", "indication")
    assert isinstance(found.exception, RunIncomplete)
    assert found.output.count("failed: ") == 2
    asked = len(fake.requests)
    fake.reply = lambda body: Refusal(401)
    found = call("--out", "out", "--limit", "2", "--relation", "indication")
    assert "stopped: no other call would be answered either" in found.output
    assert len(fake.requests) == asked + 1
