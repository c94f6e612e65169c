"""The reviewers by name: nobody, a model, or RotatE trained on the graph."""

from __future__ import annotations

from typing import Literal

from programs.caps import Caps
from programs.review import LMReviewer, Reviewer
from programs.toolbox import Toolbox

ReviewerKind = Literal["none", "lm", "rotate"]
"""Who checks proposed triplets."""


def open_reviewer(kind: ReviewerKind, tools: Toolbox, *, caps: Caps = Caps()) -> Reviewer | None:
    """Return the reviewer of this name; `None` for `none`.

    Raises:
        MissingError: `rotate` was not trained on this graph; the message holds the command.
    """
    if kind == "none":
        return None
    if kind == "lm":
        return LMReviewer(caps=caps)
    from programs.review_rotate import open_reviewer as open_rotate

    reviewer: Reviewer = open_rotate(tools.graph)
    return reviewer
