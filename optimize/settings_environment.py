"""Environment variables that are settings, and those that look like one and are none."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from difflib import get_close_matches

ENVIRONMENT: Mapping[str, str] = {
    "QKGRAM_GRAPH": "graph",
    "QKGRAM_MODEL": "model",
    "QKGRAM_API_BASE": "model.api_base",
    "QKGRAM_API_KEY_ENV": "model.api_key_env",
    "QKGRAM_RESPONSE_CACHE": "response_cache",
}
"""Environment variable to setting. `QKGRAM_HOME` moves the default folders (see `data.paths`)."""

_PREFIX = "QKGRAM_"

_USER = frozenset({*ENVIRONMENT, "QKGRAM_HOME", "QKGRAM_MIRROR"})
"""Variables that a user may set: settings, the folder of caches, packages instead of the hub."""

_TESTS = frozenset({"QKGRAM_SHARED", "QKGRAM_SNAPSHOTS"})
"""Variables that only the tests read."""

_log = logging.getLogger(__name__)


def unknown_variables(names: Collection[str], *, keys: Collection[str] = ()) -> tuple[str, ...]:
    """Return those of ours by their name that nothing reads, sorted.

    Args:
        names: Names of environment variables.
        keys: Variables that hold a key, by the settings.

    >>> unknown_variables(["QKGRAM_GRPH", "QKGRAM_GRAPH", "HOME"])
    ('QKGRAM_GRPH',)
    """
    known = {*_USER, *_TESTS, *keys}
    return tuple(sorted(name for name in names if name.startswith(_PREFIX) and name not in known))


def note_unknown(names: Collection[str], *, keys: Collection[str] = ()) -> None:
    """Log one line for each variable that looks like a setting and is none; values are not shown.

    No error: the variable may hold a key that another settings file names.
    """
    for name in unknown_variables(names, keys=keys):
        _log.warning("qkgram: %s is not used: %s", name, _suggestion(name))


def _suggestion(name: str) -> str:
    """Name the nearest variable, by what follows the prefix that all share, or list them.

    >>> _suggestion("QKGRAM_GRPH")
    'did you mean QKGRAM_GRAPH?'
    """
    words = sorted(known.removeprefix(_PREFIX) for known in _USER)
    near = get_close_matches(name.removeprefix(_PREFIX), words, n=1, cutoff=0.7)
    if near:
        return f"did you mean {_PREFIX}{near[0]}?"
    return f"known are {', '.join(sorted(_USER))}; any other setting is given with --set"
