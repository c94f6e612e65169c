"""What the README shows is true: commands parse, settings load, files exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from optimize.cli.main import app
from optimize.settings import load_settings

REPO = Path(__file__).resolve().parent.parent
README = (REPO / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def commands() -> list[list[str]]:
    """Every `qkgram …` command of the bash blocks, as words."""
    found = [shlex.split(text, comments=True) for block in blocks("bash") for text in _texts(block)]
    return [words for words in found if words and words[0] == "qkgram"]


def _texts(block: str) -> list[str]:
    """Split a block into commands: a command goes on while a quote is open."""
    texts: list[str] = []
    for line in block.splitlines():
        if texts and texts[-1].count('"') % 2:
            texts[-1] += "\n" + line
        else:
            texts.append(line)
    return texts


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(words)[:60])
def test_a_command_of_the_readme_parses(words: list[str]) -> None:
    command, name, rest = typer.main.get_command(app), "qkgram", words[1:]
    context = command.make_context(name, list(rest))
    while hasattr(command, "resolve_command"):
        name, command, rest = command.resolve_command(context, rest)
        context = command.make_context(name, list(rest), parent=context)


def test_the_readme_shows_commands() -> None:
    assert {words[1] for words in commands()} >= {"ask", "region", "link", "evaluate", "compile"}


@pytest.mark.parametrize("text", blocks("toml"))
def test_the_settings_of_the_readme_load(tmp_path: Path, text: str) -> None:
    file = tmp_path / "qkgram.toml"
    file.write_text(text, encoding="utf-8")
    assert load_settings(file).spec("validator").api_base == "http://127.0.0.1:8000/v1"


def test_the_files_to_touch_exist() -> None:
    table = README.split("## Where to add things")[1]
    places = re.findall(r"`([a-z]+/[a-z_/]*(?:\.py)?)`", table)
    assert len(places) >= 6
    assert [place for place in places if not (REPO / place).exists()] == []
