"""Reading a relation that a model wrote: one of the graph's, or none. Never the nearest one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from data.relations import relation_table


def read_relation(text: str, relations: Sequence[str]) -> str | None:
    """Return the relation of the graph that a text names, `None` when it names none or several.

    The phrases of the relation table are read too, in both directions, and other forms of a word.

    >>> names = ("indication", "off-label use", "drug_drug", "protein_protein")
    >>> read_relation("Off_label use", names), read_relation("is indicated for", names)
    ('off-label use', 'indication')
    >>> read_relation("indicated", names)
    'indication'
    >>> read_relation("cures", names), read_relation("interacts with", names)
    (None, None)
    """
    readings, plain = _readings(tuple(relations)), _plain(text)
    found = readings.get(plain) or readings.get(_root(plain), frozenset())
    return next(iter(found)) if len(found) == 1 else None


@lru_cache(maxsize=16)
def _readings(relations: tuple[str, ...]) -> dict[str, frozenset[str]]:
    readings: dict[str, set[str]] = {}
    for relation in relations:
        said = {_plain(relation), *_phrases(relation)}
        for words in said | {_root(words) for words in said}:
            readings.setdefault(words, set()).add(relation)
    return {words: frozenset(found) for words, found in readings.items()}


def _phrases(relation: str) -> Iterable[str]:
    info = relation_table().get(relation)
    if info is None:
        return
    for wording in (info.wording(""), *info.displays.values()):
        yield _plain(wording.forward)
        yield _plain(wording.backward)


def _plain(text: str) -> str:
    return " ".join(re.split(r"[\s_-]+", text.casefold().strip(" \t\n.'\"")))


def _root(words: str) -> str:
    """Return a phrase without auxiliary, preposition and ending: what its forms share.

    >>> _root("is contraindicated in") == _root("contraindication")
    True
    """
    bare = re.sub(r"^(?:is|are|be)\s+|\s+(?:in|for|by|to|of|with)$", "", words)
    return re.sub(r"(?:ions?|ed|es|s)$", "", bare)
