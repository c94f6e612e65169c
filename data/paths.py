"""Where packaged data lies and where downloads may go. Nothing is created at import."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def sample_dir() -> Path:
    """Return the folder of the packaged sample graph, constraints and questions."""
    return Path(__file__).with_name("sample")


def cache_home() -> Path:
    """Return the folder for models and caches; it may not exist yet.

    The environment variable `QKGRAM_HOME` names it; without it, the user's cache folder is used.
    """
    named = os.environ.get("QKGRAM_HOME")
    return Path(named).expanduser() if named else Path(platformdirs.user_cache_dir("qkgram"))
