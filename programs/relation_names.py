"""Reading a relation that a model wrote: one of the graph's, or none. Never the nearest one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from data.relations import relation_table


def read_relation(text: str, relations: Sequence[str]) -> str | None:
    """Return the relation of the graph that a text names, `None` when it names none or several.

    The phrases of the relation table are read too, in both directions.

    >>> names = ("indication", "off-label use", "drug_drug", "protein_protein")
    >>> read_relation("Off_label use", names), read_relation("is indicated for", names)
    ('off-label use', 'indication')
    >>> read_relation("cures", names), read_relation("interacts with", names)
    (None, None)
    """
    found = _readings(tuple(relations)).get(_plain(text), frozenset())
    return next(iter(found)) if len(found) == 1 else None


@lru_cache(maxsize=16)
def _readings(relations: tuple[str, ...]) -> dict[str, frozenset[str]]:
    readings: dict[str, set[str]] = {}
    for relation in relations:
        for words in {_plain(relation), *_phrases(relation)}:
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
