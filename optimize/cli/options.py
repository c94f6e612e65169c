"""Flags that several commands share, and the settings they make.

    @takes_settings()
    def some_command(name: Annotated[str, typer.Argument()], *, settings: Settings) -> None: ...

gives a command `--graph`, `--model`, `--config`, `--preset`, `--set` and the budget, and calls it
with the settings they make. Settings always have a dot in `--set`, but for a few at the top.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer
from pydantic import JsonValue

from data.wording import counted
from signatures.errors import InputError

if TYPE_CHECKING:
    from optimize.running import Selection
    from optimize.settings import Settings
    from signatures.schema import Question

GraphOption = Annotated[
    Path | None, typer.Option("--graph", help="Graph store; default: the packaged sample.")
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", help="Model of every role: local, local:NAME, openai/NAME …"),
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Settings file; default: ./qkgram.toml if present.")
]
PresetOption = Annotated[
    str | None, typer.Option("--preset", help="default, paper-regram or paper-qkg; flags go first.")
]
QuestionsOption = Annotated[
    Path | None, typer.Option(help="JSONL, CSV or MedQA's JSON; default: the packaged sample.")
]
SplitOption = Annotated[
    Literal["train", "dev", "test"] | None, typer.Option(help="Only questions of this split.")
]
SampleOption = Annotated[
    int | None, typer.Option(min=1, help="That many questions, drawn by --seed; nested.")
]
SeedOption = Annotated[int, typer.Option(help="Which sample.")]
ThreadsOption = Annotated[int, typer.Option(min=1, help="Questions at a time.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON for a script.")]

PROGRAM_NAMES = "adjacency, direct, kgarevion, qkg, qkgram or regram"
"""The programs of `programs.registry`, which is not imported for a help text; a test compares."""

MaxCallsOption = Annotated[int | None, typer.Option(min=1, help="Calls of this command.")]
MaxTokensOption = Annotated[int | None, typer.Option(min=1, help="Tokens of this command.")]
MaxCostOption = Annotated[float | None, typer.Option(help="US dollars of this command.")]
MaxMinutesOption = Annotated[float | None, typer.Option(help="Minutes of this command.")]

BUDGET: Mapping[str, Any] = {
    "max_calls": MaxCallsOption,
    "max_tokens": MaxTokensOption,
    "max_cost": MaxCostOption,
    "max_minutes": MaxMinutesOption,
}
"""What a command may spend, by setting of `budget`."""

_SHARED: Mapping[str, Any] = {
    **BUDGET,
    "graph": GraphOption,
    "model": ModelOption,
    "config": ConfigOption,
    "preset": PresetOption,
}

_SET_HELP = "Any setting: program.max_hops=2, region.k=10, model.temperature=0.3; repeat."

Command = Callable[..., None]


def takes_settings(*, undotted: str | None = None, about: str = "") -> Callable[[Command], Command]:
    """Give a command the flags that make its `settings`, and call it with them.

    Args:
        undotted: Parameter of the command that gets the pairs of `--set` whose name has no dot;
            `None`: they are settings as well.
        about: What such pairs are, for the help of `--set`.
    """
    filled = {"settings", undotted}
    pairs = Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help=_SET_HELP + about)
    ]

    def give(command: Command) -> Command:
        hints = get_type_hints(command, localns={"Settings": Any}, include_extras=True)
        own = [p for p in inspect.signature(command).parameters.values() if p.name not in filled]

        @wraps(command)
        def run(**given: Any) -> None:
            sets = read_pairs(given.pop("set_") or (), example="region.k=10")
            kept = {name: sets.pop(name) for name in list(sets) if undotted and "." not in name}
            shared = {name: given.pop(name) for name in _SHARED}
            more = {undotted: kept} if undotted else {}
            if shared["graph"] is not None and "program" in given:
                note_unused_graph(given["program"])
            command(**given, **more, settings=_settings(**shared, sets=sets))

        flags = {**{p.name: hints[p.name] for p in own}, **_SHARED, "set_": pairs}
        _declare(run, flags, {p.name: p.default for p in own})
        return run

    return give


def note_unused_graph(program: str) -> None:
    """Say on standard error that `--graph` is without use, for a program that needs no graph.

    Raises:
        InputError: The program is unknown.
    """
    from programs.registry import program_spec

    if not program_spec(program).needs_graph:
        sys.stderr.write(f"qkgram: --graph is not used: the program {program} needs no graph\n")


def _declare(run: Command, flags: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """Say which flags a command has; those without a default of their own have none."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, keyword, default=defaults.get(name), annotation=flag)
            for name, flag in flags.items()
        ]
    )
    run.__annotations__ = dict(flags)


def read_settings(
    config: Path | None, *, graph: Path | None = None, model: str | None = None
) -> Settings:
    """Return the settings of `config`, or of `qkgram.toml` here, with the flags on top."""
    from optimize.settings import load_settings

    return load_settings(config, {"graph": graph, "model": model})


def choose_questions(
    file: Path | None, *, split: str | None, sample: int | None, seed: int
) -> tuple[tuple[Question, ...], Selection]:
    """Read the questions that the flags select, and say which they are; default: the sample."""
    from data.paths import sample_dir
    from data.questions import read_questions, select

    path = file or sample_dir() / "questions.jsonl"
    chosen = select(read_questions(path), split=split, sample=sample, seed=seed)
    if sample is not None and sample > len(chosen):
        of_split = f" of split {split}" if split else ""
        sys.stderr.write(
            f"qkgram: --sample {sample} takes all: {path.name} holds "
            f"{counted(len(chosen), 'question')}{of_split}\n"
        )
    return chosen, {"file": path.name, "split": split, "sample": sample, "seed": seed}


def read_pairs(given: Iterable[str], *, example: str) -> dict[str, JsonValue]:
    """Read NAME=VALUE pairs; a value that is JSON is read as such.

    >>> read_pairs(["max_rounds=2", "init_temperature=0.7", "auto=light"], example="a=1")
    {'max_rounds': 2, 'init_temperature': 0.7, 'auto': 'light'}

    Raises:
        InputError: One is no such pair.
    """
    pairs: dict[str, JsonValue] = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--set takes NAME=VALUE, got {pair!r}; for example {example}")
        try:
            pairs[name.strip()] = json.loads(text)
        except ValueError:
            pairs[name.strip()] = text.strip()
    return pairs


def _settings(
    *,
    graph: Path | None,
    model: str | None,
    config: Path | None,
    preset: str | None,
    sets: Mapping[str, JsonValue],
    **budget: float | None,
) -> Settings:
    from optimize.settings import load_settings

    flags = {"graph": graph, "model": model}
    limits = {f"budget.{name}": limit for name, limit in budget.items()}
    return load_settings(config, {**flags, **limits}, preset=preset, sets=sets)
