"""Mentions in a running text: longest name first, word by word, then misspelt ones in the gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrievers.abbreviations import definitions
from retrievers.assertion import assertion_of
from retrievers.fuzzy import Near, near
from retrievers.guards import is_measurement, needs_cue
from retrievers.lexicon import Lexicon
from retrievers.names import Reading
from retrievers.normalise import Token, normal_word, normalise, tokens
from retrievers.whole_name import (
    DRUG,
    GENE,
    NO_ENTITY,
    Verdict,
    by_symbol,
    find_name,
    read_as,
    weigh,
)
from retrievers.wordlists import CLASS_WORDS, DRUG_CLASSES, GENE_CUES, NOT_A_MENTION, NOT_A_PHRASE
from signatures.schema import Link

SHORT_WORD = 3
"""A single word of at most this many letters is no name in a running text; symbols are apart."""

CUE_REACH = 3
"""Words to each side of a symbol that are searched for a cue such as "gene"."""

FUZZY_WORDS = 5
"""Longest misspelt mention, in words."""

SHOUTED = 0.6
"""Share of long words in capitals above which case tells nothing."""

REFUSED_NEAR = 85.0
"""A refused name below this similarity, of 100, is not worth reporting."""

NO_NOUN = ("ed", "ing", "ly")
"""Endings of single words that are no misspelt name: "excluded", "speculating"."""

PLACES = frozenset({"cellular_component", "anatomy"})
"""Types whose one-word names are everyday words of a vignette: "vesicles", "heart"."""

_STOP = frozenset(normal_word(word) for word in NOT_A_MENTION)
_STOP_PHRASES = frozenset(normalise(phrase) for phrase in NOT_A_PHRASE)
_SENTENCE_END = re.compile(r"[.;:!?](?:\s|$)|\n|\s[-\u2013\u2014]\s")


def find_mentions(lexicon: Lexicon, text: str) -> tuple[Link, ...]:
    """Return the mentions of a text in order, each linked or with the reason why not."""
    scan = _Scan(lexicon, text)
    links = [*scan.names(), *scan.misspelt()]
    return tuple(
        link.model_copy(update={"assertion": assertion_of(text, link.start, link.end)})
        for link in sorted(links, key=lambda link: link.start)
    )


class _Scan:
    """One pass over one text."""

    def __init__(self, lexicon: Lexicon, text: str) -> None:
        self.lexicon = lexicon
        self.text = text
        self.words = tokens(text)
        self.defined = {found.short: found.long for found in definitions(text)}
        self.shouted = _is_shouted(text)
        self.sentence = self._sentences()
        self.covered = [False] * len(self.words)

    def names(self) -> Iterator[Link]:
        """Yield the mentions that the dictionary holds, the longest at each place."""
        at = 0
        while at < len(self.words):
            found = self._longest(at)
            if found is None:
                at += 1
                continue
            verdicts, size = found
            self.covered[at : at + size] = [True] * size
            for verdict in verdicts:
                yield verdict.at(*self._place(at, size))
            at += size

    def misspelt(self) -> Iterator[Link]:
        """Yield the mentions in the gaps that are nearly a name."""
        if not self.lexicon.settings.fuzzy:
            return
        for at, word in enumerate(self.words):
            if self.covered[at] or not self.lexicon.corrector.correct(word.norm):
                continue
            found = self._nearly(at)
            if found is None:
                continue
            verdict, first, size = found
            self.covered[first : first + size] = [True] * size
            yield verdict.at(*self._place(first, size))

    # --- the dictionary --------------------------------------------------------------------------

    def _longest(self, at: int) -> tuple[list[Verdict], int] | None:
        index = self.lexicon.index
        most = min(self.lexicon.settings.max_words, self._room(at))
        for size in range(min(most, index.longest(self.words[at].norm)), 0, -1):
            key = " ".join(word.norm for word in self.words[at : at + size])
            if key in index.combinations:
                return self._components(key), size
            reading = index.read(key) if size > 1 else None
            if reading is None or key in _STOP_PHRASES:
                continue
            verdict = self._several(reading, at, size)
            if verdict is not None:
                return [verdict], size
        single = self._single(at)
        return None if single is None else ([single], 1)

    def _components(self, key: str) -> list[Verdict]:
        """Return a decision for each drug of a combination; all stand at the same place."""
        drugs = [self.lexicon.order(nodes) for nodes in self.lexicon.index.combinations[key]]
        names = " + ".join(nodes[0].name for nodes in drugs)
        return [Verdict(nodes, True, "alias", 100.0, f"component of {names}") for nodes in drugs]

    def _several(self, reading: Reading, at: int, size: int) -> Verdict | None:
        if all(word.norm in _STOP or word.norm.isdigit() for word in self.words[at : at + size]):
            return None
        verdict = read_as(self.lexicon, reading, None)
        return self._unless_class(verdict, at, size)

    def _single(self, at: int) -> Verdict | None:
        word = self.words[at]
        raw = self.text[word.start : word.end]
        short = raw if raw in self.defined else raw.removesuffix("s")
        if short in self.defined and not self._before_class(at, 1):
            return self._by_definition(short)
        symbol = self._symbol(raw, at)
        if symbol is not None:
            return symbol
        if raw.casefold() in DRUG_CLASSES:
            return Verdict([], False, "none", 0.0, "a class of drugs; the graph has no node for it")
        if word.norm in _STOP or len(word.norm) <= SHORT_WORD or word.norm.isdigit():
            return None
        reading = self.lexicon.index.read(word.norm)
        verdict = read_as(self.lexicon, reading, None) if reading else None
        if verdict and verdict.nodes[0].type in PLACES:
            return None
        if verdict and is_measurement(self.text, word.start, word.end):
            reason = f"a measured value, {NO_ENTITY}"
            return Verdict(verdict.nodes, False, "none", 100.0, reason)
        return self._unless_class(verdict, at, 1)

    def _by_definition(self, raw: str) -> Verdict:
        long = find_name(self.lexicon, self.defined[raw], types=None)
        symbol = None if long.node else by_symbol(self.lexicon, self.defined[raw], raw)
        if symbol is not None:
            return symbol
        reason = f"the text defines it as {self.defined[raw]!r}: {long.reason}"
        linked = long.node is not None
        return Verdict(list(long.candidates), linked, "abbreviation", long.score, reason)

    def _symbol(self, raw: str, at: int) -> Verdict | None:
        index = self.lexicon.index
        nodes = self.lexicon.order(index.symbols.get(raw, ()))
        short = index.short.get(raw)
        cue = self._gene_cue(at)
        if nodes and self._before_class(at, 1):
            return Verdict(nodes, False, "none", 100.0, f"{raw} names a class of drugs here")
        if nodes and (cue or not (short or needs_cue(raw) or self.shouted)):
            why = f"beside {cue!r}" if cue else "same case"
            return Verdict(nodes, True, "exact", 100.0, f"symbol of the graph, {why}")
        if short is not None and not self.shouted:
            verdict = read_as(self.lexicon, short, None)
            return verdict._replace(nodes=verdict.nodes + nodes) if verdict else None
        if nodes and not self.shouted:
            return Verdict(
                nodes,
                False,
                "none",
                100.0,
                f"{raw} has likelier meanings; without a cue of a gene, {NO_ENTITY}",
            )
        return None

    def _gene_cue(self, at: int) -> str | None:
        first, last = max(0, at - CUE_REACH), at + CUE_REACH + 1
        near = [i for i in range(first, min(last, len(self.words))) if i != at]
        around = [self.words[i] for i in near if self.sentence[i] == self.sentence[at]]
        raws = (self.text[word.start : word.end].casefold() for word in around)
        return next((raw for raw in raws if raw in GENE_CUES), None)

    def _unless_class(self, verdict: Verdict | None, at: int, size: int) -> Verdict | None:
        if verdict is None or not self._before_class(at, size):
            return verdict
        if verdict.nodes[0].type not in (GENE, DRUG, "molecular_function"):
            return verdict
        return Verdict(verdict.nodes, False, "none", 100.0, "names a class of drugs here")

    def _before_class(self, at: int, size: int) -> bool:
        after = self.words[at + size : at + size + 2]
        return any(self.text[w.start : w.end].casefold() in CLASS_WORDS for w in after[:1])

    # --- misspelt --------------------------------------------------------------------------------

    def _nearly(self, at: int) -> tuple[Verdict, int, int] | None:
        best: tuple[tuple[Near, ...], int, int] | None = None
        for first, size in self._windows(at):
            hits = self._hits(first, size, at)
            if hits and (best is None or self._better(hits, size, best)):
                best = hits, first, size
        if best is None:
            return None
        hits, first, size = best
        return weigh(self.lexicon, hits, None), first, size

    @staticmethod
    def _better(hits: tuple[Near, ...], size: int, best: tuple[tuple[Near, ...], int, int]) -> bool:
        allowed = hits[0].objection is None
        return (allowed, size) > (best[0][0].objection is None, best[2])

    def _windows(self, at: int) -> Iterator[tuple[int, int]]:
        for size in range(1, FUZZY_WORDS + 1):
            for first in range(max(0, at - size + 1), at + 1):
                free = not any(self.covered[first : first + size])
                if free and size <= self._room(first) and first + size > at:
                    yield first, size

    def _hits(self, first: int, size: int, at: int) -> tuple[Near, ...]:
        lexicon, settings = self.lexicon, self.lexicon.settings
        words = [word.norm for word in self.words[first : first + size]]
        mention = " ".join(words)
        if not lexicon.long_enough(mention) or (size == 1 and mention.endswith(NO_NOUN)):
            return ()
        found = []
        for right in lexicon.corrector.correct(words[at - first]):
            name = " ".join([*words[: at - first], right, *words[at - first + 1 :]])
            if lexicon.index.read(name) is None or (size == 1 and name in _STOP):
                continue
            hit = near(lexicon.index, mention, name, rule=settings.rule)
            least = REFUSED_NEAR if hit.objection else settings.cutoff
            found += [hit] if hit.score >= least and mention[0] == name[0] else []
        return tuple(
            sorted(found, key=lambda hit: (hit.objection is not None, -hit.score, hit.key))
        )

    # --- places ----------------------------------------------------------------------------------

    def _place(self, at: int, size: int) -> tuple[str, int, int]:
        start, end = self.words[at].start, self.words[at + size - 1].end
        return self.text[start:end], start, end

    def _room(self, at: int) -> int:
        return self.sentence[at] - at

    def _sentences(self) -> list[int]:
        """For each word, the index one past the last word of its sentence."""
        ends = [match.start() for match in _SENTENCE_END.finditer(self.text)]
        after, cut, last = [], len(self.words), len(ends) - 1
        for at in range(len(self.words) - 1, -1, -1):
            while last >= 0 and _closes(self.words, at, ends[last]):
                cut, last = at + 1, last - 1
            after.append(cut)
        return after[::-1]


def _is_shouted(text: str) -> bool:
    """Say whether a text is written in capitals.

    >>> _is_shouted("PATIENT WITH SEVERE ASTHMA"), _is_shouted("62M w/ HTN, T2DM, CKD")
    (True, False)
    """
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > SHORT_WORD]
    shouting = sum(word.isupper() for word in words)
    return len(words) > 1 and shouting > SHOUTED * len(words)


def _closes(words: list[Token], at: int, end: int) -> bool:
    return words[at].end <= end
