"""Names of conditions, drugs and drug classes, and what each implies.

The tables are `data/conditions.csv` (name, synonyms, broader conditions, whether chronic, what it
excludes), `data/drug_classes.csv` (class, synonyms, members; a member `=other` is a class,
and a row without members is a drug with its synonyms) and the
synonyms of `data/synonyms.csv`. They serve where no linker is given, and where a linker finds
nothing. A name outside the tables implies only itself.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, NamedTuple

from data.synonyms import TWO_WAY, read_synonyms
from retrievers.normalise import normalise

Kind = Literal["diagnosis", "medication"]

CHRONIC_DENIAL = "chronic conditions"
"""Name of the fact that stands for "no past medical history"."""
DRUG_DENIAL = "medications"
"""Name of the fact that stands for "takes no medications"."""
OTHER_DRUGS_DENIAL = "other medications"
"""Name of the fact that stands for "her only medication is …"."""
ALLERGY_DENIAL = "drug allergies"
"""Name of the fact that stands for "no known drug allergies"."""


class Entry(NamedTuple):
    """What a table says of one canonical name."""

    name: str
    kind: Kind
    aliases: tuple[str, ...]
    broader: tuple[str, ...]
    """Canonical names it directly implies."""
    excludes: tuple[str, ...] = ()
    """Canonical names it rules out."""
    chronic: bool = False
    """Once diagnosed it lasts, so "a history of" it is present."""
    is_class: bool = False
    """A drug class rather than a drug."""


@cache
def entries(kind: Kind) -> Mapping[str, Entry]:
    """Return the table of one kind, by canonical name in written form.

    >>> entries("medication")["ciprofloxacin"].broader
    ('fluoroquinolone', 'cyp1a2 inhibitor')
    """
    rows = _conditions() if kind == "diagnosis" else _drugs()
    return MappingProxyType({normalise(entry.name): entry for entry in rows})


@cache
def names(kind: Kind) -> Mapping[str, str]:
    """Return the canonical written form of every name, alias and synonym of one kind.

    >>> names("diagnosis")[normalise("T2DM")] == normalise("type 2 diabetes mellitus")
    True
    """
    known = {form: form for form in entries(kind)}
    for form, entry in entries(kind).items():
        for alias in entry.aliases:
            known.setdefault(normalise(alias), form)
    rows = read_synonyms()
    pairs = [(normalise(row.name), normalise(row.alias)) for row in rows]
    for (name, alias), row in zip(pairs, rows, strict=True):
        if alias in known and row.kind in TWO_WAY:
            known.setdefault(name, known[alias])
    for name, alias in pairs:
        if name in known:
            known.setdefault(alias, known[name])
    return MappingProxyType(known)


@lru_cache(maxsize=100_000)
def canonical(name: str, kind: Kind) -> str:
    """Return the canonical written form of a name; an unknown name is its own.

    >>> canonical("Adult-onset diabetes", "diagnosis") == canonical("type II diabetes", "diagnosis")
    True
    >>> canonical("NSAIDs", "medication"), canonical("Zzz", "medication")
    ('nsaid', 'zzz')
    """
    form = normalise(name)
    return names(kind).get(form, form)


def known(name: str, kind: Kind) -> Entry | None:
    """Return the table's entry for a name, if there is one."""
    return entries(kind).get(canonical(name, kind))


@lru_cache(maxsize=100_000)
def implied(name: str, kind: Kind) -> frozenset[str]:
    """Return every canonical name that holds when this one does, itself included.

    >>> "beta blocker" in implied("metoprolol", "medication")
    True
    >>> normalise("diabetes mellitus") in implied("T2DM", "diagnosis")
    True
    """
    form = canonical(name, kind)
    entry = entries(kind).get(form)
    if entry is None:
        return frozenset({form})
    above = (implied(parent, kind) for parent in entry.broader)
    return frozenset({form}).union(*above)


@lru_cache(maxsize=100_000)
def ruled_out(name: str, kind: Kind) -> frozenset[str]:
    """Return the canonical names that cannot hold when this one does.

    >>> normalise("type 1 diabetes mellitus") in ruled_out("T2DM", "diagnosis")
    True
    """
    held = (entries(kind).get(form) for form in implied(name, kind))
    return frozenset(
        canonical(out, kind) for entry in held if entry is not None for out in entry.excludes
    )


def _table(file: str) -> Iterator[dict[str, str]]:
    text = files("data").joinpath(file).read_text(encoding="utf-8")
    yield from csv.DictReader(text.splitlines())


def _conditions() -> Iterator[Entry]:
    for row in _table("conditions.csv"):
        yield Entry(
            name=row["name"],
            kind="diagnosis",
            aliases=_cells(row["aliases"]),
            broader=_cells(row["broader"]),
            excludes=_cells(row["excludes"]),
            chronic=row["chronic"] == "yes",
        )


def _drugs() -> Iterator[Entry]:
    rows = list(_table("drug_classes.csv"))
    parents: dict[str, list[str]] = {}
    for row in rows:
        for member in _cells(row["members"]):
            above = [] if row["class"] == "other drugs" else [row["class"]]
            parents.setdefault(member.removeprefix("="), []).extend(above)
    listed = {row["class"]: row for row in rows if row["class"] != "other drugs"}
    for name in dict.fromkeys((*listed, *parents)):
        row = listed.get(name, {})
        yield Entry(
            name=name,
            kind="medication",
            aliases=_cells(row.get("aliases", "")),
            broader=tuple(dict.fromkeys(parents.get(name, ()))),
            is_class=bool(row.get("members")),
        )


def _cells(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("|") if part)
