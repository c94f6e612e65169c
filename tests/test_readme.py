"""What the README and the guides show is true: commands parse, settings load, files exist."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer.main

from data.primekg import read_constraints
from data.questions import read_questions
from optimize.cli.main import app
from optimize.settings import load_settings
from programs.registry import PROGRAMS
from tests.support.documents import (
    DOCUMENTS,
    README,
    REPO,
    anchors,
    blocks,
    lines,
    links,
    words_of,
)

TEXT = README.read_text(encoding="utf-8")
OTHERS = {"make", "grep"}
"""First words of commands that are not ours."""

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)


def commands() -> list[list[str]]:
    """Every command of the bash blocks, as words."""
    found = [words_of(line) for document in DOCUMENTS for line in lines(document)]
    return [words for words in found if words]


def ours(document: Path = README) -> list[list[str]]:
    return [words for line in lines(document) if (words := words_of(line))[:1] == ["qkgram"]]


@pytest.mark.parametrize(
    "words", [w for w in commands() if w[0] == "qkgram"], ids=lambda words: " ".join(words)[:60]
)
def test_a_command_parses(words: list[str]) -> None:
    command, name, rest = typer.main.get_command(app), "qkgram", words[1:]
    context = command.make_context(name, list(rest))
    while hasattr(command, "resolve_command"):
        name, command, rest = command.resolve_command(context, rest)
        context = command.make_context(name, list(rest), parent=context)


def test_other_commands_are_few_and_the_targets_of_make_exist() -> None:
    others = [words for words in commands() if words[0] != "qkgram"]
    assert {words[0] for words in others} <= OTHERS
    makefile = (REPO / "Makefile").read_text(encoding="utf-8")
    targets = [target for words in others if words[0] == "make" for target in words[1:]]
    assert targets == ["demo", "test"]
    assert all(f"\n{target}:" in makefile for target in targets)


def test_every_command_is_in_the_readme() -> None:
    group = typer.main.get_command(app)
    shown = {words[1] for words in ours()}
    assert set(group.commands) - shown == {"demo"}, "make demo runs it"  # type: ignore[attr-defined]
    graph = group.commands["kg"].commands  # type: ignore[attr-defined]
    assert set(graph) == {words[2] for words in ours() if words[1] == "kg"}


def test_every_program_is_in_the_table() -> None:
    table = TEXT.split("## Programs")[1].split("## Settings")[0]
    names = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(names) == sorted(PROGRAMS)


def settings_blocks() -> list[str]:
    return [text for document in DOCUMENTS for text in blocks(document, "toml")]


@pytest.mark.parametrize("text", settings_blocks(), ids=lambda text: text.splitlines()[0][:40])
def test_settings_load(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QKGRAM_MODEL", "QKGRAM_API_BASE", "QKGRAM_GRAPH"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "qkgram.toml"
    file.write_text(text, encoding="utf-8")
    found = load_settings(file)
    if "[roles.validator]" in text:
        assert found.spec("validator").api_base == "http://127.0.0.1:8000/v1"
    assert found != load_settings(overrides={"model": "local"})


def test_the_shapes_of_the_guide_are_read(tmp_path: Path) -> None:
    shown = [text for document in DOCUMENTS for text in blocks(document, "json")]
    items = tmp_path / "items.jsonl"
    items.write_text(next(text for text in shown if "relation_constraints" in text))
    assert [line.items[0].applicability for line in read_constraints(items)] == [
        "Definitely NOT Applicable"
    ]
    mine = tmp_path / "mine.jsonl"
    mine.write_text(next(text for text in shown if "relation_constraints" not in text))
    (question,) = read_questions(mine)
    assert (question.gold, question.labelled, question.split) == ("B", True, "test")
    assert len(shown) == 2 and all(json.loads(text) for text in shown)


@each_document
def test_links_lead_somewhere(document: Path) -> None:
    for target in links(document):
        name, _, anchor = target.partition("#")
        file = document.parent / name if name else document
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_the_files_to_touch_exist() -> None:
    import re

    table = TEXT.split("## Where to add things")[1]
    places = re.findall(r"`([a-z]+/[a-z_/]*(?:\.py)?)`", table)
    assert len(places) >= 8
    assert [place for place in places if not (REPO / place).exists()] == []
