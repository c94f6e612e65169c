"""The dictionary of a linker: every name of the graph, and every alias that leads to one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from data.synonyms import JOINED, TWO_WAY, Synonym
from retrievers.graph import GraphStore
from retrievers.guards import is_symbol
from retrievers.normalise import normalise
from signatures.schema import LinkMethod

Nodes = tuple[int, ...]

ALIAS_STEPS = 3
"""How many aliases may lie between a mention and a name of the graph."""

ACRONYM_MAX = 5
"""Longest name in capitals, not a gene's, whose case matters: AIDS is not "aids"."""


class Reading(NamedTuple):
    """Nodes that a name stands for, and how it was found."""

    nodes: Nodes
    method: LinkMethod
    via: str
    """The graph's name behind an alias; the name itself for an exact hit."""


class NameIndex:
    """Names in written form to nodes; symbols and abbreviations in their own case."""

    def __init__(self, graph: GraphStore, synonyms: Iterable[Synonym]) -> None:
        """Read every name of `graph`, then every alias of `synonyms` that leads to one."""
        self.names: dict[str, Nodes] = {}
        self.symbols: dict[str, Nodes] = {}
        self.aliases: dict[str, Reading] = {}
        self.short: dict[str, Reading] = {}
        self.combinations: dict[str, tuple[Nodes, ...]] = {}
        """Brands of several drugs in written form, to the nodes of each component."""
        self.without_node: tuple[Synonym, ...] = ()
        """Synonyms whose name this graph does not have."""
        self._add_names(graph)
        self._add_synonyms(tuple(synonyms))
        self._add_lengths()

    def read(self, key: str) -> Reading | None:
        """Return the reading of a name in written form: the graph's own before an alias."""
        nodes = self.names.get(key)
        return Reading(nodes, "exact", key) if nodes else self.aliases.get(key)

    def longest(self, first: str) -> int:
        """Return the number of words of the longest name that starts with this word."""
        return self._longest.get(first, 0)

    def knows(self, word: str) -> bool:
        """Say whether the word occurs in any name: a word that does is no misspelling."""
        return word in self._words

    def words_near(self, size: int, *, within: int) -> Sequence[str]:
        """Return the words of all names whose length differs from `size` by at most `within`."""
        return _slice(self._sorted_words, size - within, size + within)

    def keys_near(self, shortest: int, longest: int) -> Sequence[str]:
        """Return the written names and aliases of `shortest` to `longest` characters."""
        return _slice(self._sorted_keys, shortest, longest)

    def _add_names(self, graph: GraphStore) -> None:
        names: dict[str, list[int]] = defaultdict(list)
        symbols: dict[str, list[int]] = defaultdict(list)
        acronyms: dict[str, list[int]] = defaultdict(list)
        for name, node in graph.names():
            if is_symbol(name) and graph.node(node).type == "gene/protein":
                symbols[name].append(node)
            elif is_symbol(name) and len(name) <= ACRONYM_MAX:
                acronyms[name].append(node)
            elif key := normalise(name):
                names[key].append(node)
        self.names = {key: tuple(dict.fromkeys(nodes)) for key, nodes in names.items()}
        self.symbols = {key: tuple(dict.fromkeys(nodes)) for key, nodes in symbols.items()}
        for name, nodes in acronyms.items():
            self.short[name] = Reading(tuple(dict.fromkeys(nodes)), "exact", name)

    def _add_synonyms(self, synonyms: tuple[Synonym, ...]) -> None:
        targets: dict[str, list[str]] = defaultdict(list)
        single = [row for row in synonyms if row.kind != "combination"]
        for row in single:
            alias = row.alias if row.kind == "abbreviation" else normalise(row.alias)
            targets[alias].append(row.name)
            if row.kind in TWO_WAY:
                targets[normalise(row.name)].append(row.alias)
        joined = [row for row in synonyms if row.kind == "combination"]
        lost = [row for row in single if not self._follow(row, targets)]
        lost += [row for row in joined if not self._combine(row, targets)]
        self.without_node = tuple(lost)

    def _combine(self, row: Synonym, targets: dict[str, list[str]]) -> bool:
        hits = [self._resolve(part, targets, ALIAS_STEPS) for part in row.name.split(JOINED)]
        found = [hit[0] for hit in hits if hit]
        if len(found) < len(hits):
            return False
        self.combinations[normalise(row.alias)] = tuple(found)
        return True

    def _follow(self, row: Synonym, targets: dict[str, list[str]]) -> bool:
        found = False
        pairs = [(row.alias, row.name)]
        pairs += [(row.name, row.alias)] if row.kind in TWO_WAY else []
        for alias, name in pairs:
            hit = self._resolve(name, targets, ALIAS_STEPS)
            if hit is None:
                continue
            found = True
            short = row.kind == "abbreviation" and alias == row.alias and len(alias.split()) == 1
            table, key = (self.short, alias) if short else (self.aliases, normalise(alias))
            taken = self.short.get(key) if short else self.names.get(key)
            if not taken or (short and self.short[key].method == "alias"):
                _merge(table, key, Reading(hit[0], "alias", hit[1]))
        return found

    def _resolve(
        self, name: str, targets: dict[str, list[str]], steps: int
    ) -> tuple[Nodes, str] | None:
        acronym = self.short.get(name)
        own = acronym.nodes if acronym and acronym.method == "exact" else ()
        nodes = self.names.get(normalise(name)) or self.symbols.get(name) or own
        if nodes:
            return nodes, name
        if steps == 0:
            return None
        hits = (self._resolve(other, targets, steps - 1) for other in targets[normalise(name)])
        return next((hit for hit in hits if hit), None)

    def _add_lengths(self) -> None:
        keys = [*self.names, *self.aliases, *self.combinations]
        self._longest: dict[str, int] = {}
        words: set[str] = set()
        for key in keys:
            parts = key.split()
            words.update(parts)
            if len(parts) > self._longest.get(parts[0], 0):
                self._longest[parts[0]] = len(parts)
        self._words = frozenset(words)
        self._sorted_words = _by_length(word for word in words if word.isalpha())
        self._sorted_keys = _by_length(keys)


def _merge(table: dict[str, Reading], key: str, reading: Reading) -> None:
    old = table.get(key)
    if old is None:
        table[key] = reading
    elif old.via != reading.via:
        nodes = tuple(dict.fromkeys(old.nodes + reading.nodes))
        table[key] = Reading(nodes, "alias", f"{old.via} | {reading.via}")


def _by_length(texts: Iterable[str]) -> tuple[list[int], list[str]]:
    ordered = sorted(dict.fromkeys(texts), key=lambda text: (len(text), text))
    return [len(text) for text in ordered], ordered


def _slice(table: tuple[list[int], list[str]], shortest: int, longest: int) -> Sequence[str]:
    sizes, texts = table
    return texts[bisect_left(sizes, shortest) : bisect_right(sizes, longest)]
