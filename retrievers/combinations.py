"""Fixed combinations of drugs: "sacubitril/valsartan" is its components, each a node of its own."""

from __future__ import annotations

import re

from retrievers.lexicon import Lexicon
from retrievers.names import Reading
from retrievers.normalise import normalise
from signatures.schema import Node

_JOINT = re.compile(r"\s*(?:/|\+|&)\s*|\s+(?:and|with|plus)\s+|(?<=\w)[-\u2013](?=[A-Za-z])")
PARTS_MAX = 4


def components(lexicon: Lexicon, name: str) -> tuple[Node, ...]:
    """Return the drugs of a combination in order; empty when a part is no drug of the graph.

    A brand of the synonym table whose name joins drugs with " + " is a combination too.
    """
    known = lexicon.index.combinations.get(normalise(name))
    if known:
        return tuple(node for nodes in known for node in lexicon.order(nodes)[:1])
    parts = [part for part in _JOINT.split(name) if part.strip()]
    if not 1 < len(parts) <= PARTS_MAX:
        return ()
    drugs = [_drug(lexicon, part) for part in parts]
    found = [node for node in drugs if node is not None]
    return tuple(dict.fromkeys(found)) if len(found) == len(parts) else ()


def _drug(lexicon: Lexicon, name: str) -> Node | None:
    key = normalise(name)
    reading: Reading | None = lexicon.index.read(key) or lexicon.index.short.get(name.strip())
    nodes = lexicon.order(reading.nodes) if reading else []
    return nodes[0] if nodes and nodes[0].type == "drug" else None
