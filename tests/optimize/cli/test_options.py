"""Flags that commands share: settings by name, presets, and what a run keeps of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner, Result

from optimize.cli.main import app
from optimize.cli.options import PROGRAM_NAMES, read_pairs, takes_settings
from optimize.runs import read_run
from optimize.settings import Settings
from signatures.errors import InputError, SettingsError, StoreNotFound
from tests.support.cache import memory_cache
from tests.support.fake_openai import FakeOpenAI

REPLY = json.dumps({"reasoning": "because", "answer": "B"})


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    with memory_cache():
        yield tmp_path


@pytest.fixture
def fake(place: Path) -> Iterator[FakeOpenAI]:
    with FakeOpenAI(lambda body: REPLY) as server:
        text = f'[model]\nmodel="toy"\napi_base="{server.url}"\ncache=false\nretries=0\n'
        (place / "qkgram.toml").write_text(text)
        yield server


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_a_command_gets_the_settings_of_its_flags(place: Path) -> None:
    seen: list[tuple[str, Settings, dict[str, object]]] = []
    toy = typer.Typer()

    @toy.command()
    @takes_settings(undotted="options")
    def act(
        name: Annotated[str, typer.Argument()],
        *,
        options: dict[str, object],
        settings: Settings,
    ) -> None:
        """Act."""
        seen.append((name, settings, options))

    flags = ["--max-calls", "3", "--preset", "paper-regram", "--set", "region.k=4", "--set", "a=x"]
    result = CliRunner().invoke(toy, ["me", *flags])
    assert result.exit_code == 0, (result.output, result.exception)
    name, settings, options = seen[0]
    assert (name, options) == ("me", {"a": "x"})
    assert (settings.budget.max_calls, settings.region.k) == (3, 4)
    assert settings.preset == "paper-regram"
    assert CliRunner().invoke(toy, ["--help"]).stdout.count("--set") == 1


@pytest.mark.parametrize("pair", ["region.k", "=3", " =3"])
def test_a_pair_needs_a_name_and_a_value(pair: str) -> None:
    with pytest.raises(InputError, match="takes NAME=VALUE"):
        read_pairs([pair], example="region.k=10")


def test_values_are_read_as_json_where_they_are() -> None:
    given = ["a=true", "b=null", "c=0.5", "d=agent", "e=[1]", "f=x=y", "g="]
    assert list(read_pairs(given, example="a=1").values()) == [
        True,
        None,
        0.5,
        "agent",
        [1],
        "x=y",
        "",
    ]


@pytest.mark.parametrize("command", [["evaluate", "direct"], ["ask", "Why?"], ["ablate", "qkg"]])
@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--set", "program.max_hop=2"], "did you mean 'max_hops'"),
        (["--set", "program.max_hops=none"], "program.max_hops"),
        (["--preset", "paper"], "use one of default, paper-qkg, paper-regram"),
    ],
)
def test_a_wrong_setting_is_said_by_every_command(
    place: Path, command: list[str], flags: list[str], said: str
) -> None:
    more = ["--study", "qkg", "--out", "o"] if command[0] == "ablate" else []
    result = call(*command, *more, *flags)
    assert isinstance(result.exception, SettingsError)
    assert said in str(result.exception)
    assert "\n" not in str(result.exception)


def test_a_run_keeps_preset_and_settings_and_a_change_is_another_run(
    place: Path, fake: FakeOpenAI
) -> None:
    asked = ["evaluate", "direct", "--sample", "1", "--out", "r"]
    result = call(*asked, "--preset", "paper-regram", "--set", "region.k=9")
    assert result.exit_code == 0, (result.output, result.exception)
    card = read_run(place / "r").card
    assert card.preset == "paper-regram, but region.k=9"
    assert card.identity.settings["region"]["k"] == 9
    assert card.identity.models["reasoner"]["temperature"] == 0.3
    body = fake.requests[0].body
    assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.3, 0.9, 1024)
    other = call(*asked, "--preset", "paper-regram")
    assert "region.k: 9 there, 15 now" in str(other.exception)
    deeper = call(*asked, "--preset", "paper-regram", "--set", "region.k=9", "--max-hops", "2")
    assert "program.max_hops: 3 there, 2 now" in str(deeper.exception)


def test_flags_of_the_file_are_used_by_a_run(place: Path, fake: FakeOpenAI) -> None:
    with (place / "qkgram.toml").open("a") as file:
        file.write("[program]\nunmet = 'downweight'\nmax_hops = 5\n")
    result = call("evaluate", "direct", "--sample", "1", "--out", "r", "--no-context")
    assert result.exit_code == 0, (result.output, result.exception)
    program = read_run(place / "r").card.identity.settings["program"]
    assert (program["unmet"], program["max_hops"], program["use_context"]) == (
        "downweight",
        5,
        False,
    )
    assert read_run(place / "r").card.preset is None


@pytest.mark.parametrize(
    ("words", "blamed"),
    [
        (("--max-minutes", "-1"), "--max-minutes: budget.max_minutes: "),
        (("--max-cost", "0"), "--max-cost: budget.max_cost: "),
        (("--set", "region.k=0"), "--set region.k: wanted at least 1"),
    ],
)
def test_a_wrong_flag_is_blamed_and_not_the_file(
    place: Path, words: tuple[str, ...], blamed: str
) -> None:
    (place / "qkgram.toml").write_text("[budget]\nmax_calls = 3\n")
    error = call("evaluate", "direct", *words).exception
    assert isinstance(error, SettingsError)
    assert str(error).startswith(blamed)


def test_a_wrong_file_and_a_wrong_variable_are_blamed_by_name(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "qkgram.toml").write_text("[budget]\nmax_minutes = -1\n")
    error = call("evaluate", "direct").exception
    assert str(error).startswith("qkgram.toml: budget.max_minutes")
    (place / "qkgram.toml").write_text("")
    monkeypatch.setenv("QKGRAM_API_BASE", "nowhere")
    assert str(call("evaluate", "direct").exception).startswith("QKGRAM_API_BASE: ")


def test_help_names_every_program() -> None:
    from programs.registry import PROGRAMS

    names = PROGRAM_NAMES.replace(" or ", ", ").split(", ")
    assert names == sorted(PROGRAMS)
    for command in ("ask", "evaluate", "ablate", "compile"):
        words = call(command, "--help").stdout.replace("│", " ").split()
        assert set(PROGRAMS) <= {word.strip(",.") for word in words}


def test_a_graph_that_no_step_uses_is_said_to_be_unused(fake: FakeOpenAI) -> None:
    result = call("ask", "Why?", "--program", "direct", "--graph", "nowhere")
    assert result.exit_code == 0
    assert "--graph is not used: the program direct needs no graph" in result.stderr
    assert "--graph" not in call("ask", "Why?", "--program", "direct").stderr
    assert isinstance(call("ask", "Why?", "--graph", "nowhere").exception, StoreNotFound)
