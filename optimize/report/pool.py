"""Nodes, triplets and constraint items of a report, each kept once and named by its number."""

from __future__ import annotations

from optimize.report.loose import Loose, mapping, words


class Pool:
    """Gives equal things one number. `lists` is what the page gets."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[tuple[object, ...], int]] = {
            "nodes": {},
            "triplets": {},
            "items": {},
        }
        self._known: dict[tuple[str, str], int] = {}
        self._ends: list[tuple[int, int]] = []

    def node(self, value: object) -> int:
        """Return the number of a node: name, type, id, source."""
        node = mapping(value)
        return self._number(
            "nodes", tuple(words(node.get(key)) for key in ("name", "type", "id", "source"))
        )

    def triplet(self, value: Loose) -> int:
        """Return the number of a triplet: id, head, relation, tail, text.

        Two are one when they have one id and say the same: stores number their edges anew.
        """
        name = (words(value.get("id")), words(value.get("text")))
        if name not in self._known:
            head, tail = self.node(value.get("head")), self.node(value.get("tail"))
            made = (name[0], head, words(value.get("relation")), tail, name[1])
            self._known[name] = self._number("triplets", made)
            self._ends.append((head, tail))
        return self._known[name]

    def ends(self, number: int) -> tuple[int, int]:
        """Return the numbers of a triplet's head and tail."""
        return self._ends[number]

    def item(self, value: object) -> int:
        """Return the number of a constraint item: group, level, evidence, citation."""
        item = mapping(value)
        names = ("patient_characteristics", "applicability", "evidence", "citation")
        return self._number("items", tuple(words(item.get(name)) for name in names))

    @property
    def lists(self) -> dict[str, list[list[object]]]:
        """Every list in the order of its numbers."""
        return {name: [list(value) for value in found] for name, found in self._numbers.items()}

    def _number(self, kind: str, value: tuple[object, ...]) -> int:
        return self._numbers[kind].setdefault(value, len(self._numbers[kind]))
