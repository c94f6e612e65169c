"""A doubt that stands before a name: "?DKA", "query PE", "DDx: gout vs septic arthritis"."""

from __future__ import annotations

import re

REACH = 160
"""Characters before a name in which its doubt may stand."""

_OR = r"(?:/|\bor\b|\bvs\b\.?|\bversus\b)"
_ASKED = re.compile(
    rf"(?:(?<![\w?)])\?|\bquery\b)\s?(?:[^.;,?!\n]{{0,60}}{_OR}\s*)?(?:[\w-]+\s+){{0,2}}$",
    re.IGNORECASE,
)
_DIFFERENTIAL = re.compile(
    r"\b(?:D/?Dx\b|D/D\b|DD\s*:|differentials?\b(?:\s+diagnos[ei]s)?)"
    r"(?:(?!\b(?:she|he|patient|PMHx?|history|known|background)\b)(?:[^.!?\n]|(?<=\bvs)\.|\n\s*[-*\u2022]|"
    r"\n\s*\d\.|\.(?=\d)))*$",
    re.IGNORECASE,
)


def queried(before: str) -> bool:
    """Say whether the text before a name leaves it open, alone or in a list.

    >>> [queried(text) for text in ("?", "query ", "DDx: gout vs ", "Differential includes ")]
    [True, True, True, True]
    >>> [queried(text) for text in ("Has he gout? ", "?PE, known ", "diagnoses: ")]
    [False, False, False]
    """
    return bool(_ASKED.search(before) or _DIFFERENTIAL.search(before))
