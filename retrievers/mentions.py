"""Mentions in a running text: longest name first, word by word, then misspelt ones in the gaps."""

from __future__ import annotations

from collections.abc import Iterator

from retrievers.abbreviation_senses import means_another
from retrievers.assertion import assertion_of
from retrievers.guards import is_measurement, needs_cue
from retrievers.lexicon import Lexicon
from retrievers.misspelt import misspelt
from retrievers.names import Reading
from retrievers.normalise import normalise
from retrievers.scan import SHORT_WORD, STOP, Scan
from retrievers.whole_name import (
    DRUG,
    GENE,
    NO_ENTITY,
    Verdict,
    by_symbol,
    find_name,
    read_as,
)
from retrievers.wordlists import CLASS_WORDS, DRUG_CLASSES, GENE_CUES, LOWER_CASE, NOT_A_PHRASE
from signatures.schema import Link

CUE_REACH = 3
"""Words to each side of a symbol that are searched for a cue such as "gene"."""

PLACES = frozenset({"cellular_component", "anatomy"})
"""Types whose one-word names are everyday words of a vignette: "vesicles", "heart"."""

_STOP_PHRASES = frozenset(normalise(phrase) for phrase in NOT_A_PHRASE)


def find_mentions(lexicon: Lexicon, text: str) -> tuple[Link, ...]:
    """Return the mentions of a text in order, each linked or with the reason why not."""
    scan = Scan(lexicon, text)
    links = [*_names(scan), *misspelt(scan)]
    return tuple(
        link.model_copy(update={"assertion": assertion_of(text, link.start, link.end)})
        for link in sorted(links, key=lambda link: link.start)
    )


def _names(scan: Scan) -> Iterator[Link]:
    """Yield the mentions that the dictionary holds, the longest at each place."""
    at = 0
    while at < len(scan.words):
        found = _longest(scan, at)
        if found is None:
            at += 1
            continue
        verdicts, size = found
        scan.cover(at, size)
        for verdict in verdicts:
            yield verdict.at(*scan.place(at, size))
        at += size


def _longest(scan: Scan, at: int) -> tuple[list[Verdict], int] | None:
    index = scan.lexicon.index
    most = min(scan.lexicon.settings.max_words, scan.room(at))
    for size in range(min(most, index.longest(scan.words[at].norm)), 0, -1):
        key = " ".join(word.norm for word in scan.words[at : at + size])
        if key in index.combinations:
            return _components(scan, key), size
        reading = index.read(key) if size > 1 else None
        if reading is None or key in _STOP_PHRASES:
            continue
        verdict = _several(scan, reading, at, size)
        if verdict is not None:
            return [verdict], size
    single = _single(scan, at)
    return None if single is None else ([single], 1)


def _components(scan: Scan, key: str) -> list[Verdict]:
    """Return a decision for each drug of a combination; all stand at the same place."""
    drugs = [scan.lexicon.order(nodes) for nodes in scan.lexicon.index.combinations[key]]
    names = " + ".join(nodes[0].name for nodes in drugs)
    return [Verdict(nodes, True, "alias", 100.0, f"component of {names}") for nodes in drugs]


def _several(scan: Scan, reading: Reading, at: int, size: int) -> Verdict | None:
    if all(word.norm in STOP or word.norm.isdigit() for word in scan.words[at : at + size]):
        return None
    verdict = read_as(scan.lexicon, reading, None)
    return _unless_class(scan, verdict, at, size)


def _single(scan: Scan, at: int) -> Verdict | None:
    word = scan.words[at]
    raw = scan.text[word.start : word.end]
    if means_another(scan.text, word.start, word.end):
        return Verdict([], False, "none", 0.0, f"{raw} has another meaning here, {NO_ENTITY}")
    raw = raw.upper() if raw in LOWER_CASE else raw
    short = raw if raw in scan.defined else raw.removesuffix("s")
    if short in scan.defined and not _before_class(scan, at, 1):
        return _by_definition(scan, short)
    symbol = _symbol(scan, raw, at)
    if symbol is not None:
        return symbol
    if raw.casefold() in DRUG_CLASSES:
        return Verdict([], False, "none", 0.0, "a class of drugs; the graph has no node for it")
    if word.norm in STOP or len(word.norm) <= SHORT_WORD or word.norm.isdigit():
        return None
    reading = scan.lexicon.index.read(word.norm)
    verdict = read_as(scan.lexicon, reading, None) if reading else None
    if verdict and verdict.nodes[0].type in PLACES:
        return None
    if verdict and is_measurement(scan.text, word.start, word.end):
        reason = f"a measured value, {NO_ENTITY}"
        return Verdict(verdict.nodes, False, "none", 100.0, reason)
    return _unless_class(scan, verdict, at, 1)


def _by_definition(scan: Scan, raw: str) -> Verdict:
    long = find_name(scan.lexicon, scan.defined[raw], types=None)
    symbol = None if long.node else by_symbol(scan.lexicon, scan.defined[raw], raw)
    if symbol is not None:
        return symbol
    reason = f"the text defines it as {scan.defined[raw]!r}: {long.reason}"
    linked = long.node is not None
    return Verdict(list(long.candidates), linked, "abbreviation", long.score, reason)


def _symbol(scan: Scan, raw: str, at: int) -> Verdict | None:
    index = scan.lexicon.index
    nodes = scan.lexicon.order(index.symbols.get(raw, ()))
    short = index.short.get(raw)
    cue = _gene_cue(scan, at)
    if nodes and _before_class(scan, at, 1):
        return Verdict(nodes, False, "none", 100.0, f"{raw} names a class of drugs here")
    if nodes and (cue or not (short or needs_cue(raw) or scan.shouted)):
        why = f"beside {cue!r}" if cue else "same case"
        return Verdict(nodes, True, "exact", 100.0, f"symbol of the graph, {why}")
    if short is not None and not scan.shouted:
        verdict = read_as(scan.lexicon, short, None)
        return verdict._replace(nodes=verdict.nodes + nodes) if verdict else None
    if nodes and not scan.shouted:
        return Verdict(
            nodes,
            False,
            "none",
            100.0,
            f"{raw} has likelier meanings; without a cue of a gene, {NO_ENTITY}",
        )
    return None


def _gene_cue(scan: Scan, at: int) -> str | None:
    first, last = max(0, at - CUE_REACH), at + CUE_REACH + 1
    near = [i for i in range(first, min(last, len(scan.words))) if i != at]
    around = [scan.words[i] for i in near if scan.sentence[i] == scan.sentence[at]]
    raws = (scan.text[word.start : word.end].casefold() for word in around)
    return next((raw for raw in raws if raw in GENE_CUES), None)


def _unless_class(scan: Scan, verdict: Verdict | None, at: int, size: int) -> Verdict | None:
    if verdict is None or not _before_class(scan, at, size):
        return verdict
    if verdict.nodes[0].type not in (GENE, DRUG, "molecular_function"):
        return verdict
    return Verdict(verdict.nodes, False, "none", 100.0, "names a class of drugs here")


def _before_class(scan: Scan, at: int, size: int) -> bool:
    after = scan.words[at + size : at + size + 2]
    return any(scan.text[w.start : w.end].casefold() in CLASS_WORDS for w in after[:1])
