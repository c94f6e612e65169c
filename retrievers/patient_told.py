"""The mentions of a text that may become facts: a linker's, and those of the packaged tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from retrievers.patient_mentions import find_mentions
from signatures.schema import Assertion, Link, Node

Linker = Callable[[str], tuple[Link, ...]]


class Told(NamedTuple):
    """A mention with its place, node and reading."""

    start: int
    end: int
    kind: Literal["diagnosis", "medication"]
    node: Node | None
    assertion: Assertion | None
    """As the linker asserts it; `None` when the vocabulary found it."""


def mentions_told(text: str, link: Linker | None) -> list[Told]:
    """Return the mentions of the linker and of the tables, the longer one where they overlap.

    >>> [text.start for text in mentions_told("She has gout and asthma.", None)]
    [8, 17]
    """
    own = [Told(m.start, m.end, m.kind, None, None) for m in find_mentions(text)]
    if link is None:
        return own
    linked = []
    for found in link(text):
        if found.node is None or found.node.type not in ("disease", "effect/phenotype", "drug"):
            continue
        kind: Literal["diagnosis", "medication"] = (
            "medication" if found.node.type == "drug" else "diagnosis"
        )
        linked.append(Told(found.start, found.end, kind, found.node, found.assertion))
    kept = list(linked)
    for mention in own:
        over = [k for k in linked if k.start < mention.end and mention.start < k.end]
        if not over:
            kept.append(mention)
        elif all(mention.end - mention.start > k.end - k.start for k in over):
            kept = [k for k in kept if k not in over] + [mention]
    return sorted(kept, key=lambda told: (told.start, told.end, told.kind))
