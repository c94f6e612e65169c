"""Where the nodes of a region stand: hubs inside, the rest on a ring, each near its hub."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

Position = tuple[float, float]
"""Left to right and top to bottom, each from -1 to 1."""

Near = list[dict[int, None]]
"""Neighbours of every node, in the order in which the edges name them."""

INNER = 0.46
"""Distance of hubs from the middle, where there are several."""

BULGE = 0.8
"""How round the ring is: 1 is a circle, 0 two columns."""


def layout(edges: Sequence[tuple[int, int]], *, anchors: Collection[int] = ()) -> list[Position]:
    """Place the nodes 0 … n-1 of a small graph, the same way each time.

    A region of 15 triplets is nearly a star or two: networkx's circular layout, in the order of the
    hubs, with every hub at the mean of its own ring nodes. Each half of the ring is then spaced
    evenly from top to bottom: names are written beside the nodes, and none covers another.

    Args:
        edges: Both ends of each edge.
        anchors: Nodes the region was built around: they are hubs when they have neighbours.

    >>> layout([(0, 1), (0, 2)], anchors=[0])
    [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)]
    >>> layout([])
    []
    """
    if not edges:
        return []
    near: Near = [{} for _ in range(1 + max(map(max, edges)))]
    for a, b in edges:
        near[a].setdefault(b)
        near[b].setdefault(a)
    hubs = _hubs(near, frozenset(anchors))
    owner = _owners(near, hubs)
    found = _spread(_ring(near, owner) or hubs)
    for number, hub in enumerate(hubs if len(hubs) < len(near) else ()):
        own = [found[n] for n in near[hub] if owner.get(n) == hub]
        found[hub] = _middle(own, 2 * math.pi * number / len(hubs), alone=len(hubs) == 1)
    return [found[n] for n in range(len(near))]


def _hubs(near: Near, anchors: Collection[int]) -> list[int]:
    """Anchors with two neighbours or more and every busy node, else the busiest."""
    busy = max(2, len(near) / 6)
    hubs = [n for n, others in enumerate(near) if len(others) > (1 if n in anchors else busy)]
    return hubs or [max(range(len(near)), key=lambda n: len(near[n]))]


def _owners(near: Near, hubs: Sequence[int]) -> dict[int, int]:
    """The first hub that each other node touches; -1 where it touches none."""
    owner = {n: -1 for n in range(len(near)) if n not in hubs}
    for hub in reversed(hubs):
        owner.update((n, hub) for n in near[hub] if n in owner)
    return owner


def _ring(near: Near, owner: Mapping[int, int]) -> list[int]:
    """Order the ring: hub by hub, and a node that touches no hub beside the one it hangs on."""
    ring: dict[int, None] = {}
    for node in sorted(owner, key=lambda n: (owner[n] < 0, owner[n], n)):
        ring.setdefault(node)
        for further in near[node]:
            if owner.get(further) == -1:
                ring.setdefault(further)
    return list(ring)


def _spread(ring: Sequence[int]) -> dict[int, Position]:
    """Space the right and the left half of a ring evenly in height, in the order of the ring."""
    import networkx as nx

    places = nx.circular_layout(ring)
    # From the top clockwise: the first half goes down on the right, the second up on the left.
    turned = sorted(ring, key=lambda n: math.atan2(places[n][0], -places[n][1]) % math.tau)
    half = (len(turned) + 1) // 2
    found: dict[int, Position] = {}
    for side, sign in ((turned[:half], 1.0), (turned[half:][::-1], -1.0)):
        for number, node in enumerate(side):
            y = -1 + 2 * (number + 0.5) / len(side)
            found[node] = (sign * math.sqrt(1 - BULGE * y * y), y)
    return found


def _middle(own: Sequence[Position], angle: float, *, alone: bool) -> Position:
    """Put a hub towards the mean of its ring nodes; one hub alone stands in the middle."""
    if alone:
        return (0.0, 0.0)
    x, y = sum(p[0] for p in own), sum(p[1] for p in own)
    length = math.hypot(x, y)
    if length < 1e-6:
        return (INNER * math.cos(angle), INNER * math.sin(angle))
    return (INNER * x / length, INNER * y / length)
