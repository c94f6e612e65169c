"""Identifiers as text: one spelling for `MONDO:0005015`, `5015` and `5015.0`.

PrimeKG writes ids without prefix and without leading zeros, joins the ids of a grouped disease by
underscores (`13924_12592_14672`), and files that passed through a table of numbers end in `.0`.
All ids stay text: `int("13924_12592")` is a number in Python.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# A table of numbers with one blank cell writes 5015 as 5015.0.
_FLOAT = re.compile(r"(\d+)\.0+")
_GROUP = re.compile(r"\d+(?:_\d+)+")
_CURIE = re.compile(r"([A-Za-z][A-Za-z_.-]*):\s*(\S.*)")

# Names under which one vocabulary goes, in PrimeKG's source columns and in CURIE prefixes.
_VOCABULARIES = {
    "HPO": "HP",
    "MONDO_GROUPED": "MONDO",
    "NCBI": "NCBIGENE",
    "ENTREZ": "NCBIGENE",
    "NCBI_GENE": "NCBIGENE",
    "CTD": "MESH",
    "REACT": "REACTOME",
}


class Curie(NamedTuple):
    """A prefix, empty when the text gives none, and the identifier behind it."""

    prefix: str
    local: str


def clean_id(text: str) -> str:
    """Strip spaces and the `.0` that a table of numbers adds.

    >>> clean_id(" 5015.0 "), clean_id("DB00331"), clean_id("13924_12592")
    ('5015', 'DB00331', '13924_12592')
    """
    stripped = text.strip()
    number = _FLOAT.fullmatch(stripped)
    return number.group(1) if number else stripped


def vocabulary(source: str) -> str:
    """Return one name for a vocabulary, whatever a source column or a prefix calls it.

    >>> vocabulary("HPO") == vocabulary("hp"), vocabulary("MONDO_grouped"), vocabulary("DrugBank")
    (True, 'MONDO', 'DRUGBANK')
    """
    name = source.strip().upper()
    return _VOCABULARIES.get(name, name)


def parse_curie(text: str) -> Curie:
    """Split an identifier into vocabulary and lookup key.

    >>> parse_curie("MONDO:0005015")
    Curie(prefix='MONDO', local='5015')
    >>> parse_curie("5015.0")
    Curie(prefix='', local='5015')
    >>> parse_curie("HPO:1250") == parse_curie("HP:0001250")
    True
    """
    match = _CURIE.fullmatch(text.strip())
    prefix, local = match.groups() if match else ("", text)
    return Curie(vocabulary(prefix), lookup_key(local))


def lookup_key(local: str) -> str:
    """Fold case and leading zeros, so that all spellings of one id are one key.

    >>> lookup_key("0001250"), lookup_key("db00331"), lookup_key("0")
    ('1250', 'DB00331', '0')
    """
    cleaned = clean_id(local).upper()
    return cleaned.lstrip("0") or "0" if cleaned.isascii() and cleaned.isdigit() else cleaned


def members(text: str) -> tuple[str, ...]:
    """Return the lookup keys of the members of a grouped id; empty for a single id.

    >>> members("13924_12592_14672")
    ('13924', '12592', '14672')
    >>> members("DB00331")
    ()
    """
    cleaned = clean_id(text)
    if not _GROUP.fullmatch(cleaned):
        return ()
    return tuple(dict.fromkeys(lookup_key(part) for part in cleaned.split("_")))
