"""Reader for the UMLS tables that a user brings: names of concepts, and which is broader.

UMLS needs a licence of one's own, so nothing of it is packaged. MRCONSO.RRF has a line per name,
MRREL.RRF a line per relation; both are read line by line and never held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from data.rrf import read_rrf

MRCONSO = (
    "CUI", "LAT", "TS", "LUI", "STT", "SUI", "ISPREF", "AUI", "SAUI", "SCUI", "SDUI", "SAB", "TTY",
    "CODE", "STR", "SRL", "SUPPRESS", "CVF",
)  # fmt: skip
"""Columns of MRCONSO.RRF (UMLS Reference Manual, chapter 3.3.4)."""
MRREL = (
    "CUI1", "AUI1", "STYPE1", "REL", "CUI2", "AUI2", "STYPE2", "RELA", "RUI", "SRUI", "SAB", "SL",
    "RG", "DIR", "SUPPRESS", "CVF",
)  # fmt: skip
"""Columns of MRREL.RRF (UMLS Reference Manual, chapter 3.3.9)."""

ENGLISH = "ENG"
SHOWN = "N"
"""SUPPRESS of what is not obsolete or otherwise suppressed."""
PARENT = "PAR"
"""REL of a row whose second concept is a parent of the first."""
NO_CODE = "NOCODE"


class Atom(NamedTuple):
    """One name of one concept in one vocabulary."""

    cui: str
    name: str
    vocabulary: str
    """SAB: `SNOMEDCT_US`, `MSH`, `HPO`, `DRUGBANK` …"""
    code: str
    """The concept's identifier there; empty where the vocabulary has none."""


def read_atoms(path: Path, *, vocabularies: frozenset[str] | None = None) -> Iterator[Atom]:
    """Yield the English names that are not suppressed.

    Args:
        path: MRCONSO.RRF, gzipped or not.
        vocabularies: SABs to keep; `None` keeps all.

    Raises:
        InputError: The file cannot be read or has other columns; the message names the line.
    """
    wanted = ("CUI", "STR", "SAB", "CODE", "LAT", "SUPPRESS")
    for cui, name, vocabulary, code, language, suppressed in read_rrf(path, MRCONSO, wanted):
        if language != ENGLISH or suppressed != SHOWN or not name.strip():
            continue
        if vocabularies is None or vocabulary in vocabularies:
            yield Atom(cui, name, vocabulary, "" if code == NO_CODE else code)


def read_broader(path: Path, *, vocabularies: frozenset[str] | None = None) -> Iterator[list[str]]:
    """Yield child and parent of every pair of concepts in MRREL.RRF, repeats included.

    Raises:
        InputError: The file cannot be read or has other columns; the message names the line.
    """
    wanted = ("CUI1", "CUI2", "REL", "SAB", "SUPPRESS")
    for child, parent, relation, vocabulary, suppressed in read_rrf(path, MRREL, wanted):
        kept = relation == PARENT and suppressed == SHOWN and child != parent
        if kept and (vocabularies is None or vocabulary in vocabularies):
            yield [child, parent]
