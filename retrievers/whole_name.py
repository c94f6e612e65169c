"""Linking of a whole string that is one name: the head of a claim, the text of an option."""

from __future__ import annotations

from typing import NamedTuple

from retrievers.combinations import components
from retrievers.fuzzy import Near, near_names
from retrievers.guards import is_symbol, needs_cue
from retrievers.lexicon import Lexicon
from retrievers.name_forms import bracketed, defines, name_forms, names_a_protein
from retrievers.names import Reading
from retrievers.normalise import normalise
from retrievers.wordlists import (
    CLASS_WORDS,
    DRUG_CLASSES,
    NOT_A_MENTION,
    RISKY_SYMBOLS,
)
from signatures.schema import Link, LinkMethod, Node

GENE = "gene/protein"
DRUG = "drug"

NO_ENTITY = "no entity here"
"""Ends the reason of a mention that is none: a laboratory value, a test, a route."""


COMBINATION = "a combination of drugs without a node; its components:"

SHORT_SYMBOL = 3
"""A symbol of at most this many characters needs its long form to be a protein's name."""


class Verdict(NamedTuple):
    """A decision about one mention, before it becomes a `Link`."""

    nodes: list[Node]
    linked: bool
    method: LinkMethod
    score: float
    reason: str

    def at(self, mention: str, start: int, end: int) -> Link:
        """Return the link of a mention at these offsets."""
        return Link(
            mention=mention,
            start=start,
            end=end,
            node=self.nodes[0] if self.linked else None,
            candidates=tuple(self.nodes),
            method=self.method if self.linked else "none",
            score=self.score,
            reason=self.reason,
        )


def find_name(lexicon: Lexicon, name: str, *, types: frozenset[str] | None) -> Link:
    """Link a whole string; dose, route, brackets and leading modifiers may be left away."""
    forms = name_forms(name)
    tried: list[Verdict] = []
    for form in forms:
        verdict = _look_up(lexicon, form, types)
        if verdict is None:
            continue
        if verdict.linked:
            short = "" if form == name.strip() else f"; read as {form!r}"
            return verdict._replace(reason=verdict.reason + short).at(name, 0, len(name))
        tried.append(verdict)
    verdict = _bracket(lexicon, name, types) or _combination(lexicon, forms, types)
    if verdict is None:
        verdict = tried[0] if tried else _fuzzy(lexicon, (forms or [""])[-1], types)
    return verdict.at(name, 0, len(name))


def by_symbol(
    lexicon: Lexicon, long: str, short: str, *, types: frozenset[str] | None = None
) -> Verdict | None:
    """Read a bracketed symbol, its long form being the cue that a gene is meant.

    `None` when the graph has no such symbol, or when a symbol with likelier meanings is not spelt
    out by the name of a protein: "acute coronary event (ACE)" is no gene.
    """
    nodes = lexicon.order(lexicon.index.symbols.get(short, ()), types=types)
    risky = _also_something_else(short) or len(short) <= SHORT_SYMBOL
    if not nodes or (risky and not (defines(long, short) and names_a_protein(long))):
        return None
    return Verdict(nodes, True, "exact", 100.0, f"symbol of the graph, told by {long!r}")


def _bracket(lexicon: Lexicon, name: str, types: frozenset[str] | None) -> Verdict | None:
    """Read what stands in a final bracket when the words before it are no node."""
    parts = bracketed(name)
    if parts is None:
        return None
    long, short = parts
    verdict = by_symbol(lexicon, long, short, types=types)
    if verdict is None and (defines(long, short) or defines(short, long)):
        reading = lexicon.index.read(normalise(short)) or lexicon.index.short.get(short)
        verdict = read_as(lexicon, reading, types) if reading else None
    if verdict is None or not verdict.linked:
        return None
    return verdict._replace(reason=f"{verdict.reason}; read as {short!r}")


def _combination(
    lexicon: Lexicon, forms: list[str], types: frozenset[str] | None
) -> Verdict | None:
    """Return the components of a combination: no node of its own, every component a candidate."""
    if types is not None and DRUG not in types:
        return None
    for form in forms:
        drugs = components(lexicon, form)
        if drugs:
            names = " + ".join(node.name for node in drugs)
            return Verdict(list(drugs), False, "none", 100.0, f"{COMBINATION} {names}")
    return None


def read_as(lexicon: Lexicon, reading: Reading, types: frozenset[str] | None) -> Verdict | None:
    """Turn a dictionary reading into a decision; `None` when no node has a wanted type."""
    nodes = lexicon.order(reading.nodes, types=types)
    if not nodes:
        return None
    if " | " in reading.via and types is None:
        reason = f"ambiguous: stands for {reading.via}"
        return Verdict(nodes, False, "none", 100.0, reason)
    words = "name of the graph" if reading.method == "exact" else f"alias of {reading.via!r}"
    return Verdict(nodes, True, reading.method, 100.0, words + _choice(nodes))


def weigh(lexicon: Lexicon, hits: tuple[Near, ...], types: frozenset[str] | None) -> Verdict:
    """Decide between similar names: guards, then drugs, then the margin over the next name."""
    allowed = [hit for hit in hits if hit.objection is None]
    if not allowed:
        return _refused(lexicon, hits, types)
    best, paper = allowed[0], lexicon.settings.rule == "paper"
    nodes = lexicon.order(best.nodes, types=types)
    if not nodes:
        return Verdict([], False, "none", best.score, f"near {best.key!r}, of another type")
    if any(node.type == DRUG for node in nodes) and not paper:
        reason = f"near the drug {nodes[0].name!r}; drugs need an exact name or an alias"
        return Verdict(nodes, False, "none", best.score, reason)
    rival = next((hit for hit in allowed[1:] if set(hit.nodes).isdisjoint(best.nodes)), None)
    if rival and best.score - rival.score < lexicon.settings.margin and not paper:
        both = lexicon.order(best.nodes + rival.nodes, types=types)
        reason = f"ambiguous: {best.key!r} and {rival.key!r} are equally near"
        return Verdict(both, False, "none", best.score, reason)
    reason = f"{best.score:.0f} % like {nodes[0].name!r}{_choice(nodes)}"
    return Verdict(nodes, True, "fuzzy", best.score, reason)


def _look_up(lexicon: Lexicon, name: str, types: frozenset[str] | None) -> Verdict | None:
    index, key = lexicon.index, normalise(name)
    readings = [index.read(key), index.short.get(name)]
    for reading in readings:
        verdict = read_as(lexicon, reading, types) if reading else None
        if verdict is not None:
            return verdict
    symbol = _symbol(lexicon, name, types)
    if symbol is not None:
        return symbol
    last = name.split()[-1].casefold() if name.split() else ""
    if last in CLASS_WORDS or last in DRUG_CLASSES:
        return Verdict([], False, "none", 0.0, "a class of drugs; the graph has no node for it")
    found = next((reading for reading in readings if reading), None)
    if found is None:
        return None
    others = lexicon.order(found.nodes)
    kinds = " or ".join(sorted(types or ()))
    return Verdict(others, False, "none", 100.0, f"no {kinds} of this name; see candidates")


def _symbol(lexicon: Lexicon, name: str, types: frozenset[str] | None) -> Verdict | None:
    words = name.split()
    bare = words[0] if len(words) == 2 and words[1].casefold() in ("gene", "protein") else name
    nodes = lexicon.order(lexicon.index.symbols.get(bare, ()), types=types)
    if not nodes:
        return None
    told = types is not None or bare != name
    if needs_cue(bare) and len(bare) > 1 and not told and _also_something_else(bare):
        return Verdict(nodes, False, "none", 100.0, "symbol with other meanings and no type given")
    return Verdict(nodes, True, "exact", 100.0, "symbol of the graph, same case" + _choice(nodes))


def _also_something_else(symbol: str) -> bool:
    return symbol in RISKY_SYMBOLS or symbol.casefold() in NOT_A_MENTION


def _fuzzy(lexicon: Lexicon, name: str, types: frozenset[str] | None) -> Verdict:
    key = normalise(name)
    settings = lexicon.settings
    if not settings.fuzzy or not lexicon.long_enough(key) or is_symbol(name):
        return Verdict(
            [], False, "none", 0.0, "not in the graph; too short or symbol-like for fuzzy"
        )
    hits = near_names(lexicon.index, key, rule=settings.rule, cutoff=settings.cutoff)
    if not hits:
        return Verdict(
            [],
            False,
            "none",
            0.0,
            f"not in the graph, nor near a name of it at {settings.cutoff:g}",
        )
    return weigh(lexicon, hits, types)


def _refused(lexicon: Lexicon, hits: tuple[Near, ...], types: frozenset[str] | None) -> Verdict:
    best = hits[0]
    nodes = lexicon.order(best.nodes, types=types)
    reason = f"not {best.key!r} ({best.score:.0f} %): {best.objection}"
    return Verdict(nodes, False, "none", best.score, reason)


def _choice(nodes: list[Node]) -> str:
    if len(nodes) == 1:
        return ""
    return f"; first of {len(nodes)} nodes of this name: {nodes[0].type}"
