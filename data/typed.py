"""A question as a person types it: the stem, then the options on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from signatures.errors import InputError
from signatures.schema import Question

LETTERS = "ABCDEFGHIJ"
"""An option's letter is one of these; a question has at most as many options."""

LONGEST = 20_000
"""Characters of a question at most: ten times the longest MedQA vignette."""

_OPTION = re.compile(r"^\s*\(?([A-Ja-j])[.):]\s+(\S.*)$")


def read_typed(text: str) -> Question:
    r"""Read a typed question; trailing lines such as `B. Linagliptin` become its options.

    Raises:
        InputError: The text is blank or too long, its option letters do not run A, B, C …, or an
            option is empty or stands there twice.

    >>> q = read_typed("Which drug?\nA. Metformin\n(b) Linagliptin")
    >>> q.text, q.options
    ('Which drug?', {'A': 'Metformin', 'B': 'Linagliptin'})
    """
    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} characters, got {len(text):,}")
    lines = text.strip().splitlines()
    start = len(lines)
    while start and _OPTION.match(lines[start - 1]):
        start -= 1
    stem = "\n".join(lines[:start]).strip()
    if not stem:
        raise InputError('expected a question, got nothing to ask; try: qkgram ask "Which drug …?"')
    options = _read_options(lines[start:])
    digest = sha256(text.strip().encode()).hexdigest()[:12]
    return Question(
        id=f"typed-{digest}", source="user", text=stem, options=_checked(tuple(options.values()))
    )


def with_options(question: Question, texts: Sequence[str]) -> Question:
    """Return the question with options that were given apart from its text.

    Raises:
        InputError: The text has options too, there are more than ten, or one is empty or doubled.

    >>> asked = Question(id="q", source="user", text="Which drug?")
    >>> with_options(asked, ["Metformin", "Linagliptin"]).options
    {'A': 'Metformin', 'B': 'Linagliptin'}
    """
    if texts and question.options:
        raise InputError("options stand in the question and in --option: give them in one place")
    options = _checked(texts) if texts else question.options
    return question.model_copy(update={"options": options})


def _checked(texts: Sequence[str]) -> dict[str, str]:
    """Letter the options."""
    if len(texts) > len(LETTERS):
        raise InputError(f"expected at most {len(LETTERS)} options, got {len(texts)}")
    options = {letter: text.strip() for letter, text in zip(LETTERS, texts, strict=False)}
    for letter, text in options.items():
        if not text:
            raise InputError(f"option {letter} is empty: give it a text or leave it out")
    if len(set(map(str.casefold, options.values()))) < len(options):
        raise InputError("two options are the same: every option needs a text of its own")
    return options


def _read_options(lines: list[str]) -> dict[str, str]:
    found = [match for match in map(_OPTION.match, lines) if match]
    options = {match[1].upper(): match[2].strip() for match in found}
    expected = LETTERS[: len(found)]
    if "".join(options) != expected:
        raise InputError(
            f"expected options lettered {', '.join(expected)}, got {', '.join(m[1] for m in found)}"
        )
    return options
