"""Adding the names of alias files to the nodes that they mean, each with the file it comes from.

An alias that is another node's label within the same type is left out: it would make a plain name
ambiguous. An entry whose node the graph lacks, or that fits several nodes, is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from data.aliases import AliasEntry, read_aliases
from data.primekg import EndRef
from retrievers.build_finder import NodeFinder
from retrievers.build_nodes import GraphNode
from retrievers.store_files import file_sha256

_Named = dict[str, tuple[str, str]]


class AliasCounts(NamedTuple):
    """What one alias file gave."""

    file: str
    """Its name, without the folder."""
    sha256: str
    added: int
    """Names that became aliases."""
    unmatched: int
    """Entries whose node the graph does not hold, or that fit several."""
    clashing: int
    """Names left out because another node of the type has them as its label."""


class Aliased(NamedTuple):
    """The nodes with their new aliases, and the counts of each file."""

    nodes: tuple[GraphNode, ...]
    counts: tuple[AliasCounts, ...]


def add_aliases(nodes: Sequence[GraphNode], files: Sequence[Path]) -> Aliased:
    """Add the names of alias files, in the order of the files; a name counts once, as first given.

    Raises:
        GraphFileError: a file cannot be read.
    """
    finder = NodeFinder(nodes)
    labels = {(node.type, node.name.casefold()) for node in nodes}
    names: dict[int, _Named] = {}
    counts = tuple(_add_file(file, nodes, finder, labels, names) for file in files)
    return Aliased(
        tuple(
            _with_names(node, names[number]) if number in names else node
            for number, node in enumerate(nodes)
        ),
        counts,
    )


def _add_file(
    file: Path,
    nodes: Sequence[GraphNode],
    finder: NodeFinder,
    labels: set[tuple[str, str]],
    names: dict[int, _Named],
) -> AliasCounts:
    added = unmatched = clashing = 0
    for entry in read_aliases(file):
        number = _node_of(entry, nodes, finder)
        if number is None:
            unmatched += 1
            continue
        node = nodes[number]
        held = names.setdefault(number, _own(node))
        for name in entry.names:
            key = name.casefold()
            if key in held:
                continue
            if (node.type, key) in labels:
                clashing += 1
            else:
                held[key] = (name, file.name)
                added += 1
    return AliasCounts(file.name, file_sha256(file), added, unmatched, clashing)


def _node_of(entry: AliasEntry, nodes: Sequence[GraphNode], finder: NodeFinder) -> int | None:
    for identifier in entry.ids:
        found = finder.find(EndRef(id=identifier, type=entry.type))
        if found:
            return found[0] if len(found) == 1 else None
    if entry.file_index is None:
        return None
    found = finder.find(EndRef(index=entry.file_index, type=entry.type))
    quoted = entry.quoted.casefold()
    # An index of another release would fit another node: its name must stand in the text.
    fitting = [number for number in found if nodes[number].name.casefold() in quoted]
    return fitting[0] if len(fitting) == 1 else None


def _own(node: GraphNode) -> _Named:
    """Names that the node has already; the label stands first."""
    pairs = zip((node.name, *node.aliases), ("", *node.alias_sources), strict=True)
    return {name.casefold(): (name, source) for name, source in pairs}


def _with_names(node: GraphNode, names: _Named) -> GraphNode:
    own = dict(zip(node.aliases, node.alias_sources, strict=True))
    others = {name: source for name, source in list(names.values())[1:] if name not in own}
    aliases = own | others
    return node._replace(aliases=tuple(aliases), alias_sources=tuple(aliases.values()))
