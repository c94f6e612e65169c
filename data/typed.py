"""A question as a person types it: the stem, then the options at its end or apart from it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from data.question_fields import LETTERS
from data.typed_options import lettered_end, split_typed
from signatures.errors import InputError
from signatures.schema import Question

__all__ = ["LETTERS", "LONGEST", "read_typed", "with_options"]

LONGEST = 20_000
"""Characters of a question at most: ten times the longest MedQA vignette."""


def read_typed(text: str, *, options: Sequence[str] = ()) -> Question:
    r"""Read a typed question; what `data.typed_options` reads at its end becomes its options.

    Args:
        text: The question.
        options: Options that are given apart from it; numbered or dashed lines then stay its own.

    Raises:
        InputError: The text is blank or too long, its option letters do not run A, B, C …, lines
            look like options and may be none, options stand in both places, there are more than
            ten, or one is empty or doubled.

    >>> q = read_typed("Which drug?\nA. Metformin\n(b) Linagliptin")
    >>> q.text, q.options
    ('Which drug?', {'A': 'Metformin', 'B': 'Linagliptin'})
    """
    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} characters, got {len(text):,}")
    stem, found = lettered_end(text) if options else split_typed(text)
    if not stem:
        raise InputError('expected a question, got nothing to ask; try: qkgram ask "Which drug …?"')
    digest = sha256(text.strip().encode()).hexdigest()[:12]
    typed = Question(id=f"typed-{digest}", source="user", text=stem, options=_checked(found))
    return with_options(typed, options)


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
