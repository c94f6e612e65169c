"""Looking up nodes by identifier in a store, without loading the identifiers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa


class IdHit(NamedTuple):
    """A node that carries an identifier."""

    node: int
    whole: bool
    """False when the identifier is one member of the node's grouped id."""


class IdIndex:
    """Binary search over `ids.arrow`, whose rows are sorted by key."""

    def __init__(self, table: pa.RecordBatch) -> None:
        """Wrap the mapped table with its columns key, node and whole."""
        self._key, self._node, self._whole = (
            table.column(name) for name in ("key", "node", "whole")
        )

    def find(self, key: str) -> Iterator[IdHit]:
        """Yield the nodes of a lookup key as `data.curies.lookup_key` makes it, whole ids first."""
        row = bisect_left(range(len(self._key)), key, key=lambda i: self._key[i].as_py())
        while row < len(self._key) and self._key[row].as_py() == key:
            yield IdHit(self._node[row].as_py(), self._whole[row].as_py())
            row += 1
