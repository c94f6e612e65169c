"""Names, equal identifiers and broader concepts of the user's vocabularies (QKG A.1, stages 1-2).

Three sorted tables on disk, so that all of UMLS (some eight million English names) is opened in
milliseconds. The folder's name is the digest of the files that it was made from; a build that is
cut off leaves nothing behind.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from data.aliases import read_aliases
from data.cross_references import concept_id, is_grouping, read_pairs, read_terms
from data.mrconso import read_atoms, read_broader
from retrievers.normalise import normalise
from retrievers.sorted_table import SortedTable, write_sorted
from retrievers.store_files import file_sha256
from signatures.errors import InputError

_VERSION = 1
"""Changes with the tables' columns and with `normalise`."""
_LONGEST_NAME = 120
"""Characters of a name that a question may hold; longer ones are definitions and lab panels."""


class Sources(NamedTuple):
    """The user's files. With none of them the graph's own vocabulary is all there is."""

    mrconso: Path | None = None
    """Names of UMLS concepts and their codes elsewhere."""
    mrrel: Path | None = None
    """Which UMLS concepts are broader."""
    vocabularies: frozenset[str] | None = None
    """SABs of UMLS to keep; `None` keeps all."""
    references: tuple[Path, ...] = ()
    """Tables of equal identifiers."""
    ontologies: tuple[Path, ...] = ()
    """OBO files: names, equal identifiers and broader terms."""

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that was given."""
        umls = [path for path in (self.mrconso, self.mrrel) if path is not None]
        return (*umls, *self.references, *self.ontologies)

    def digest(self) -> str:
        """Return 16 hexadecimal digits that change with any file's content.

        Raises:
            InputError: A file cannot be read.
        """
        try:
            hashes = [file_sha256(path) for path in self.files]
        except OSError as error:
            raise InputError(f"{error.filename} cannot be read: {error.strerror}") from error
        kept = sorted(self.vocabularies) if self.vocabularies is not None else None
        return sha256(repr((_VERSION, hashes, kept)).encode()).hexdigest()[:16]


class Terminology:
    """The tables, opened."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names = SortedTable(folder, "names")
        self._same = SortedTable(folder, "same")
        self._broader = SortedTable(folder, "broader")

    def named(self, name: str) -> tuple[str, ...]:
        """Return the concepts of this name, the one that most vocabularies call so first."""
        counts: dict[str, int] = {}
        for _, concept, count in self.names.find(normalise(name)):
            counts[concept] = counts.get(concept, 0) + count
        return tuple(sorted(counts, key=lambda concept: (-counts[concept], concept)))

    def same(self, concept: str) -> tuple[str, ...]:
        """Return the identifiers that mean the same, in order of their text."""
        return tuple(other for _, other, _ in self._same.find(concept))

    def broader(self, concept: str) -> tuple[str, ...]:
        """Return the concepts one step up, in order of their text."""
        return tuple(other for _, other, _ in self._broader.find(concept))


def open_terminology(sources: Sources, home: Path) -> Terminology | None:
    """Open the tables of these files below `home`, made first where they are not there yet.

    Returns:
        `None` when no file is given.

    Raises:
        InputError: A file cannot be read or is of no known kind, or `home` cannot be written.
    """
    if not sources.files:
        return None
    folder = home / sources.digest()
    if not folder.is_dir():
        _build(sources, folder)
    return Terminology(folder)


def _build(sources: Sources, folder: Path) -> None:
    partial = folder.with_name(f"{folder.name}.partial-{os.getpid()}")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        write_sorted(partial, "names", ("key", "concept", "name"), _names(sources))
        write_sorted(partial, "same", ("concept", "other"), _same(sources))
        write_sorted(partial, "broader", ("concept", "parent"), _broader(sources))
        if not folder.is_dir():  # another process may have been faster
            partial.rename(folder)
    except OSError as error:
        raise InputError(
            f"the vocabulary's tables cannot be written to {folder}: {error.strerror}; set "
            "QKGRAM_HOME to a disk with room"
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _names(sources: Sources) -> Iterator[tuple[str, str, str]]:
    for concept, name in _concept_names(sources):
        key = normalise(name) if len(name) <= _LONGEST_NAME else ""
        if key:
            yield key, concept, name


def _concept_names(sources: Sources) -> Iterator[tuple[str, str]]:
    if sources.mrconso is not None:
        for atom in read_atoms(sources.mrconso, vocabularies=sources.vocabularies):
            yield concept_id("UMLS", atom.cui), atom.name
    for path in sources.ontologies:
        for entry in read_aliases(path):
            prefix = entry.ids[0].partition(":")[0] if entry.ids else ""
            yield from ((concept_id(prefix, entry.ids[0]), name) for name in entry.names if prefix)


def _same(sources: Sources) -> Iterator[tuple[str, str]]:
    if sources.mrconso is not None:
        for atom in read_atoms(sources.mrconso, vocabularies=sources.vocabularies):
            other = concept_id(atom.vocabulary, atom.code)
            if atom.code and not is_grouping(other):
                yield concept_id("UMLS", atom.cui), other
    for first, second in _pairs(sources):
        yield first, second
        yield second, first


def _pairs(sources: Sources) -> Iterator[tuple[str, str]]:
    for path in sources.references:
        yield from read_pairs(path)
    for path in sources.ontologies:
        for term in read_terms(path):
            yield from ((term.id, other) for other in term.same)


def _broader(sources: Sources) -> Iterator[tuple[str, str]]:
    if sources.mrrel is not None:
        for child, parent in read_broader(sources.mrrel, vocabularies=sources.vocabularies):
            yield concept_id("UMLS", child), concept_id("UMLS", parent)
    for path in sources.ontologies:
        for term in read_terms(path):
            yield from ((term.id, parent) for parent in term.parents)
