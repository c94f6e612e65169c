"""Every prompt, rendered byte for byte as a model receives it.

A prompt changes on purpose only: `QKGRAM_SNAPSHOTS=update pytest tests/signatures` writes the files
anew, and the difference is read before it is committed.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from pathlib import Path

import dspy
import pytest

import signatures
from optimize.adapter import QkgramAdapter
from signatures.decomposition import WORKED_DEMONSTRATION, DecomposeQuestion

SNAPSHOTS = Path(__file__).parent / "snapshots"


def all_signatures() -> list[type[dspy.Signature]]:
    modules = [
        importlib.import_module(f"signatures.{info.name}")
        for info in pkgutil.iter_modules(signatures.__path__)
    ]
    found = {
        value.__name__: value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, dspy.Signature)
        and value is not dspy.Signature
    }
    return [found[name] for name in sorted(found)]


def render(signature: type[dspy.Signature]) -> str:
    demos = [WORKED_DEMONSTRATION] if signature is DecomposeQuestion else []
    inputs = {name: f"<{name}>" for name in signature.input_fields}
    messages = QkgramAdapter().format(signature, demos, inputs)
    return "\n".join(f"[{m['role']}]\n{m['content']}" for m in messages) + "\n"


@pytest.mark.parametrize("signature", all_signatures(), ids=lambda s: s.__name__)
def test_prompt_is_the_pinned_one(signature: type[dspy.Signature]) -> None:
    pinned = SNAPSHOTS / f"{signature.__name__}.txt"
    if os.environ.get("QKGRAM_SNAPSHOTS") == "update":
        pinned.parent.mkdir(exist_ok=True)
        pinned.write_text(render(signature), encoding="utf-8")
    assert render(signature) == pinned.read_text(encoding="utf-8")


def test_no_snapshot_is_left_over() -> None:
    names = {signature.__name__ for signature in all_signatures()}
    assert {path.stem for path in SNAPSHOTS.glob("*.txt")} == names
