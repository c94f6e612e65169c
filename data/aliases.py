"""Files of other names for nodes: OBO ontologies, PrimeKG's feature tables, plain tables.

| file | recognised by | names a node by | gives |
|---|---|---|---|
| OBO (`hp.obo`, `mondo.obo`) | its first line | `id`, else `alt_id` | name, EXACT synonyms |
| synonym table | `hpo_id`, `synonym`, `scope` | id | EXACT synonyms |
| `disease_features.csv` | `node_index`, `mondo_id`, `mondo_name` | MONDO id | a group's members |
| `drug_features.csv` | `node_index`, `description` | index | names that its description states |
| node table | `node_id`, `node_type`, `node_name` | id and type | name |
| a table of yours | `id`, `alias`; `type` may stand | id | alias |

Tables are CSV or tab-separated, all may be gzipped. Broad, narrow and related synonyms are other
concepts and are left out, and so are obsolete terms.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TextIO

from signatures.errors import GraphFileError

_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)"\s+([A-Z]+)(?:\s+([^\s\[]+))?\s*\[')
_ESCAPED = re.compile(r"\\(.)")
_DISCARDED = ("obsolete", "deprecated")
_NOTHING = frozenset({"", "na", "nan", "none", "null", "<na>"})
_GZIP = b"\x1f\x8b"
# Names that a drug's description states: "also known as paracetamol", "the brand name Glucophage".
_STATED = re.compile(
    r"\b(?:also (?:known as|called)|(?:brand|trade) names?(?: of)?|marketed as)\s+"
    r"([A-Za-z][\w-]{3,}(?: [A-Z][\w-]+)?)(?=\s*(?:[,.;()]|(?:is|was|and|or|among|in|by|for)\b))"
)
_ARTICLES = frozenset({"this", "that", "these", "those"})


class AliasEntry(NamedTuple):
    """A node, as the file names it, and other names for it."""

    ids: tuple[str, ...]
    """Identifiers, the preferred one first; the others are used when the graph lacks it."""
    file_index: int | None
    """Index in PrimeKG's own file; used only when there is no identifier."""
    type: str | None
    names: tuple[str, ...]
    quoted: str = ""
    """Text that must hold the node's name, where an index alone would be believed."""


def read_aliases(path: Path) -> Iterator[AliasEntry]:
    """Yield the entries of an alias file.

    Raises:
        GraphFileError: the file is missing, cannot be read or is of no known kind.
    """
    try:
        with _text(path) as lines:
            first = lines.readline()
            lines.seek(0)
            yield from _read_obo(lines) if _is_obo(first) else _read_table(path, first, lines)
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise GraphFileError(f"cannot read {path}: {error}; it must be UTF-8 text") from error


def _text(path: Path) -> TextIO:
    if not path.is_file():
        raise GraphFileError(f"there is no file {path}")
    with path.open("rb") as raw:
        zipped = raw.read(2) == _GZIP
    if zipped:
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


# --- OBO -----------------------------------------------------------------------------------------


def _is_obo(first_line: str) -> bool:
    return first_line.startswith(("format-version:", "[Term]"))


def _read_obo(lines: TextIO) -> Iterator[AliasEntry]:
    term: list[tuple[str, str]] | None = None
    for line in (*lines, "[end]"):
        if line.startswith("["):
            if term:
                yield from _entry_of(term)
            term = [] if line.strip() == "[Term]" else None
        elif term is not None and ": " in line:
            tag, value = line.rstrip("\r\n").split(": ", 1)
            term.append((tag, value))


def _entry_of(term: list[tuple[str, str]]) -> Iterator[AliasEntry]:
    if ("is_obsolete", "true") in term:
        return
    ids = [value for wanted in ("id", "alt_id") for tag, value in term if tag == wanted]
    names = [value for tag, value in term if tag == "name"]
    names += [name for tag, value in term if tag == "synonym" for name in _synonym(value)]
    if ids and names:
        yield AliasEntry(tuple(ids), None, None, tuple(dict.fromkeys(names)))


def _synonym(value: str) -> Iterator[str]:
    r"""Yield the text of an exact synonym.

    >>> list(_synonym(r'"Low \"T\"" EXACT layperson []')), list(_synonym('"Pain" BROAD []'))
    (['Low "T"'], [])
    """
    match = _SYNONYM.match(value)
    if match is None:
        return
    text, scope, kind = match.groups()
    if scope == "EXACT" and not any(word in (kind or "").lower() for word in _DISCARDED):
        yield _ESCAPED.sub(r"\1", text)


# --- tables --------------------------------------------------------------------------------------


def _read_table(path: Path, first_line: str, lines: TextIO) -> Iterator[AliasEntry]:
    rows = csv.DictReader(lines, delimiter="\t" if "\t" in first_line else ",")
    header = set(rows.fieldnames or ())
    for columns, read in _KINDS:
        if columns <= header:
            for row in rows:
                cells = {k: (v or "").strip() for k, v in row.items() if isinstance(v, str | None)}
                entry = read(cells)
                if entry.names and (entry.ids or entry.file_index is not None):
                    yield entry
            return
    kinds = "; ".join(", ".join(sorted(columns)) for columns, _ in _KINDS)
    raise GraphFileError(
        f"{path} is neither OBO nor a table with one of these sets of columns: {kinds}"
    )


def _from_synonyms(row: Mapping[str, str]) -> AliasEntry:
    exact = row.get("scope", "EXACT").upper() == "EXACT"
    return AliasEntry((row["hpo_id"],), None, None, _names(row["synonym"]) if exact else ())


def _from_diseases(row: Mapping[str, str]) -> AliasEntry:
    names = _names(row["mondo_name"], row.get("group_name_bert", ""))
    return AliasEntry((f"MONDO:{row['mondo_id']}",), None, "disease", names)


def _from_drugs(row: Mapping[str, str]) -> AliasEntry:
    text = row["description"]
    return AliasEntry((), _whole(row["node_index"]), "drug", stated_names(text), quoted=text)


def _from_nodes(row: Mapping[str, str]) -> AliasEntry:
    return AliasEntry((row["node_id"],), None, row["node_type"] or None, _names(row["node_name"]))


def _from_own(row: Mapping[str, str]) -> AliasEntry:
    return AliasEntry((row["id"],), None, row.get("type") or None, _names(row["alias"]))


_KINDS: tuple[tuple[frozenset[str], Callable[[Mapping[str, str]], AliasEntry]], ...] = (
    (frozenset({"hpo_id", "synonym"}), _from_synonyms),
    (frozenset({"node_index", "mondo_id", "mondo_name"}), _from_diseases),
    (frozenset({"node_index", "description"}), _from_drugs),
    (frozenset({"node_id", "node_type", "node_name"}), _from_nodes),
    (frozenset({"id", "alias"}), _from_own),
)


def stated_names(description: str) -> tuple[str, ...]:
    """Return the names that a drug's description states outright.

    >>> stated_names("Acetaminophen (also known as paracetamol) is sold under the brand name "
    ...              "Tylenol, among others.")
    ('paracetamol', 'Tylenol')
    >>> stated_names("It was marketed as an anorectic.")
    ()
    """
    found = [match.group(1) for match in _STATED.finditer(description)]
    return tuple(dict.fromkeys(name for name in found if name.lower() not in _ARTICLES))


def _names(*cells: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell for cell in cells if cell.lower() not in _NOTHING))


def _whole(text: str) -> int | None:
    number = text.removesuffix(".0")
    return int(number) if number.isascii() and number.isdecimal() else None
