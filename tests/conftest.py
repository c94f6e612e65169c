"""Fixtures that every test may use, and the environment they run in."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

# DSPy opens its answer cache when it is imported: not the user's, one that goes with this run.
os.environ["DSPY_CACHEDIR"] = tempfile.mkdtemp(prefix="qkgram-test-cache-")

from optimize.environment import quiet_environment
from retrievers.embedding import WEIGHTS, SentenceEncoder

quiet_environment()

REPO = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the real data that is never committed; the test is skipped where it is absent."""
    root = Path(os.environ.get("QKGRAM_SHARED", REPO.parent / "shared")) / "data"
    if not root.is_dir():
        pytest.skip("the real data is not on this machine")
    return root


@pytest.fixture(scope="session")
def encoder() -> SentenceEncoder:
    """The encoder of the packaged catalogue, loaded once; skipped where it was not fetched."""
    found = SentenceEncoder()
    if not (found.folder / WEIGHTS).is_file():
        pytest.skip("run: qkgram models fetch all-minilm-l6-v2")
    return found
