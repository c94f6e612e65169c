"""Saved programs: one JSON file with the state of every predictor and a card.

Nothing is pickled and no language model is saved: a model belongs to the settings that a program
runs under, and an address or a key in a program file would follow it to other machines.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import dspy
from pydantic import JsonValue, ValidationError

from optimize.before_after import BeforeAfter
from optimize.scrub import Scrubber
from optimize.state import ADDRESSES, FieldNames, apply_state, field_names, program_state
from signatures.errors import MissingError, ProgramStateError
from signatures.schema import Record, Usage

FORMAT = 1
"""Version of the file; a reader refuses a later one."""


class SplitCard(Record):
    """Which examples were used."""

    n: int
    fingerprint: str
    """SHA-256 of the examples, whatever their order."""


class Card(Record):
    """How a saved program came to be."""

    program: str
    """Name in the program registry."""
    predictor: str | None = None
    """The predictor that was compiled alone; `None` when all were."""
    settings: dict[str, JsonValue] = {}
    """Settings of the program, without secrets."""
    optimizer: str
    options: dict[str, JsonValue] = {}
    seed: int
    train: SplitCard
    dev: SplitCard
    test: SplitCard | None = None
    """`None` when nothing was reported."""
    splits: str | None = None
    """Fingerprint of the splits of the question set."""
    overlap: tuple[str, ...] = ()
    """Questions that parts share and that the user let pass; empty is as it should be."""
    metric: str
    baseline: float | None = None
    """Dev score of the program before compiling, from 0 to 1."""
    score: float | None = None
    """Dev score of the program in this file, from 0 to 1."""
    kept: str = "before"
    """Which candidate this is: `before`, or the name of a later one."""
    complete: bool = False
    """False while the study runs, and for good when it was stopped early."""
    models: dict[str, str] = {}
    """Language model per role."""
    graph: str | None = None
    """Fingerprint of the graph store."""
    teacher: str | None = None
    components: tuple[str, ...] = ()
    """Predictors whose instructions could be rewritten; empty: none was, or there is one alone."""
    reported: BeforeAfter | None = None
    """Test scores of the program as it was and of the one in this file."""
    usage: Usage | None = None
    """What all calls of the study spent, those before a resume included."""
    dspy: str = version("dspy")
    fields: dict[str, FieldNames] = {}
    """Filled in when the program is saved."""


def save_program(program: dspy.Module, path: Path, *, card: Card) -> Card:
    """Write the program to `path` and return the card that was written. The file is never torn.

    Raises:
        ProgramStateError: the state holds a model, an address, a secret or a value without JSON.
    """
    scrubber = Scrubber()
    written = card.model_copy(
        update={
            "fields": field_names(program),
            "settings": _without_addresses(scrubber.mapping(card.settings)),
            "options": scrubber.mapping(card.options),
        }
    )
    state = program_state(program)
    text = json.dumps(
        {"format": FORMAT, "card": written.model_dump(mode="json"), "state": state},
        indent=2,
        ensure_ascii=False,
    )
    if scrubber.holds_secret(text):
        raise ProgramStateError(
            "a program must hold no secret, its prompts or demonstrations do; "
            "take the key out of the questions or prompts and compile again"
        )
    _replace(path, text + "\n")
    return written


def load_program(program: dspy.Module, path: Path, *, name: str | None = None) -> Card:
    """Put a saved state into `program`, in place, and return its card.

    Args:
        program: A program of the shape that was saved; it keeps its own language models.
        path: File that `save_program` wrote.
        name: Registry name of `program`; refused when the file is another program's.

    Raises:
        MissingError: there is no such file.
        ProgramStateError: the file is no saved program, or its predictors or field names differ.
    """
    card, state = _read(path)
    if name is not None and card.program != name:
        raise ProgramStateError(
            f"{path} holds program {card.program!r}, not {name!r}; use --program {card.program}"
        )
    _check_fields(card.fields, field_names(program), path=path)
    apply_state(program, state)
    return card


def read_card(path: Path) -> Card:
    """Return the card of a saved program; errors as in `load_program`."""
    return _read(path)[0]


def _without_addresses(settings: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        key: _without_addresses(value) if isinstance(value, dict) else value
        for key, value in settings.items()
        if key not in ADDRESSES
    }


def _check_fields(
    saved: Mapping[str, FieldNames], here: Mapping[str, FieldNames], *, path: Path
) -> None:
    if set(saved) != set(here):
        names = ", ".join(sorted(set(saved) ^ set(here)))
        raise ProgramStateError(
            f"{path} and this program must have the same predictors, they differ in {names}; "
            "compile it again"
        )
    for name, fields in saved.items():
        if fields != here[name]:
            raise ProgramStateError(
                f"{path} was saved with fields {_words(fields)} for predictor {name}, this version "
                f"has {_words(here[name])}; compile it again"
            )


def _words(fields: FieldNames) -> str:
    return f"{', '.join(fields.inputs)} -> {', '.join(fields.outputs)}"


def _read(path: Path) -> tuple[Card, Mapping[str, JsonValue]]:
    if not path.is_file():
        raise MissingError(f"there is no saved program at {path}; make one with: qkgram compile")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ProgramStateError(
                f"{path} is no saved program of format {FORMAT}; make one with: qkgram compile"
            )
        card = Card.model_validate(content["card"])
        return card, dict(content["state"])
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        first = str(error).splitlines()[0]
        raise ProgramStateError(
            f"{path} cannot be read as a saved program ({first}); make one with: qkgram compile"
        ) from error


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    try:
        with partial.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(path)
    finally:
        with suppress(FileNotFoundError):
            partial.unlink()
