"""The fields of a question as files write them: letters, answers, flags."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from signatures.schema import Question

LETTERS = "ABCDEFGHIJ"
"""An option's letter is one of these; a question has at most as many options."""
_LETTERED = re.compile(r"^\s*\(?([A-J])[.):]\s+(?=\S)")


class GoldOutOfRange(ValueError):
    """The right answer of a question is none of its options."""


def lettered(texts: Sequence[str]) -> dict[str, str]:
    """Give a list of options its letters; `A. text` loses a letter that fits its place.

    >>> lettered(["A. Chloramphenicol", "B. Gentamicin"]), lettered(["yes", "no"])
    ({'A': 'Chloramphenicol', 'B': 'Gentamicin'}, {'A': 'yes', 'B': 'no'})

    Raises:
        ValueError: There are more options than letters.
    """
    if len(texts) > len(LETTERS):
        raise ValueError(f"wanted at most {len(LETTERS)} options, got {len(texts)}")
    found = [_LETTERED.match(text) for text in texts]
    if all(match and match[1] == LETTERS[i] for i, match in enumerate(found)):
        texts = [text[match.end() :] for text, match in zip(texts, found, strict=True) if match]
    return {LETTERS[i]: text.strip() for i, text in enumerate(texts)}


def gold_letter(options: Mapping[str, str], text: str | None, letter: str | None) -> str:
    """Return the letter of the right option, from its text, checked against a letter if given.

    >>> gold_letter({"A": "5 mg", "B": "10 mg"}, "10 mg", None)
    'B'

    Raises:
        ValueError: No option or several have the text, or letter and text disagree.
    """
    if letter is not None and letter not in options:
        raise GoldOutOfRange(
            f"the answer letter {letter!r} is none of the options {_letters(options)}"
        )
    if text is None:
        if letter is None:
            raise ValueError("the answer is missing")
        return letter
    same = [key for key, option in options.items() if option.strip() == text.strip()]
    if letter is None and len(same) == 1:
        return same[0]
    if letter is None:
        found = f"{_letters(options, same)} all have it" if same else "no option has it"
        raise ValueError(f"the answer is given as {text!r}, but {found}")
    if letter not in same:
        raise ValueError(f"the answer letter is {letter}, but its text is {text!r}")
    return letter


LONGEST = 100_000
"""Characters of a question; a vignette has a few thousand."""


def make_question(fields: Mapping[str, Any]) -> Question:
    """Make a question; without `labelled` it is scored when it has a gold, in either case.

    Raises:
        ValueError: A field is unknown, missing or wrong, or the gold is no option.
    """
    given = fields.get("gold")
    gold = given.strip().upper() if isinstance(given, str) else given
    of_case = {"gold": gold} if isinstance(gold, str) and gold in set(LETTERS) else {}
    try:
        question = Question.model_validate({"labelled": gold is not None, **fields, **of_case})
    except ValidationError as error:
        raise ValueError(wording(error.errors(include_url=False)[0])) from error
    if len(question.text) > LONGEST:
        raise ValueError(
            f"field text: wanted at most {LONGEST:,} characters, got {len(question.text):,}: "
            "is it one question?"
        )
    if question.gold is not None and question.gold not in question.options:
        raise GoldOutOfRange(
            f"the gold {question.gold} is none of the options {_letters(question.options)}"
        )
    return question


_WANTED = {
    "string_type": "wanted text",
    "dict_type": "wanted an object of letters and texts",
    "bool_type": "wanted true or false",
    "bool_parsing": "wanted true or false",
    "string_pattern_mismatch": f"wanted a letter from {LETTERS[0]} to {LETTERS[-1]}",
    "tuple_type": "wanted a list",
}
"""What a field wants, by pydantic's name of the error."""

_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (str, "text"),
    (bool, "true or false"),
    ((int, float), "a number"),
    (Mapping, "an object"),
    (list, "a list"),
)


def wording(error: ErrorDetails) -> str:
    """Say which field of a question is wrong, what it wants and what came, as a user writes it.

    >>> wording({"type": "string_type", "loc": ("options", "B"), "msg": "", "input": None})
    'field options.B: wanted text, got nothing (null)'
    """
    path = [str(part) for part in error["loc"] if part != "[key]"]
    where = ".".join(path) or "question"
    if error["type"] == "missing":
        return f"the field {where} is missing"
    if error["type"] == "extra_forbidden":
        near = get_close_matches(where, Question.model_fields, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(Question.model_fields)}"
        return f"field {where}: a question has no such field; {hint}"
    wanted = _WANTED.get(error["type"])
    if error["type"] == "literal_error":
        wanted = f"wanted {error['ctx']['expected'].replace(chr(39), '')}"
    came = "nothing (null)" if error["input"] is None else f"{error['input']!r:.60}"
    return f"field {where}: {wanted or error['msg']}, got {came}"


def kind(value: object) -> str:
    """Name the kind of a value as it stands in a file.

    >>> kind(3), kind({"A": "x"}), kind(None), kind(True)
    ('a number', 'an object', 'nothing', 'true or false')
    """
    return next((name for types, name in _KINDS if isinstance(value, types)), "nothing")


def _letters(options: Mapping[str, str], letters: Sequence[str] | None = None) -> str:
    return ", ".join(options if letters is None else letters) or "(none)"
