"""`qkgram curate` from end to end, on the packaged sample and with a server on the loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from data.questions import read_questions
from optimize.cli.curate import curate_command
from optimize.curated_set import CURATED, QUESTIONS
from signatures.errors import InputError, RunIncomplete
from tests.support.cache import memory_cache
from tests.support.fake_openai import Body, FakeOpenAI

app = typer.Typer()
app.command()(curate_command)


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    with memory_cache():
        yield


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_the_sample_without_a_model() -> None:
    found = call("--no-model", "--out", "set", "--sample", "12")
    assert found.exit_code == 0, found.output
    assert "Questions after each stage" in found.output
    assert "QA-source distribution" in found.output
    assert "12 of 12 questions curated, 0 before" in found.output
    kept = read_questions(Path("set") / QUESTIONS)
    assert kept
    again = call("--no-model", "--out", "set", "--sample", "12", "--top", "1", "--json")
    summary = json.loads(again.stdout)
    assert (summary["reused"], summary["reasons"]["below the cut"]) == (12, len(kept) - 1)


def test_a_model_names_the_entities_and_a_hierarchy_widens_them(tmp_path: Path) -> None:
    Path("own.obo").write_text(
        "format-version: 1.2\n\n[Term]\nid: MONDO:0099999\nname: sugar sickness\n"
        "is_a: MONDO:0005148 ! type 2 diabetes mellitus\n\n[Term]\nid: MONDO:0005148\n"
        "name: t2d\nis_a: MONDO:0000001 ! disease\n"
    )
    question = {
        "id": "q1", "source": "own", "text": "A man has sugar sickness.", "gold": "A",
        "options": {"A": "Metformin", "B": "Rest"}, "labelled": True,
    }  # fmt: skip
    Path("own.jsonl").write_text(json.dumps(question) + "\n")

    def reply(body: Body) -> str:
        options = [{"option": "A", "entities": ["Metformin"]}]
        return json.dumps({"question_entities": ["sugar sickness"], "option_entities": options})

    with FakeOpenAI(reply) as server:
        Path("qkgram.toml").write_text(
            f'[roles.annotator]\nmodel = "toy-7b"\napi_base = "{server.url}"\n'
        )
        found = call(
            "--questions", "own.jsonl", "--out", "set", "--hierarchy", "own.obo", "--no-neighbours"
        )
    assert found.exit_code == 0, found.output
    assert len(server.requests) == 1, "only the annotator is needed, and it is asked once"
    (row,) = [json.loads(line) for line in (Path("set") / CURATED).read_text().splitlines()]
    entity = row["curation"]["entities"][0]
    assert (entity["grounding"]["method"], entity["alignment"]["method"]) == (
        "vocabulary",
        "hierarchy",
    )
    assert entity["alignment"]["steps"] == 1
    assert row["gold_joined"]


def test_a_spent_budget_is_incomplete_and_says_how_to_go_on() -> None:
    said = json.dumps({"question_entities": [], "option_entities": []})
    with FakeOpenAI(lambda body: said) as server:
        Path("qkgram.toml").write_text(f'[model]\nmodel = "toy"\napi_base = "{server.url}"\n')
        found = call("--out", "set", "--sample", "3", "--max-calls", "1")
    assert isinstance(found.exception, RunIncomplete)
    assert "1 of 3 questions curated" in found.output
    assert "the budget of 1 call is" in str(found.exception)


def test_a_table_that_is_no_umls_is_one_line() -> None:
    Path("bad.RRF").write_text("C1,ENG\n")
    found = call("--no-model", "--out", "set", "--mrconso", "bad.RRF", "--no-neighbours")
    assert isinstance(found.exception, InputError)
    assert "bad.RRF:1: wanted 18 fields" in str(found.exception)
