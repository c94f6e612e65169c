"""From words to nodes, with a reason for every decision.

Order: written form, exact name, alias, abbreviation defined in the text, fuzzy with guards.
Nothing is linked silently: a mention that is refused stays in the answer, unlinked, with the reason
and the candidates. Negated, past, family and allergy mentions are linked and flagged.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Protocol, Self

from data.synonyms import Synonym
from retrievers.graph import GraphStore
from retrievers.lexicon import Lexicon, LinkingSettings
from retrievers.mentions import find_mentions
from retrievers.scispacy_linker import ScispacyLinker
from retrievers.whole_name import find_name
from signatures.schema import Link

__all__ = ["EntityLinker", "GraphLinker", "LinkingSettings"]


class EntityLinker(Protocol):
    """Finds the nodes that a text, or one name, speaks of."""

    def link(self, text: str) -> tuple[Link, ...]:
        """Return every mention of a running text, in order, linked or with the reason why not."""
        ...

    def link_name(self, name: str, *, types: frozenset[str] | None = None) -> Link:
        """Link a whole string that is one name, such as the head of a claim."""
        ...


class GraphLinker:
    """An `EntityLinker` over the names of a graph and a table of synonyms.

    The dictionary is built at the first question and shared by threads and by copies of programs.
    """

    def __init__(
        self,
        graph: GraphStore,
        *,
        synonyms: Iterable[Synonym] | None = None,
        settings: LinkingSettings | None = None,
    ) -> None:
        """Link to the nodes of `graph`; `synonyms` default to the packaged table."""
        self.lexicon = Lexicon(graph, synonyms=synonyms, settings=settings)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the linker itself: the dictionary is shared."""
        return self

    @property
    def settings(self) -> LinkingSettings:
        """How names may be joined."""
        return self.lexicon.settings

    def link(self, text: str) -> tuple[Link, ...]:
        """Return every mention of a running text, in order, linked or with the reason why not."""
        if self.settings.rule == "scispacy":
            return self._scispacy.link(text)
        return find_mentions(self.lexicon, text)

    def link_name(self, name: str, *, types: frozenset[str] | None = None) -> Link:
        """Link a whole string that is one name, such as the head of a claim.

        Args:
            name: the name; the offsets of the link refer to it.
            types: node types that may be meant; every other type is left out when given.
        """
        if self.settings.rule == "scispacy":
            return self._scispacy.link_name(name, types=types)
        return find_name(self.lexicon, name, types=types)

    @cached_property
    def _scispacy(self) -> ScispacyLinker:
        return ScispacyLinker(self.lexicon)
