"""The entities that a region grows from: those of the sub-question and of its options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from retrievers.linking import EntityLinker
from retrievers.whole_name import NO_ENTITY
from signatures.schema import Link, Node


def option_links(linker: EntityLinker, options: Iterable[str]) -> list[Link]:
    """Link each option as one name, else the mentions in it; an option without any is kept."""
    links: list[Link] = []
    for option in options:
        whole = linker.link_name(option)
        links += [whole] if whole.node else [*linker.link(option)] or [whole]
    return links


def anchor_nodes(
    links: Iterable[Link], given: Sequence[Node], *, same_name: int
) -> tuple[Node, ...]:
    """Return V of the candidates: what is present, not negated, past or another person's.

    Args:
        links: of the sub-question and its options.
        given: further entities; they come first.
        same_name: nodes of one name that become anchors at most.
    """
    nodes = {node.index: node for node in given}
    for link in links:
        if link.node is not None and link.assertion == "present":
            for node in _same_name(link, same_name):
                nodes.setdefault(node.index, node)
    return tuple(nodes.values())


def unlinked_mentions(links: Iterable[Link]) -> tuple[str, ...]:
    """Return the mentions that no node was found for, each once; what needs none is left out."""
    lost = [link.mention for link in links if not (link.node or link.reason.endswith(NO_ENTITY))]
    return tuple(dict.fromkeys(lost))


def _same_name(link: Link, most: int) -> tuple[Node, ...]:
    """Return the nodes of a link that share its name and are no other thing by type."""
    kinds = {"disease", "effect/phenotype"}
    first = link.candidates[:1] or ((link.node,) if link.node else ())
    if not first or first[0].type not in kinds:
        return first
    alike = [node for node in link.candidates if node.type in kinds]
    return tuple(alike[:most])
