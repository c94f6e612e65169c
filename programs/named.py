"""What a question and its options name: nodes of the graph, with their namesakes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from retrievers.linking import EntityLinker
from retrievers.normalise import normalise
from signatures.schema import Link, Node

EXACT = 100.0
"""Link score of a name that equals a name of the graph."""

DENIED = frozenset({"absent", "family"})
"""What the text denies or tells of a relative is not what it asks about."""


class Named(NamedTuple):
    """One thing that a text names: a node and its namesakes."""

    nodes: tuple[Node, ...]
    whole: bool = True
    """True when the whole text is the name; False for a mention inside it."""


class Names(NamedTuple):
    """What a question names, and what each of its options names."""

    question: tuple[Named, ...]
    options: Mapping[str, tuple[Named, ...]]
    """By letter; empty for an option that names no node."""

    @property
    def option_types(self) -> frozenset[str]:
        """Node types of what the options name."""
        named = (one for found in self.options.values() for one in found)
        return frozenset(node.type for one in named for node in one.nodes)


class LinkedOnce:
    """An `EntityLinker` that links a text once, for the patient and for the names in it."""

    def __init__(self, linker: EntityLinker) -> None:
        """Link with `linker`."""
        self._linker = linker
        self._links: dict[str, tuple[Link, ...]] = {}

    def link(self, text: str) -> tuple[Link, ...]:
        """Return the mentions of a text."""
        if text not in self._links:
            self._links[text] = self._linker.link(text)
        return self._links[text]

    def link_name(self, name: str, *, types: frozenset[str] | None = None) -> Link:
        """Return the link of a whole name."""
        return self._linker.link_name(name, types=types)


def names_of(linker: EntityLinker, text: str, options: Mapping[str, str]) -> Names:
    """Link a question and its options."""
    return Names(
        question=question_names(linker, text),
        options={letter: option_names(linker, option) for letter, option in options.items()},
    )


def question_names(linker: EntityLinker, text: str) -> tuple[Named, ...]:
    """Return what a question names and does not deny, each once, in order of mention."""
    links = (link for link in linker.link(text) if link.node and link.assertion not in DENIED)
    found: dict[frozenset[int], Named] = {}
    for link in links:
        nodes = namesakes(link)
        found.setdefault(frozenset(node.index for node in nodes), Named(nodes))
    return tuple(found.values())


def option_names(linker: EntityLinker, option: str) -> tuple[Named, ...]:
    """Return what an option is, or else what it mentions."""
    whole = namesakes(linker.link_name(option))
    if whole:
        return (Named(whole),)
    return tuple(Named(one.nodes, whole=False) for one in question_names(linker, option))


def namesakes(link: Link) -> tuple[Node, ...]:
    """Return the node of a link and those of its name: a finding is often a disease as well.

    A name that may be several things, or a combination of drugs, is all that it may be.
    """
    if link.node is None:
        return link.candidates if link.score == EXACT else ()
    same = normalise(link.node.name)
    others = (n for n in link.candidates if n != link.node and normalise(n.name) == same)
    return (link.node, *others)
