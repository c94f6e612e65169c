"""What commands say of blank texts, missing options, small files, places and older runs."""

from __future__ import annotations

import json
from pathlib import Path

import dspy
import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from optimize.asking import Answered
from optimize.cli.ask import ask_command
from optimize.cli.compare import compare_command
from optimize.cli.evaluate import evaluate_command
from optimize.cli.region import link_command, region_command
from optimize.cli.rescore import rescore_command
from optimize.runs import read_run
from optimize.show import show_answer, unread_line
from programs.synthesise import respond
from signatures.errors import InputError, RunNotWritten
from signatures.schema import Question, Usage
from tests.support.run_folder import make_question, write_run

app = typer.Typer()
COMMANDS = {
    "ask": ask_command,
    "compare": compare_command,
    "evaluate": evaluate_command,
    "link": link_command,
    "region": region_command,
    "rescore": rescore_command,
}
for name, command in COMMANDS.items():
    app.command(name)(command)

ASKED = Question(id="q", source="s", text="Which?", options={"A": "zinc", "B": "iron"})


def call(*words: str) -> str:
    result = CliRunner().invoke(app, words, catch_exceptions=False, env={"COLUMNS": "200"})
    return result.output


@pytest.mark.parametrize("words", [("region", ""), ("link", " \n"), ("link", "", "--name")])
def test_a_blank_text_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="nothing to look up; try: qkgram " + words[0]):
        call(*words)


def test_adjacency_without_options_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match="adjacency chooses among options") as refused:
        call("ask", "--program", "adjacency", "Which drug lowers urate?")
    assert "\n" not in str(refused.value)


def questions_file(folder: Path, *, gold: str | None) -> str:
    rows = [ASKED.model_copy(update={"id": f"q{n}", "gold": gold}) for n in range(2)]
    lines = [row.model_dump_json(exclude={"labelled", "notes"}) for row in rows]
    file = folder / "few.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return str(file)


def test_a_sample_beyond_the_file_is_noted(tmp_path: Path) -> None:
    words = ("evaluate", "adjacency", "--questions", questions_file(tmp_path, gold="A"))
    said = call(*words, "--sample", "500", "--out", str(tmp_path / "run"))
    assert "--sample 500 takes all: few.jsonl holds 2 questions" in said
    assert "takes all" not in call(*words, "--sample", "2", "--out", str(tmp_path / "run"))


def test_a_run_without_golds_was_run(tmp_path: Path) -> None:
    file = questions_file(tmp_path, gold=None)
    said = call("evaluate", "adjacency", "--questions", file, "--out", str(tmp_path / "run"))
    assert "none: 2 answers without a gold to score against" in said
    assert "nothing was run" not in said


def test_a_place_that_cannot_be_written_is_said_first(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    file = questions_file(tmp_path, gold="A")
    with pytest.raises(RunNotWritten, match="holds no row yet: choose a place") as refused:
        call("evaluate", "adjacency", "--questions", file, "--out", str(blocked / "run"))
    assert "rows so far" not in str(refused.value)


@pytest.mark.parametrize("text", ["{", "", "\x00"])
def test_a_damaged_card_is_of_no_other_version(tmp_path: Path, text: str) -> None:
    folder = write_run(tmp_path / "a", [make_question(0)], {"q0": "A"})
    (folder / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"run\.json cannot be read: ") as refused:
        read_run(folder)
    assert "version" not in str(refused.value)


def test_a_later_card_still_is(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", [make_question(0)], {"q0": "A"})
    card = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (folder / "run.json").write_text(json.dumps({**card, "format": 99}), encoding="utf-8")
    with pytest.raises(InputError, match="of another version"):
        read_run(folder)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("It is hard to say", "no letter could be read"),
        ("A and B", "no letter could be read: several are named"),
        ("Answer: F", "no letter could be read: the one named is no option"),
        ("(b)", ""),
        ("abstain", ""),
    ],
)
def test_an_answer_without_a_letter_is_marked(answer: str, said: str) -> None:
    assert unread_line(ASKED, answer) == said
    console = Console(record=True, width=100)
    said_of = dspy.Prediction(response=respond(answer, ASKED.options, reasoning="because"))
    show_answer(ASKED, Answered(said_of, Usage(), 0.0), console=console)
    assert ("no letter could be read" in console.export_text()) == bool(said)


def test_a_short_answer_needs_no_letter() -> None:
    assert unread_line(ASKED.model_copy(update={"options": {}}), "colchicine") == ""


def test_json_by_the_flag_of_the_other_commands(tmp_path: Path) -> None:
    questions = [make_question(n) for n in range(3)]
    runs = [str(write_run(tmp_path / n, questions, {"q0": "A", "q1": "B"})) for n in ("a", "b")]
    for words in (("compare", *runs), ("rescore", *runs)):
        by_flag = CliRunner().invoke(app, [*words, "--json"]).stdout
        assert json.loads(by_flag)
        assert by_flag == CliRunner().invoke(app, [*words, "--format", "json"]).stdout
