"""What the readers of the benchmarks share: the table's row, and a question made with care."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from data.question_fields import LETTERS, GoldOutOfRange, make_question
from data.question_files import Entry
from signatures.schema import Question

DISAGREE = "the right option's letter and text disagree: not scored"
SEVERAL = "several options are right: not scored"
NO_KEY = "no key: not scored"
_SPLITS = {"train": "train", "dev": "dev", "val": "dev", "valid": "dev", "validation": "dev"}
_SPLITS["test"] = "test"


class Reader(NamedTuple):
    """One shape of question file."""

    name: str
    fits: Callable[[Entry], bool]
    """Tells whether an entry has this shape."""
    read: Callable[[Entry, str, int], Question]
    """Makes a question of an entry, the name of the source and the entry's number from 1."""
    own: bool = False
    """True for the shapes of qkgram itself: there a repeated id is an error."""
    settle: Callable[[Sequence[Entry]], Sequence[Entry]] | None = None
    """Adds to the entries what only the whole file tells, as MedMCQA's first index."""


def has(*names: str, table: bool | None = None) -> Callable[[Entry], bool]:
    """Make a `fits` that wants all these fields, and a table or not when that is given."""
    wanted = frozenset(names)
    return lambda entry: wanted <= entry.fields.keys() and table in (None, entry.table)


def item(
    entry: Entry,
    source: str,
    number: int,
    *,
    text: str,
    options: Mapping[str, str] | None = None,
    gold: str | None = None,
    id: object = None,
    reference: object = None,
    notes: Iterable[str] = (),
    **fields: Any,
) -> Question:
    """Make a benchmark's question; oddities become notes, nothing is left out.

    The gold option's text is the reference where the file gives none. More than ten options do not
    fit the letters A to J: such an item becomes a short-answer question that shows them in its
    text.

    Raises:
        GoldOutOfRange: The gold is no option.
    """
    options = {letter: str(words).strip() for letter, words in (options or {}).items()}
    said = list(notes)
    if gold is not None and gold not in options:
        raise GoldOutOfRange(f"the gold {gold} is none of the options {', '.join(options)}")
    right = options.get(gold or "") or None
    if gold is not None and right is None:
        gold = None
        fields["labelled"] = False
        said.append("the right option has no text: not scored")
    options = {letter: words for letter, words in options.items() if words}
    said += _doubled(options)
    if len(options) > len(LETTERS):
        said.append(f"{len(options)} options, more than ten: read as a short-answer question")
        text = text.strip() + "".join(f"\n{k}. {words}" for k, words in options.items())
        options, gold = {}, None
        fields["labelled"] = False
    return make_question(
        {
            "id": _id(entry, source, number, id),
            "source": entry.section or source,
            "text": text.strip(),
            "options": options,
            "gold": gold,
            "reference": (str(reference).strip() if reference else None) or right,
            "notes": tuple(said),
            **fields,
        }
    )


def _id(entry: Entry, source: str, number: int, given: object) -> str:
    name = entry.section or source
    if given is not None and str(given).strip():
        return str(given).strip()
    return f"{name}-{entry.key}" if entry.key else f"{name}-{number:05d}"


def _doubled(options: Mapping[str, str]) -> list[str]:
    texts = {" ".join(text.casefold().split()) for text in options.values()}
    return ["two options have one text"] if len(texts) < len(options) else []


def by_letter(texts: Iterable[object]) -> dict[str, str]:
    """Give texts the letters A, B, C …; `None` becomes an empty text and keeps its letter.

    >>> by_letter(["x", None, "z"])
    {'A': 'x', 'B': '', 'C': 'z'}
    """
    return {chr(ord("A") + i): "" if text is None else str(text) for i, text in enumerate(texts)}


def op_columns(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the options that stand in the columns opa, opb and so on."""
    return by_letter(fields[f"op{x}"] for x in LETTERS.lower() if fields.get(f"op{x}") is not None)


def letter_at(index: int) -> str:
    """Return the letter of an index that counts from 0.

    Raises:
        GoldOutOfRange: The index is negative or past Z.
    """
    if index not in range(26):
        raise GoldOutOfRange(f"the answer's index {index} is no option")
    return chr(ord("A") + index)


def whole_number(value: object) -> int | None:
    """Return an integer given as number or text; `None` for an empty value.

    >>> whole_number("3"), whole_number(2.0), whole_number(""), whole_number(None)
    (3, 2, None, None)

    Raises:
        ValueError: The value is no whole number.
    """
    if value is None or str(value).strip() in ("", "nan", "None"):
        return None
    number = float(str(value))
    if not number.is_integer():
        raise ValueError(f"wanted a whole number, got {value!r}")
    return int(number)


def split_of(value: object) -> str | None:
    """Return the split that a file names: `validation` is dev; `None` for any other word."""
    return _SPLITS.get(str(value).strip().lower())
