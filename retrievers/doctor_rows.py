"""What only the rows of a graph file show: repeated rows, lost directions, odd relations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from data.relations import relation_info, relation_table
from retrievers.build_edges import packed_rows
from retrievers.build_merge import NumberedRows
from retrievers.doctor_cells import cell_findings
from retrievers.findings import SHOWN, Finding, note, problem

_BOM = b"\xef\xbb\xbf"
_FIRST_ROW = 2  # the header is row 1


def row_findings(csv: Path, numbered: NumberedRows) -> tuple[Finding, ...]:
    """Examine the rows of a file that could be read."""
    return (
        *_byte_order_mark(csv),
        *_repeated(numbered),
        *_lost_direction(numbered),
        *_unknown_relations(numbered),
        *cell_findings(numbered),
    )


def _byte_order_mark(csv: Path) -> tuple[Finding, ...]:
    with csv.open("rb") as file:
        marked = file.read(len(_BOM)) == _BOM
    return note(
        "byte_order_mark",
        "the file begins with a byte-order mark",
        ["row 1"] if marked else [],
        "nothing: it is skipped",
    )


# --- rows ----------------------------------------------------------------------------------------


def _repeated(numbered: NumberedRows) -> tuple[Finding, ...]:
    key, _ = packed_rows(
        numbered.head, numbered.relation, numbered.display, numbered.tail, numbered.turned
    )
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    same = ordered[1:] == ordered[:-1]
    other_way = ((ordered[1:] >> 1) == (ordered[:-1] >> 1)) & ~same
    return (
        *note(
            "mirrored_rows",
            "edges that stand in the file once more, reversed",
            _pairs(numbered, order, other_way, "reverses"),
            "nothing: PrimeKG stores every edge so, and both rows become one logical edge",
            count=int(other_way.sum()),
        ),
        *note(
            "duplicate_rows",
            "rows that repeat an earlier one",
            _pairs(numbered, order, same, "repeats"),
            "nothing: they become one logical edge",
            count=int(same.sum()),
        ),
        *note(
            "self_edges",
            "edges from a node to itself",
            [
                f"row {row}: {_edge(numbered, row)}"
                for row in _rows_of(numbered.head == numbered.tail)
            ],
            "check whether they are meant; they are kept",
            count=int((numbered.head == numbered.tail).sum()),
        ),
    )


def _pairs(
    numbered: NumberedRows, order: npt.NDArray[np.intp], hit: npt.NDArray[np.bool_], verb: str
) -> list[str]:
    """Word the first few rows that meet an earlier row of their edge."""
    earlier, later = order[:-1][hit], order[1:][hit]
    first = np.argsort(np.maximum(earlier, later))[:SHOWN]
    return [
        f"row {max(a, b) + _FIRST_ROW} {verb} row {min(a, b) + _FIRST_ROW}: "
        f"{_edge(numbered, a + _FIRST_ROW)}"
        for a, b in zip(earlier[first].tolist(), later[first].tolist(), strict=True)
    ]


def _rows_of(mask: npt.NDArray[np.bool_]) -> list[int]:
    return [int(place) + _FIRST_ROW for place in np.flatnonzero(mask)[:SHOWN]]


def _edge(numbered: NumberedRows, row: int) -> str:
    place, nodes = row - _FIRST_ROW, numbered.nodes.nodes
    head, tail = nodes[numbered.head[place]].name, nodes[numbered.tail[place]].name
    return f"{head} | {numbered.relations[numbered.relation[place]]} | {tail}"


def _lost_direction(numbered: NumberedRows) -> tuple[Finding, ...]:
    table, counts = relation_table(), numbered.rows_by_relation
    lost = [name for name in counts if name in table and not relation_info(name).directed]
    return note(
        "direction_unknown",
        "rows of relations whose direction a mirrored file cannot tell",
        [f"{name}: {counts[name]} rows" for name in lost],
        "nothing: they are worded without a parent and a child",
        count=sum(counts[name] for name in lost),
    )


def _unknown_relations(numbered: NumberedRows) -> tuple[Finding, ...]:
    table, counts, codes = relation_table(), numbered.rows_by_relation, numbered.rows.relations
    return problem(
        "unknown_relations",
        "relations that PrimeKG does not have",
        [
            f"row {codes.first_rows[codes.texts.index(name)]}: {name!r}, {counts[name]} rows"
            for name in numbered.relations
            if name not in table
        ],
        "correct them, or add them to data/relations.csv; now they weigh 1.0 and support "
        "'associated'",
    )
