"""What a run is made of: everything that changes an answer, and nothing else."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import dspy
from pydantic import BaseModel, JsonValue, TypeAdapter

from optimize.model_spec import ModelSpec
from optimize.rows import digest, trace_of
from optimize.settings import Settings
from optimize.state import program_state, thawed
from signatures.schema import Record

PROGRAM_ROLES = ("reasoner", "validator", "annotator", "reviewer")
"""Roles that a program's steps ask; a judge and a proposer change no answer."""

SAMPLING = frozenset(
    {"temperature", "top_p", "max_tokens", "seed", "structured", "tools", "context_length"}
)
"""Settings of a model that change what it answers. Addresses, keys, waits and threads do not."""


class Identity(Record):
    """Everything that changes an answer besides the question. Two runs with one are one run."""

    program: str
    settings: dict[str, JsonValue]
    """Of the program, of linking and of regions."""
    prompts: str
    """Digest of every predictor's instructions, fields, types and demonstrations."""
    models: dict[str, dict[str, JsonValue]]
    """Role to model id and sampling."""
    graph: str | None
    """Fingerprint of the graph store; `None` for a program without one."""
    version: str
    """Of qkgram."""

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change with any field."""
        return digest(self.model_dump(mode="json"))

    def differences(self, other: Identity) -> tuple[str, ...]:
        """Say what differs, one line per value: `models.reasoner.id: 'a' here, 'b' now`."""
        before, now = dict(_leaves(self.model_dump())), dict(_leaves(other.model_dump()))
        names = sorted(before.keys() | now.keys())
        return tuple(
            f"{name}: {before.get(name)!r} there, {now.get(name)!r} now"
            for name in names
            if before.get(name) != now.get(name)
        )


def identify(
    program: dspy.Module,
    *,
    name: str,
    settings: Settings,
    models: Mapping[str, str],
    graph: str | None,
    options: Mapping[str, Any] | None = None,
) -> Identity:
    """Work out the identity of a run.

    Args:
        program: The program as it will run, compiled state included.
        name: Its name in the registry.
        settings: The settings; only what changes an answer is taken.
        models: Model id per role, as `lm.model`.
        graph: Fingerprint of the store, `None` without one.
        options: Settings of the program itself, as `ProgramSettings` holds them.
    """
    return Identity(
        program=name,
        settings=trace_of(
            {
                "program": dict(options or {}),
                "linking": settings.linking,
                "region": settings.region,
                "reasks": settings.reasks,
            }
        ),
        prompts=prompts_digest(program),
        models={
            role: {"id": models[role], **_sampling(settings.spec(role))}  # type: ignore[arg-type]
            for role in PROGRAM_ROLES
            if role in models
        },
        graph=graph,
        version=qkgram_version(),
    )


def prompts_digest(program: dspy.Module) -> str:
    """Digest what every predictor of the program says to its model.

    Field types count: the docstrings and descriptions of the records they name are in the prompt.
    """
    with thawed(program):
        types = {
            name: {
                field: TypeAdapter(info.annotation).json_schema()
                for field, info in predictor.signature.fields.items()
            }
            for name, predictor in program.named_predictors()
        }
    return digest([type(program).__qualname__, program_state(program), types])


def qkgram_version() -> str:
    """Return the version of the installed package, `unknown` from a bare checkout."""
    try:
        return version("qkgram")
    except PackageNotFoundError:
        return "unknown"


def code_revision() -> str | None:
    """Return the git revision of the code, with a plus when files are changed; `None` outside git.

    A record for the reader of a run. It is no part of the identity: a run outlives a commit.
    """
    here = Path(__file__).resolve().parent
    command = ["git", "-C", str(here), "describe", "--always", "--dirty=+", "--abbrev=12"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found.stdout.strip() or None if found.returncode == 0 else None


def _sampling(spec: ModelSpec) -> dict[str, JsonValue]:
    return {key: value for key, value in spec.model_dump().items() if key in SAMPLING}


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value of a nested mapping with its dotted path."""
    if isinstance(value, BaseModel):
        value = value.model_dump()
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key))
    else:
        yield path, value
