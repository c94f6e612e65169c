"""What a linker decides with: its settings, the dictionary of the graph, and the order of nodes."""

from __future__ import annotations

from collections.abc import Iterable
from threading import RLock

from pydantic import Field

from data.synonyms import Synonym, read_synonyms
from retrievers.fuzzy import Rule, WordCorrector
from retrievers.graph import GraphStore
from retrievers.names import NameIndex
from signatures.schema import Node, Record

TYPE_ORDER = ("drug", "disease", "effect/phenotype", "gene/protein", "exposure", "pathway")
"""Which node stands first when one name belongs to nodes of several types."""


class LinkingSettings(Record):
    """How names may be joined."""

    rule: Rule = "guarded"
    """`paper`: ReGraM B.2's bare `fuzz.ratio`, for the faithful run only. `scispacy`: guarded, and
    what it leaves unlinked is asked of scispaCy's EntityLinker."""
    fuzzy: bool = True
    cutoff: float = Field(default=90.0, ge=50, le=100)
    """Least similarity of a fuzzy link, of 100 (ReGraM B.2)."""
    margin: float = Field(default=2.0, ge=0)
    """By how much the best name must beat the next one; else the mention is ambiguous."""
    min_length: int = Field(default=6, ge=1)
    """Fewest characters of a name that may be fuzzy."""
    min_word: int = Field(default=8, ge=1)
    """The same for a name of one word."""
    max_words: int = Field(default=12, ge=1)
    """Longest mention in words."""
    max_candidates: int = Field(default=8, ge=1)
    scispacy_threshold: float = Field(default=85.0, ge=50, le=100)
    """Least similarity of scispaCy's trigrams, of 100; only with the rule `scispacy`."""
    scispacy_model: str = "auto"
    """spaCy model that finds phrases; `auto`: en_core_sci_sm when installed, else none."""
    umls: bool = False
    """Use the UMLS files of scispaCy's cache as synonyms, with the rule `scispacy`."""


class Lexicon:
    """The names of one graph, read at the first question and shared by threads."""

    def __init__(
        self,
        graph: GraphStore,
        *,
        synonyms: Iterable[Synonym] | None = None,
        settings: LinkingSettings | None = None,
    ) -> None:
        """Speak of the nodes of `graph`; `synonyms` default to the packaged table."""
        self.graph = graph
        self.settings = settings or LinkingSettings()
        self._synonyms = None if synonyms is None else tuple(synonyms)
        self._built: tuple[NameIndex, WordCorrector] | None = None
        self._lock = RLock()

    @property
    def index(self) -> NameIndex:
        """The dictionary of names."""
        return self._parts()[0]

    @property
    def corrector(self) -> WordCorrector:
        """Finds the words of names near a misspelt one."""
        return self._parts()[1]

    def order(self, nodes: Iterable[int], *, types: frozenset[str] | None = None) -> list[Node]:
        """Return the nodes, best first: by type, then by number of edges, then by index."""
        found = [self.graph.node(index) for index in dict.fromkeys(nodes)]
        kept = [node for node in found if types is None or node.type in types]
        return sorted(kept, key=self._rank)[: self.settings.max_candidates]

    def long_enough(self, key: str) -> bool:
        """Say whether a name in written form is long enough to be fuzzy."""
        least = self.settings.min_length if " " in key else self.settings.min_word
        return len(key) >= least

    def _rank(self, node: Node) -> tuple[int, int, int]:
        known = node.type in TYPE_ORDER
        place = TYPE_ORDER.index(node.type) if known else len(TYPE_ORDER)
        return place, -self.graph.degree(node.index), node.index

    def _parts(self) -> tuple[NameIndex, WordCorrector]:
        with self._lock:
            if self._built is None:
                rows = read_synonyms() if self._synonyms is None else self._synonyms
                index = NameIndex(self.graph, rows)
                self._built = index, WordCorrector(index)
            return self._built
