"""A text while mentions are looked for in it: its words, its sentences, and what is taken."""

from __future__ import annotations

import re

from retrievers.abbreviations import definitions
from retrievers.lexicon import Lexicon
from retrievers.normalise import Token, normal_word, tokens
from retrievers.wordlists import NOT_A_MENTION

SHORT_WORD = 3
"""A single word of at most this many letters is no name in a running text; symbols are apart."""

SHOUTED = 0.6
"""Share of long words in capitals above which case tells nothing."""

STOP = frozenset(normal_word(word) for word in NOT_A_MENTION)
"""Words that are no mention of their own, normalised."""

_SENTENCE_END = re.compile(r"[.;:!?](?:\s|$)|\n|\s[-\u2013\u2014]\s")


class Scan:
    """One pass over one text."""

    def __init__(self, lexicon: Lexicon, text: str) -> None:
        self.lexicon = lexicon
        self.text = text
        self.words = tokens(text)
        self.defined = {found.short: found.long for found in definitions(text)}
        self.shouted = _is_shouted(text)
        self.sentence = self._sentences()
        self.covered = [False] * len(self.words)

    def cover(self, at: int, size: int) -> None:
        """Mark words as part of a mention."""
        self.covered[at : at + size] = [True] * size

    def place(self, at: int, size: int) -> tuple[str, int, int]:
        """Return the characters of some words, and where they begin and end."""
        start, end = self.words[at].start, self.words[at + size - 1].end
        return self.text[start:end], start, end

    def room(self, at: int) -> int:
        """Return how many words a mention can have that begins here: it ends with its sentence."""
        return self.sentence[at] - at

    def _sentences(self) -> list[int]:
        """For each word, the index one past the last word of its sentence."""
        ends = [match.start() for match in _SENTENCE_END.finditer(self.text)]
        after, cut, last = [], len(self.words), len(ends) - 1
        for at in range(len(self.words) - 1, -1, -1):
            while last >= 0 and _closes(self.words, at, ends[last]):
                cut, last = at + 1, last - 1
            after.append(cut)
        return after[::-1]


def _is_shouted(text: str) -> bool:
    """Say whether a text is written in capitals.

    >>> _is_shouted("PATIENT WITH SEVERE ASTHMA"), _is_shouted("62M w/ HTN, T2DM, CKD")
    (True, False)
    """
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > SHORT_WORD]
    shouting = sum(word.isupper() for word in words)
    return len(words) > 1 and shouting > SHOUTED * len(words)


def _closes(words: list[Token], at: int, end: int) -> bool:
    return words[at].end <= end
