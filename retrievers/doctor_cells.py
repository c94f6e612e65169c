"""What the cells of a graph file show: names, identifiers, indexes and types, with their rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from data.curies import clean_id
from retrievers.build_merge import NumberedRows, known_types
from retrievers.build_rows import Spelling
from retrievers.findings import Finding, note, problem

_FLOAT = re.compile(r"\d+\.0+")
_NOTHING = frozenset({"na", "n/a", "nan", "none", "null", "<na>", "-", "?"})


class _Cell(NamedTuple):
    """A spelling and the row where it first stands."""

    row: int
    spelling: Spelling
    node: int


def cell_findings(numbered: NumberedRows) -> tuple[Finding, ...]:
    """Examine how a file writes its nodes; each spelling counts once."""
    cells = _cells(numbered)
    return (
        *_renamed(numbered, cells),
        *_shared_indexes(numbered, cells),
        *_split(numbered, cells),
        *_identifiers(cells),
        *_names(cells),
        *_unknown_types(cells),
    )


def _cells(numbered: NumberedRows) -> list[_Cell]:
    rows, nodes = numbered.rows, numbered.nodes.of_spelling.tolist()
    firsts = rows.spellings.first_rows
    return [_Cell(firsts[code], rows.spelling(code), node) for code, node in enumerate(nodes)]


def _where(cells: list[_Cell], holds: Callable[[Spelling], bool]) -> list[str]:
    hits = sorted((cell for cell in cells if holds(cell.spelling)), key=lambda cell: cell.row)
    return [f"row {c.row}: {c.spelling.name!r} (id {c.spelling.id!r})" for c in hits]


def _renamed(numbered: NumberedRows, cells: list[_Cell]) -> tuple[Finding, ...]:
    nodes = numbered.nodes.nodes
    rows = {(c.node, c.spelling.name): c.row for c in reversed(cells)}
    examples = [
        f"row {rows.get((number, node.aliases[0]), '?')}: {node.aliases[0]!r} is {node.name!r} "
        f"(id {node.id})"
        for number, node in enumerate(nodes)
        if node.aliases
    ]
    return note(
        "several_names",
        "nodes with more than one name",
        examples,
        "nothing: the most frequent name is the label, the others are aliases",
    )


def _shared_indexes(numbered: NumberedRows, cells: list[_Cell]) -> tuple[Finding, ...]:
    nodes = numbered.nodes.nodes
    holders: dict[str, dict[int, int]] = {}
    for cell in sorted(cells, key=lambda cell: cell.row):
        index = clean_id(cell.spelling.file_index)
        holders.setdefault(index, {}).setdefault(cell.node, cell.row)
    examples = [
        f"index {index}: "
        + ", ".join(f"{nodes[n].name!r} ({nodes[n].type}, row {row})" for n, row in held.items())
        for index, held in holders.items()
        if len(held) > 1
    ]
    return note(
        "index_collisions",
        "indexes that several nodes share",
        examples,
        "nothing: the nodes are kept apart by type and id; never join such a file by its indexes",
    )


def _split(numbered: NumberedRows, cells: list[_Cell]) -> tuple[Finding, ...]:
    indexes: dict[int, dict[str, int]] = {}
    for cell in cells:
        held = indexes.setdefault(cell.node, {})
        held.setdefault(clean_id(cell.spelling.file_index), cell.row)
    examples = [
        f"{numbered.nodes.nodes[node].name!r}: indexes {', '.join(held)}"
        for node, held in indexes.items()
        if len(held) > 1
    ]
    return note(
        "several_indexes",
        "nodes to which the file gives several indexes",
        examples,
        "nothing: they are merged by type and id",
    )


def _identifiers(cells: list[_Cell]) -> tuple[Finding, ...]:
    return (
        *note(
            "float_ids",
            "nodes whose id or index became a float, such as 5015.0",
            _where(
                cells,
                lambda s: bool(
                    _FLOAT.fullmatch(s.id.strip()) or _FLOAT.fullmatch(s.file_index.strip())
                ),
            ),
            "nothing: they are read as whole numbers; better write ids as text",
        ),
        *problem(
            "blank_ids",
            "nodes without an id",
            _where(cells, lambda s: not s.id.strip()),
            "give them ids: they join the node of their index and type, or stand alone, findable "
            "by name only",
        ),
    )


def _names(cells: list[_Cell]) -> tuple[Finding, ...]:
    return (
        *problem(
            "missing_like_names",
            "names that read like a missing value",
            _where(cells, lambda s: s.name.strip().lower() in _NOTHING),
            "put the right name there if a program wrote it for a blank; it is kept as a name",
        ),
        *problem(
            "blank_names",
            "nodes without a name",
            _where(cells, lambda s: not s.name.strip()),
            "give them names; until then the id stands for the name",
        ),
        *note(
            "padded_names",
            "names with blanks or line breaks around or inside them",
            _where(cells, lambda s: " ".join(s.name.split()) != s.name and bool(s.name.strip())),
            "nothing: they are kept as they stand and linked without the blanks",
        ),
        *problem(
            "damaged_text",
            "names that hold the sign for a lost character (U+FFFD)",
            _where(cells, lambda s: "\ufffd" in s.name),
            "write the file again, as UTF-8",
        ),
    )


def _unknown_types(cells: list[_Cell]) -> tuple[Finding, ...]:
    known, first = known_types(), dict[str, int]()
    for cell in sorted(cells, key=lambda cell: cell.row):
        first.setdefault(cell.spelling.type.strip(), cell.row)
    return problem(
        "unknown_types",
        "node types that PrimeKG does not have",
        [f"row {row}: {kind!r}" for kind, row in first.items() if kind not in known],
        "correct them; nodes of such a type are linked last",
    )
