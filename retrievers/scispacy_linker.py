"""Linking with scispaCy (Neumann et al. 2019): its AbbreviationDetector and its EntityLinker.

`linking.rule = "scispacy"`. The dictionary speaks first; what it leaves unlinked, and the phrases
between its mentions, go to scispaCy's unmodified `EntityLinker` over the names of the graph. Its
character trigrams know no opposites, so the guards weigh every candidate before it becomes a link.

`en_core_sci_sm` finds the phrases when it is installed; UMLS lends its synonyms when asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

from retrievers.assertion import assertion_of
from retrievers.fuzzy import similarity
from retrievers.guards import different, is_symbol
from retrievers.lexicon import Lexicon
from retrievers.mentions import find_mentions
from retrievers.name_forms import name_forms
from retrievers.normalise import normalise
from retrievers.scispacy_index import candidate_generator, graph_knowledge_base, nodes_of
from retrievers.scispacy_parts import open_pipeline, open_umls, phrases_of
from retrievers.whole_name import DRUG, NO_ENTITY, Verdict, find_name
from signatures.schema import Link

if TYPE_CHECKING:
    from scispacy.candidate_generation import CandidateGenerator
    from spacy.language import Language
    from spacy.tokens import Doc, Span

LABEL = "NAME"

NEIGHBOURS = 30
"""Names that are looked up per mention; scispaCy's default."""

LINKING_WORDS = frozenset({"of", "the", "in", "due", "to", "with"})
"""Words that a name may have or lack when its words are compared in any order."""


class ScispacyLinker:
    """An `EntityLinker` that asks scispaCy where the dictionary has no answer; thread-safe."""

    def __init__(self, lexicon: Lexicon, *, umls: CandidateGenerator | None = None) -> None:
        """Link to the nodes of `lexicon`.

        Args:
            lexicon: its settings name the model and say whether UMLS is used.
            umls: a generator over UMLS; by default scispaCy's own, when the settings ask for it.
        """
        self.lexicon = lexicon
        self._given = umls
        self._lock = RLock()

    def link(self, text: str) -> tuple[Link, ...]:
        """Return every mention of a running text, in order, linked or with the reason why not.

        Raises:
            ModelNotFound: the settings name a model, or UMLS, that is not installed.
        """
        known = find_mentions(self.lexicon, text)
        with self._lock:
            doc = self._pipeline(text)
            doc.ents = self._spans(doc, known)
            self._linker(doc)
        kept = [link for link in known if link.node or link.reason.endswith(NO_ENTITY)]
        taken = [(link.start, link.end) for link in kept]
        asked = [ent for ent in doc.ents if not _overlaps(ent, taken)]
        found = [link for link in map(self._decide, asked) if link is not None]
        covered = [(link.start, link.end) for link in found]
        rest = [link for link in known if not link.node and not _inside(link, taken + covered)]
        links = sorted([*kept, *found, *rest], key=lambda link: (link.start, link.end))
        return tuple(
            link.model_copy(update={"assertion": assertion_of(text, link.start, link.end)})
            for link in links
        )

    def link_name(self, name: str, *, types: frozenset[str] | None = None) -> Link:
        """Link a whole string that is one name; scispaCy is asked when the dictionary is not sure.

        Raises:
            ModelNotFound: the settings ask for UMLS and it is not installed.
        """
        link = find_name(self.lexicon, name, types=types)
        if link.node or link.score == 100.0 or is_symbol(name.strip()) or not name.strip():
            return link
        form = name_forms(name)[-1:] or [name]
        with self._lock:
            (candidates,) = self._generator(form, NEIGHBOURS)
        pairs = [(found.concept_id, max(found.similarities)) for found in candidates]
        verdict = self._weigh(form[0], pairs, types) or self._by_umls(form[0], types)
        return verdict.at(name, 0, len(name)) if verdict and verdict.linked else link

    # --- decisions -------------------------------------------------------------------------------

    def _decide(self, ent: Span) -> Link | None:
        long = ent._.long_form
        mention = str(long) if long is not None else ent.text
        verdict = self._weigh(mention, ent._.kb_ents, None) or self._by_umls(mention, None)
        if verdict is None:
            return None
        if long is not None:
            verdict = verdict._replace(
                reason=f"the text defines it as {mention!r}: {verdict.reason}"
            )
        return verdict.at(ent.text, ent.start_char, ent.end_char)

    def _weigh(
        self, mention: str, pairs: Iterable[tuple[str, float]], types: frozenset[str] | None
    ) -> Verdict | None:
        """Decide among scispaCy's candidates; `None` when none is similar enough."""
        least = self.lexicon.settings.scispacy_threshold
        best = [pair for pair in nodes_of(pairs) if pair[1] >= least]
        nodes = {node: self.lexicon.order([node], types=types) for node, _ in best}
        best = [(node, score) for node, score in best if nodes[node]]
        if not best:
            return None
        refused = None
        for node, score in best:
            objection = self._objection(mention, node, score)
            if objection is None:
                top = [n for other, s in best if s == score for n in nodes[other]]
                ordered = self.lexicon.order([n.index for n in top])
                reason = f"scispaCy: {score:.0f} % of the trigrams of {ordered[0].name!r}"
                return Verdict(ordered, True, "scispacy", score, reason)
            refused = refused or Verdict(nodes[node], False, "none", score, objection)
        return refused

    def _objection(self, mention: str, node: int, score: float) -> str | None:
        entity = self._linker.kb.cui_to_entity[str(node)]
        key = normalise(mention)
        forms = [normalise(form) for form in (entity.canonical_name, *entity.aliases)]
        if key in forms:
            return None
        if entity.types == [DRUG]:
            return f"near the drug {entity.canonical_name!r}; drugs need an exact name"
        reasons = [_apart(key, form, self.lexicon.settings.cutoff) for form in forms]
        told = f"not {entity.canonical_name!r} ({score:.0f} % of the trigrams): {reasons[0]}"
        return None if None in reasons else told

    def _by_umls(self, mention: str, types: frozenset[str] | None) -> Verdict | None:
        """Read a mention through UMLS: the concept's synonyms that are names of the graph."""
        if self._umls is None:
            return None
        with self._lock:
            (candidates,) = self._umls([mention], NEIGHBOURS)
        least = self.lexicon.settings.scispacy_threshold
        ranked = sorted(candidates, key=lambda c: (-max(c.similarities), c.concept_id))
        for candidate in ranked:
            score = 100 * max(candidate.similarities)
            entity = self._umls.kb.cui_to_entity[candidate.concept_id]
            names = [normalise(name) for name in (entity.canonical_name, *entity.aliases)]
            objections = [different(normalise(mention), name) for name in names]
            if score < least or all(objections):
                continue
            for name in names:
                reading = self.lexicon.index.read(name)
                nodes = self.lexicon.order(reading.nodes, types=types) if reading else []
                if nodes:
                    reason = f"UMLS {entity.concept_id}, {entity.canonical_name!r}, is {name!r}"
                    return Verdict(nodes, True, "scispacy", min(score, 100.0), reason)
        return None

    # --- scispaCy's parts ------------------------------------------------------------------------

    def _spans(self, doc: Doc, known: Iterable[Link]) -> list[Span]:
        from spacy.util import filter_spans

        short = list(doc._.abbreviations)
        named = [
            doc.char_span(link.start, link.end, label=LABEL, alignment_mode="expand")
            for link in known
        ]
        phrases = list(doc.ents) if "ner" in self._pipeline.pipe_names else phrases_of(doc)
        taken = {token.i for span in [*short, *named] if span is not None for token in span}
        phrases = [span for span in phrases if not any(token.i in taken for token in span)]
        spans: list[Span] = [span for span in [*named, *short, *phrases] if span is not None]
        kept: list[Span] = filter_spans(spans)
        # spaCy drops an entity without a label.
        return [doc.char_span(span.start_char, span.end_char, label=LABEL) for span in kept]

    @cached_property
    def _pipeline(self) -> Language:
        return open_pipeline(self.lexicon.settings.scispacy_model)

    @cached_property
    def _generator(self) -> CandidateGenerator:
        return candidate_generator(graph_knowledge_base(self.lexicon.graph, self.lexicon.index))

    @cached_property
    def _linker(self) -> Any:
        from scispacy.linking import EntityLinker

        # Our knowledge base has no definitions: with the filter on, the threshold would be .95.
        return EntityLinker(
            candidate_generator=self._generator,
            k=NEIGHBOURS,
            threshold=self.lexicon.settings.scispacy_threshold / 100,
            filter_for_definitions=False,
            max_entities_per_mention=self.lexicon.settings.max_candidates,
        )

    @cached_property
    def _umls(self) -> CandidateGenerator | None:
        if self._given is not None or not self.lexicon.settings.umls:
            return self._given
        return open_umls()


def _apart(mention: str, name: str, cutoff: float) -> str | None:
    """Return why two names in written form differ; their words may stand in another order.

    >>> _apart("carcinoma of the lung", "lung carcinoma", 90) is None
    True
    >>> _apart("disease kidney type 1", "kidney disease type 2", 90)
    'different numbers: 1 / 2'
    """
    ours, theirs = _sorted_words(mention), _sorted_words(name)
    alike = similarity(ours, theirs)
    return different(ours, theirs) or (f"{alike:.0f} % of the letters" if alike < cutoff else None)


def _sorted_words(name: str) -> str:
    return " ".join(sorted(word for word in name.split() if word not in LINKING_WORDS))


def _overlaps(span: Span, taken: Iterable[tuple[int, int]]) -> bool:
    return any(span.start_char < end and start < span.end_char for start, end in taken)


def _inside(link: Link, taken: Iterable[tuple[int, int]]) -> bool:
    return any(link.start < end and start < link.end for start, end in taken)
