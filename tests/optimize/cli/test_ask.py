"""`qkgram ask` from end to end: a real server on the loopback, the packaged sample graph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from data.paths import cache_home
from optimize.cli.ask import ask_command
from retrievers.embedding import SentenceEncoder
from signatures.errors import InputError, ModelCallError
from tests.support.cache import memory_cache
from tests.support.fake_openai import Body, FakeOpenAI, Refusal

app = typer.Typer()
app.command()(ask_command)

QUESTION = (
    "A man with type 2 diabetes mellitus has an eGFR of 24 mL/min/1.73 m². Which drug?\n"
    "A. Metformin\nB. Linagliptin"
)


def reply(body: Body) -> str:
    """Answer every step of `qkgram` and `direct`; the model itself would choose metformin."""
    system = body["messages"][0]["content"]
    claim = {
        "option": "A",
        "head": "Metformin",
        "predicate": "treats",
        "tail": "type 2 diabetes mellitus",
        "supports": True,
    }
    answers = {
        "claims: [": {"answer": "A", "claims": [claim]},
        "sub_questions: [": {"sub_questions": ["Which drug suits type 2 diabetes mellitus?"]},
        "domain: ": {"domain": "DRUG_THERAPY"},
        "verdicts: [": {"verdicts": []},
        "cited: [": {"answer": "as the facts say", "cited": []},
        "missing: ": {"answer": "perhaps", "missing": "a trial"},
    }
    found = next((answer for mark, answer in answers.items() if f"\n{mark}" in system), None)
    return json.dumps(found or {"reasoning": "[bold]I like it[/bold]", "answer": "A"})


@pytest.fixture
def place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: SentenceEncoder
) -> Iterator[Path]:
    """An empty working folder and a cache of its own that holds the encoder alone."""
    models = cache_home() / "models"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "models").symlink_to(models)
    with memory_cache():
        yield tmp_path


def ask(place: Path, *words: str, answer=reply, typed: str | None = None) -> Result:  # type: ignore[no-untyped-def]
    with FakeOpenAI(answer) as server:
        (place / "qkgram.toml").write_text(
            f'[model]\nmodel = "toy"\napi_base = "{server.url}"\ncache = false\nretries = 0\n'
        )
        return CliRunner().invoke(app, words, input=typed)


def test_the_answer_comes_with_patient_claims_audit_and_first_answer(place: Path) -> None:
    result = ask(place, QUESTION)
    assert result.exit_code == 0, result.output
    for part in (
        "B  Linagliptin",
        "eGFR 24 mL/min/1.73 m²",
        "CONTRADICTED",
        "eGFR 24 mL/min/1.73 m² < 30 → MET",
        "decision_mismatch: the model answered A",
        "first answer, before the graph was asked: A",
        "not for clinical use",
    ):
        assert part in result.output


def test_json_holds_the_records(place: Path) -> None:
    result = ask(place, QUESTION, "--json")
    said = json.loads(result.output)
    assert said["response"]["llm_answer_choice"] == "B"
    assert {v["status"] for v in said["report"]} == {"CONTRADICTED", "SUPPORTED"}
    assert said["usage"]["calls"] >= 4


@pytest.mark.parametrize("way", ["argument", "options", "file", "stdin"])
def test_a_question_comes_in_four_ways(place: Path, way: str) -> None:
    stem, *options = QUESTION.splitlines()
    texts = [option.partition(" ")[2] for option in options]
    (place / "q.txt").write_text(QUESTION, encoding="utf-8")
    words = {
        "argument": [QUESTION],
        "options": [stem, *(word for text in texts for word in ("-o", text))],
        "file": ["--file", "q.txt"],
        "stdin": ["-"],
    }[way]
    result = ask(place, *words, "--program", "direct", "--json", typed=QUESTION)
    assert json.loads(result.output)["question"]["options"] == {
        "A": "Metformin",
        "B": "Linagliptin",
    }


def test_an_open_question_is_answered_from_hops(place: Path) -> None:
    result = ask(place, "Is metformin indicated for type 2 diabetes mellitus?")
    assert result.exit_code == 0, result.output
    assert "Hops" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give one question"),
        (["  "], "got nothing to ask"),
        (["Which?\nA. x\nC. y"], "expected options lettered A, B"),
        (["Which?", *(word for n in range(11) for word in ("-o", f"drug {n}"))], "at most 10"),
        (["Which?", "--program", "nope"], "use one of"),
    ],
)
def test_a_mistake_is_one_clear_line(place: Path, words: list[str], message: str) -> None:
    result = ask(place, *words)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def test_a_refused_key_is_told(place: Path) -> None:
    result = ask(place, QUESTION, "--program", "direct", answer=lambda body: Refusal(401, "no"))
    assert isinstance(result.exception, ModelCallError)
    assert "refused the key" in str(result.exception)


def test_html_writes_the_card_with_the_prompts(place: Path) -> None:
    result = ask(place, QUESTION, "--html", "cards/one.html")
    assert result.exit_code == 0, result.output
    page = (place / "cards" / "one.html").read_text(encoding="utf-8")
    assert 'id="alone"' in page
    assert "emit_claims.predict" in page
    assert "B  Linagliptin" in result.output
