"""Evidence is cut by rank and by tokens, never by characters; what was left out is said.

Tokens are estimated without a tokenizer: every model has its own, and a prompt must be the same on
every machine. Over 15 facts the estimate is 0.95 to 1.4 times what the sentence encoder's tokenizer
counts (`tests/programs/test_trimming.py`), so a budget is exceeded by a twentieth at most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

EVIDENCE_TOKENS = 420
"""Of the evidence in one prompt: K = 15 triplets of 25 tokens, and their ids. With instructions and
a long sub-question a prompt then stays below 900."""
FINDINGS_TOKENS = 500
"""Of the findings that an answer is chosen from: a report on five options, each with its reason."""
SYNTHESIS_TOKENS = 760
"""Of question, options and findings together; findings give way to a long case."""
FEWEST = 150
"""Tokens that the findings get even beside the longest case."""
PIECE = 4
"""Letters of a word per token: WordPiece cuts long medical words into pieces of about four."""

_PARTS = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")


class Kept(NamedTuple):
    """Lines that fit a budget, and how many did not."""

    text: str
    left_out: int


def count_tokens(text: str) -> int:
    """Estimate the tokens of a text: pieces of words, single digits and signs.

    >>> count_tokens("Metformin is indicated for gout"), count_tokens("eGFR 24.5"), count_tokens("")
    (9, 5, 0)
    """
    return sum(-(-len(part) // PIECE) for part in _PARTS.findall(text))


def keep_ranked(lines: str, *, budget: int = EVIDENCE_TOKENS) -> Kept:
    r"""Keep the first lines, best first, that fit; a last line says how many were left out.

    The first line is always kept: without evidence there is nothing to answer from.

    >>> keep_ranked("e1: gout\ne2: pain\ne3: fever", budget=8)
    Kept(text='e1: gout\ne2: pain\n(1 of lower rank left out)', left_out=1)
    """
    ranked = lines.splitlines()
    spent, fit = 0, 0
    for line in ranked:
        spent += count_tokens(line)
        if fit and spent > budget:
            break
        fit += 1
    left_out = len(ranked) - fit
    note = [f"({left_out} of lower rank left out)"] if left_out else []
    return Kept("\n".join([*ranked[:fit], *note]), left_out)


def findings_beside(lines: str, *others: str) -> str:
    """Shorten findings to what the other fields of their prompt leave, 150 to 500 tokens."""
    room = SYNTHESIS_TOKENS - sum(map(count_tokens, others))
    return shorten_each(lines, budget=max(FEWEST, min(FINDINGS_TOKENS, room)))


def shorten_each(lines: str, *, budget: int) -> str:
    """Shorten the longest lines until all fit, so that each keeps its beginning.

    Short lines are kept whole; what they do not need goes to the long ones.
    """
    texts = lines.splitlines()
    room = _shares([count_tokens(text) for text in texts], budget)
    return "\n".join(cut(text, tokens) for text, tokens in zip(texts, room, strict=True))


def cut(text: str, tokens: int) -> str:
    """Cut a text after its last whole word within so many tokens.

    >>> cut("Metformin lowers glucose", 6), cut("gout", 3)
    ('Metformin lowers …', 'gout')
    """
    if count_tokens(text) <= tokens:
        return text
    words = text.split()
    while words and count_tokens(" ".join(words)) + 1 > tokens:
        words.pop()
    return " ".join([*words, "…"])


def _shares(sizes: Sequence[int], budget: int) -> list[int]:
    """Divide a budget so that nobody gets more than its size and the rest is shared alike.

    >>> _shares([2, 50, 50], 42)
    [2, 20, 20]
    """
    shares = [0] * len(sizes)
    rest = budget
    for place, number in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        shares[number] = min(sizes[number], rest // (len(sizes) - place))
        rest -= shares[number]
    return shares
