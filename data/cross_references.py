"""Which identifiers of two vocabularies mean one thing: tables, and the `xref` lines of OBO files.

| file | recognised by | says |
|---|---|---|
| TxGNN's MONDO references | `ontology_id`, `ontology`, `mondo_id` | code and MONDO id are one |
| a table of yours | `cui`, `source`, `id` | UMLS concept and node id are one |
| OBO (`hp.obo`, `mondo.obo`) | its first line | `xref` the same, `is_a` broader |

Codes of the ICD group diseases, so they never make two identifiers one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from data.curies import lookup_key, vocabulary
from data.text_files import open_text
from signatures.errors import InputError

_SAME = {
    "MSH": "MESH",
    "SNOMEDCT_US": "SCTID",
    "SNOMEDCT": "SCTID",
    "NCI": "NCIT",
    "ORDO": "ORPHANET",
}
"""Names of UMLS and of OBO files for vocabularies that go under another one in cross-references."""
_GROUPING = ("ICD", "MEDDRA", "MDR")


class Term(NamedTuple):
    """A term of an ontology: what it is a kind of, and what it is called elsewhere."""

    id: str
    parents: tuple[str, ...]
    same: tuple[str, ...]


def concept_id(source: str, code: str) -> str:
    """Return one spelling of a code of a vocabulary.

    >>> concept_id("HPO", "HP:0001250"), concept_id("MSH", "D003924"), concept_id("MONDO", "5015.0")
    ('HP:1250', 'MESH:D003924', 'MONDO:5015')
    """
    prefix, colon, local = code.strip().rpartition(":")
    name = vocabulary(source)
    if colon and vocabulary(prefix) in (name, _SAME.get(name)):
        code = local
    return f"{_SAME.get(name, name)}:{lookup_key(code)}"


def is_grouping(concept: str) -> bool:
    """Say whether a concept's vocabulary lumps diseases together.

    >>> is_grouping("ICD10:E11"), is_grouping("MONDO:5148")
    (True, False)
    """
    return concept.startswith(_GROUPING)


def read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Yield pairs of identifiers that mean one thing, from a table.

    Raises:
        InputError: The file cannot be read or has none of the known sets of columns.
    """
    with open_text(path) as lines:
        rows = csv.DictReader(lines)
        header = set(rows.fieldnames or ())
        if {"ontology_id", "ontology", "mondo_id"} <= header:
            found = (
                (concept_id(r["ontology"], r["ontology_id"]), concept_id("MONDO", r["mondo_id"]))
                for r in rows
            )
        elif {"cui", "source", "id"} <= header:
            found = ((concept_id("UMLS", r["cui"]), concept_id(r["source"], r["id"])) for r in rows)
        else:
            raise InputError(
                f"{path}: wanted the columns ontology_id, ontology, mondo_id or cui, source, id; "
                f"got {', '.join(sorted(header)) or 'none'}"
            )
        yield from (pair for pair in found if not any(map(is_grouping, pair)))


def read_terms(path: Path) -> Iterator[Term]:
    """Yield every term of an OBO file that is not obsolete.

    Raises:
        InputError: The file cannot be read or is no OBO file.
    """
    with open_text(path) as lines:
        if not lines.readline().startswith("format-version:"):
            raise InputError(f"{path}: wanted an OBO file, which begins with 'format-version:'")
        term: list[tuple[str, str]] | None = None
        for line in (*lines, "[end]"):
            if line.startswith("["):
                if term and ("is_obsolete", "true") not in term:
                    yield from _term(term)
                term = [] if line.strip() == "[Term]" else None
            elif term is not None and ": " in line:
                tag, value = line.rstrip("\r\n").split(": ", 1)
                term.append((tag, value))


def _term(lines: list[tuple[str, str]]) -> Iterator[Term]:
    ids = [_curie(value) for tag, value in lines if tag == "id"]
    equal = [value for tag, value in lines if tag in ("xref", "alt_id") and _is_equal(value)]
    same = map(_curie, equal)
    parents = [_curie(value) for tag, value in lines if tag == "is_a"]
    if ids and ids[0]:
        kept = tuple(s for s in same if s and not is_grouping(s))
        yield Term(ids[0], tuple(p for p in parents if p), kept)


def _is_equal(value: str) -> bool:
    """Say whether MONDO qualifies a reference as equal, where it qualifies it at all.

    >>> _is_equal('UMLS:C1 {source="MONDO:equivalentTo"}'), _is_equal('UMLS:C1 {source="MONDO:x"}')
    (True, False)
    """
    return "MONDO:" not in value.partition("{")[2] or "equivalentTo" in value


def _curie(value: str) -> str:
    """Return the identifier that a value begins with, in our spelling; empty when there is none.

    >>> _curie("SNOMEDCT_US:204962002"), _curie("HP:0000107 ! Renal cyst"), _curie("nonsense")
    ('SCTID:204962002', 'HP:107', '')
    """
    prefix, colon, local = value.partition(" ")[0].partition(":")
    return concept_id(prefix, local) if colon and local and not local.startswith("//") else ""
