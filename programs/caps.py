"""How many tokens a model may write, per kind of step."""

from __future__ import annotations

from typing import NamedTuple


class Caps(NamedTuple):
    """Largest number of completion tokens of one call."""

    classification: int = 96
    reasoning: int = 384
    synthesis: int = 256


#: ReGraM B.1 prints 256, 512 and 1024; ours are tighter because a local model writes about eleven
#: tokens a second and a constrained answer never needs more.
PAPER_CAPS = Caps(classification=256, reasoning=512, synthesis=1024)
