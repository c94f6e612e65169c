"""The options of a question, as they occur in an answer's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from metrics.answer_text import plain, visible

LETTERS = "ABCDEFGHIJ"
"""Letters that an option can have."""

_FIRST_MARK = 0xE000
MARKS = f"[{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + 2 * len(LETTERS) - 1)}]"
"""Pattern of the private characters that stand for an option's text."""

_NONE_OF = (
    r"none(?:\s+of\s+(?:the|these|those|them)\b)?"
    r"(?:\s+(?:above|below|following|given|listed|other|options?|choices?|answers?|alternatives?))*"
)
NONE = (
    rf"(?:{_NONE_OF}|no\s+(?:option|choice|answer|alternative)s?)\b"
    r"(?:\s+(?:is|are|was|were)\s+(?:correct|right|true|appropriate|suitable|applicable|valid)\b"
    r"|\s+(?:apply|applies|fits?)\b)?"
)
"""Pattern of a statement that no option is right."""

_IS_NONE = re.compile(NONE, re.I)


class Options(NamedTuple):
    """Letters and texts of a question's options, and how to find the texts."""

    letters: frozenset[str]
    groups: tuple[frozenset[str], ...]
    """Letters that a text stands for; more than one when options share it."""
    pattern: re.Pattern[str] | None
    """Finds any option's text, the longest first; its n-th capture is the n-th group."""
    none: frozenset[str]
    """Letters of "none of the above"."""

    def mark(self, text: str) -> str:
        """Put a private character in the place of every option's text.

        >>> options = option_table({"A": "Metformin", "B": "Insulin glargine"})
        >>> text = options.mark("metformin, not insulin  glargine")
        >>> len(text), options.marked(text[0]), options.marked(text[-1])
        (8, frozenset({'A'}), frozenset({'B'}))
        """
        return text if self.pattern is None else self.pattern.sub(self._mark, text)

    def _mark(self, found: re.Match[str]) -> str:
        group = (found.lastindex or 1) - 1
        return chr(_FIRST_MARK + 2 * group + found[0][:1].islower())

    def marked(self, mark: str) -> frozenset[str]:
        """Return the letters that a private character stands for."""
        return self.groups[(ord(mark) - _FIRST_MARK) // 2]

    def widened(self, extra: Mapping[str, str]) -> Options:
        """Let the text of an option also stand for another letter, the one it seems to state."""
        groups = tuple(g | {extra[x] for x in g if x in extra} for g in self.groups)
        return self._replace(groups=groups)


def option_table(options: Mapping[str, str]) -> Options:
    """Make the table of a question's options; a letter outside A to J is left out."""
    texts = {k: _key(plain(visible(v))) for k, v in options.items() if k in LETTERS and len(k) == 1}
    groups: dict[str, set[str]] = {}
    for letter, text in texts.items():
        if text and not (len(text) == 1 and text.upper() in texts):
            groups.setdefault(text, set()).add(letter)
    keys = sorted(groups, key=len, reverse=True)
    return Options(
        letters=frozenset(texts),
        groups=tuple(frozenset(groups[key]) for key in keys),
        pattern=re.compile("|".join(f"({_find(key)})" for key in keys), re.I) if keys else None,
        none=frozenset(k for k, text in texts.items() if _IS_NONE.fullmatch(text)),
    )


def is_lower(mark: str) -> bool:
    """Tell whether the text behind a private character began with a lower-case letter."""
    return (ord(mark) - _FIRST_MARK) % 2 == 1


def _key(text: str) -> str:
    """Text to compare by: one line, lower case unless it is a single character."""
    key = " ".join(text.split()).rstrip(" .;,")
    return key if len(key) == 1 else key.lower()


def _find(key: str) -> str:
    """Pattern of one option's text as whole words and whole numbers."""
    body = r"\s+".join(re.escape(word) for word in key.split())
    if len(key) == 1 and key.isalpha():
        body = f"(?-i:{re.escape(key)})"
    before = r"(?<!\w)(?<!\d[.,])" + (r"(?<![-<>=/])" if key[0].isdigit() else "")
    return rf"{before}{body}(?!\w)(?![.,]\d)"
