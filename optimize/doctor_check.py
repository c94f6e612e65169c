"""What one check of `qkgram doctor` says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from signatures.errors import QkgramError
from signatures.schema import Record

Verdict = Literal["ok", "warn", "wrong"]
"""`wrong` stops a command that needs it; `warn` is worth a look and stops nothing."""


class Check(Record):
    """One thing that was looked at."""

    about: str
    verdict: Verdict
    found: str
    advice: str = ""
    """What to do; empty when nothing is to be done."""


def ok(about: str, found: str, advice: str = "") -> Check:
    """Say that a thing is as it should be."""
    return Check(about=about, verdict="ok", found=found, advice=advice)


def warn(about: str, found: str, advice: str) -> Check:
    """Say that a thing deserves a look."""
    return Check(about=about, verdict="warn", found=found, advice=advice)


def wrong(about: str, found: str, advice: str) -> Check:
    """Say that a thing must be mended before it is used."""
    return Check(about=about, verdict="wrong", found=found, advice=advice)


def refused(about: str, error: QkgramError) -> Check:
    """Turn an error of ours into a check: what came before the semicolon, the remedy after it.

    >>> refused("store", QkgramError("no graph store at s; run: qkgram kg build CSV s")).advice
    'run: qkgram kg build CSV s'
    """
    found, _, advice = str(error).partition("; ")
    return wrong(about, found, advice or "correct it as the message says")


def is_sound(checks: Iterable[Check]) -> bool:
    """Tell whether nothing is wrong; warnings do not count."""
    return all(check.verdict != "wrong" for check in checks)


def standing(path: Path) -> Path:
    """Return the nearest place above a path, or the path itself, that exists."""
    absolute = path.expanduser().absolute()
    return next(place for place in (absolute, *absolute.parents) if place.exists())
