"""Abbreviations that a text defines for itself: "spinal and bulbar muscular atrophy (SBMA)".

The algorithm of Schwartz and Hearst (2003, *A simple algorithm for identifying abbreviation
definitions in biomedical text*): walk both forms from the right; every character of the short form
must be found in order in the long form, and the first must begin a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MIN_SHORT, MAX_SHORT = 2, 10
"""Length of a short form in characters, as in the paper."""

_PARENTHESIS = re.compile(r"\(([^()]{2,80})\)")


class Definition(NamedTuple):
    """A long form, the short form defined for it, and where the long form stands."""

    long: str
    short: str
    start: int
    end: int


def definitions(text: str) -> tuple[Definition, ...]:
    """Return the definitions of a text, in order; the first one of a short form counts.

    >>> [d[:2] for d in definitions("Type 2 diabetes mellitus (T2DM) and CKD.")]
    [('Type 2 diabetes mellitus', 'T2DM')]
    >>> [d[:2] for d in definitions("She takes SBMA (spinal and bulbar muscular atrophy) pills")]
    [('spinal and bulbar muscular atrophy', 'SBMA')]
    """
    found: dict[str, Definition] = {}
    for match in _PARENTHESIS.finditer(text):
        definition = _before(text, match) or _inside(text, match)
        if definition is not None:
            found.setdefault(definition.short, definition)
    return tuple(found.values())


def spelt_out(names: Iterable[str], text: str) -> list[str]:
    """Replace names that are abbreviations which `text` defines by their long forms.

    >>> spelt_out(["SBMA", "gout"], "spinal and bulbar muscular atrophy (SBMA)")
    ['spinal and bulbar muscular atrophy', 'gout']
    """
    known = {definition.short: definition.long for definition in definitions(text)}
    return [known.get(name.strip(), name) for name in names]


def long_form(short: str, before: str) -> str | None:
    """Return the shortest tail of `before` that spells out `short`, or `None`.

    >>> long_form("CKD", "a man with chronic kidney disease")
    'chronic kidney disease'
    >>> long_form("HTN", "given at 65") is None
    True
    """
    at = len(before)
    for position in range(len(short) - 1, -1, -1):
        wanted = short[position].lower()
        if not wanted.isalnum():
            continue
        at -= 1
        while at >= 0 and not _fits(before, at, wanted, first=position == 0):
            at -= 1
        if at < 0:
            return None
    return before[at:].strip()


def _fits(before: str, at: int, wanted: str, *, first: bool) -> bool:
    begins = at == 0 or not before[at - 1].isalnum()
    return before[at].lower() == wanted and (begins or not first)


def _before(text: str, match: re.Match[str]) -> Definition | None:
    short = re.split(r"[;,]", match.group(1))[0].strip()
    if not _is_short(short):
        return None
    words = min(len(short) + 5, 2 * len(short))
    window = re.split(r"[.;:!?]\s|[()]", text[: match.start()])[-1].rstrip()
    tail = re.search(rf"(?:\S+\s+){{0,{words - 1}}}\S+$", window)
    long = long_form(short, tail.group()) if tail else None
    if long is None or len(long) <= len(short) or len(long.split()) > words:
        return None
    start = text.rindex(long, 0, match.start())
    return Definition(long, short, start, start + len(long))


def _inside(text: str, match: re.Match[str]) -> Definition | None:
    word = re.search(r"([A-Za-z][\w-]*)\s*$", text[: match.start()])
    inner = match.group(1).strip()
    if word is None or not _is_short(word.group(1)) or len(inner.split()) < 2:
        return None
    if long_form(word.group(1), inner) != inner:
        return None
    start = match.start(1) + match.group(1).index(inner)
    return Definition(inner, word.group(1), start, start + len(inner))


def _is_short(form: str) -> bool:
    size = MIN_SHORT <= len(form) <= MAX_SHORT and len(form.split()) <= 2
    return size and form[0].isalnum() and sum(ch.isupper() for ch in form) >= 2
