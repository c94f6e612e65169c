r"""Which option an answer means: the one reader of every program, metric and report.

The text is read in this order; the first step that finds something decides:

1. statements, the last one wins: `Answer: B`, `B is correct`, `\boxed{B}`, JSON, answer tags;
2. a line that holds nothing but a letter or an option's text;
3. a letter or option's text that opens the answer: `B, because …`, `Yes, the evidence …`;
4. words that abstain, or say that no option is right;
5. letters in brackets;
6. the one option's text that a short answer mentions, where nothing is negated.

A letter that is no option is never returned, and no text is ever taken for its first letter. What
an option's own text seems to state (`Answer: B` as the text of option A) is not a statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from metrics.answer_json import lift_objects
from metrics.answer_options import Options, option_table
from metrics.answer_steps import STEPS
from metrics.answer_text import plain, visible
from metrics.readings import UNPARSED, Reading, ReadingKind, reading_of

__all__ = ["Reading", "ReadingKind", "read_answer"]

MAX_DEPTH = 3
"""How many times an answer may be wrapped in JSON."""


def read_answer(text: str | None, options: Mapping[str, str]) -> Reading:
    """Read which option an answer means.

    Args:
        text: The answer as written; `None` and blank text are `unparsed`.
        options: Letter, A to J, to text. Empty for an open question: it has no letter to read.

    >>> options = {"A": "Metformin", "B": "Insulin", "C": "None of the above"}
    >>> read_answer("The answer is (B).", options).letter
    'B'
    >>> read_answer("insulin", options).letter, read_answer("None of these", options).letter
    ('B', 'C')
    >>> read_answer("A and C", options).kind, read_answer("Answer: F", options).kind
    ('ambiguous', 'out_of_range')
    >>> read_answer("Cannot tell", options).kind, read_answer("abstain", options).kind
    ('unparsed', 'abstained')
    """
    return _read(text, _table(tuple(sorted(options.items()))), depth=0)


@lru_cache(maxsize=4096)
def _table(options: tuple[tuple[str, str], ...]) -> Options:
    """The options; a text that states another letter stands for that letter too."""
    table = option_table(dict(options))
    blind = table._replace(groups=(), pattern=None, none=frozenset())
    seeming = {letter: _read(text, blind, depth=0).letter for letter, text in options}
    return table.widened({k: v for k, v in seeming.items() if v and k in table.letters})


def _read(value: Any, options: Options, *, depth: int) -> Reading:
    """Read a text, or a value found in JSON."""
    if value is None or depth > MAX_DEPTH:
        return UNPARSED
    if isinstance(value, list | tuple):
        return _join([_read(item, options, depth=depth + 1) for item in value], options)
    text, stated = lift_objects(
        visible(str(value)), partial(_read, options=options, depth=depth + 1)
    )
    text = options.mark(plain(text)).strip()
    if not text:
        return UNPARSED
    for step in STEPS:
        reading = step(text, options, stated)
        if reading is not None:
            return reading
    return UNPARSED


def _join(readings: list[Reading], options: Options) -> Reading:
    """Readings of a list's members as one."""
    if len(readings) == 1:
        return readings[0]
    letters = frozenset(letter for reading in readings for letter in reading.letters)
    return reading_of(letters, options) if letters else UNPARSED
