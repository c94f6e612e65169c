"""The prompts of a report's runs, rendered again, and shown only when they are the same ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from optimize.identity import Identity
from programs.registry import PROGRAMS
from signatures.errors import QkgramError

if TYPE_CHECKING:
    import dspy

    from programs.registry import ProgramSettings


def prompts_of(identities: Iterable[Identity]) -> dict[str, Mapping[str, str]]:
    """Return the prompts of the runs by their digest.

    A run keeps a digest of its prompts, not their text. The program is built again, over the
    packaged sample, and its prompts are taken when they have that digest: those of a compiled
    program, of another version or of an unknown program are left out, never guessed.
    """
    found: dict[str, Mapping[str, str]] = {}
    for identity in identities:
        if identity.prompts not in found and identity.program in PROGRAMS:
            texts = _same_prompts(identity)
            if texts:
                found[identity.prompts] = texts
    return found


def program_prompts(
    name: str, options: ProgramSettings | None = None, *, compiled: Path | None = None
) -> tuple[str, dict[str, str]]:
    """Build a program over the packaged sample and return its prompts' digest and texts.

    Raises:
        InputError: The program is unknown.
        QkgramError: A part of it is absent.
    """
    from optimize.identity import prompts_digest
    from optimize.settings import Settings
    from optimize.toolbox import open_program
    from programs.registry import ProgramSettings

    settings = options or ProgramSettings()
    program = open_program(name, Settings(program=settings), compiled=compiled).module
    return prompts_digest(program), rendered(program)


def _same_prompts(identity: Identity) -> Mapping[str, str]:
    try:
        digest, texts = program_prompts(identity.program, _options(identity))
    except (QkgramError, ValidationError):
        return {}
    return texts if digest == identity.prompts else {}


def _options(identity: Identity) -> ProgramSettings:
    """The program's own settings; one that this version does not know is left out."""
    from programs.registry import ProgramSettings

    saved = identity.settings.get("program")
    known = set(ProgramSettings._fields)
    values = saved.items() if isinstance(saved, dict) else ()
    return TypeAdapter(ProgramSettings).validate_python({k: v for k, v in values if k in known})


def rendered(program: dspy.Module) -> dict[str, str]:
    """Render every predictor's prompt as the product's own adapter sends it."""
    import dspy

    from optimize.adapter import QkgramAdapter
    from optimize.prompts import prompt_texts

    with dspy.context(adapter=QkgramAdapter()):
        return prompt_texts(program)
