"""MedMCQA: question, opa … opd, cop (index of the right option), choice_type, exp.

The authors' files count `cop` from 1, the hub's from 0, and the test split has -1 for "no key".
The file itself tells which: by a 0 or a 4, else by the options that its explanations name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from data.benchmark_fields import NO_KEY, Reader, has, item, letter_at, op_columns, whole_number
from data.question_fields import LETTERS
from data.question_files import Entry
from signatures.schema import Question

SHORTEST = 4
"""Characters that an option's text needs to be looked for in the explanation."""
_NAMED = re.compile(
    r"\bans(?:wer)?\b\W{0,5}(?:(?:is|option)\b\W{0,5})?([a-d])(?=['\").:,]|\s*$|\s+i\.?e\b)", re.I
)


def read_medmcqa(entry: Entry, source: str, number: int) -> Question:
    """Read MedMCQA once `settle_medmcqa` has told where its index starts."""
    fields = entry.fields
    options = op_columns(fields)
    index, start = whole_number(fields.get("cop")), fields.get("cop_starts_at")
    notes, gold = [], None
    if index in (None, -1):
        notes.append(NO_KEY)
    elif start is None:
        notes.append("the file does not show whether cop counts from 0 or 1: not scored")
    else:
        gold = letter_at((index or 0) - start)
    named = _explained(fields)
    if gold and named is not None and letter_at(named) != gold:
        notes.append("the explanation names another option than the key")
    if str(fields.get("choice_type", "")).strip().lower().startswith("multi"):
        notes.append("several options may be right: the one key is scored")
    return item(
        entry,
        source,
        number,
        text=fields["question"],
        options=options,
        gold=gold,
        id=fields.get("id"),
        notes=notes,
    )


def settle_medmcqa(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Tell each entry where `cop` starts; the two releases of MedMCQA differ.

    Raises:
        ValueError: The file holds both 0 and 4.
    """
    keys = [whole_number(entry.fields.get("cop")) for entry in entries]
    start = first_index(zip(keys, (_explained(entry.fields) for entry in entries), strict=True))
    return [entry._replace(fields={**entry.fields, "cop_starts_at": start}) for entry in entries]


def first_index(keys: Iterable[tuple[int | None, int | None]]) -> int | None:
    """Tell whether keys count from 0 or from 1; `None` when nothing shows it.

    Args:
        keys: Each question's key, and the index from 0 that its explanation names.

    >>> first_index([(0, None), (3, None)]), first_index([(4, None), (1, None)])
    (0, 1)
    >>> first_index([(2, 1), (3, 2), (1, None)]), first_index([(2, None)])
    (1, None)

    Raises:
        ValueError: There are both 0 and 4.
    """
    pairs = [(key, named) for key, named in keys if key not in (None, -1)]
    given = {key for key, _ in pairs}
    if {0, 4} <= given:
        raise ValueError("cop is 0 in one question and 4 in another: wanted 0 to 3 or 1 to 4")
    if given & {0, 4}:
        return 0 if 0 in given else 1
    shifts = [key - named for key, named in pairs if key is not None and named is not None]
    zero, one = shifts.count(0), shifts.count(1)
    return None if zero == one else int(one > zero)


def _explained(fields: Mapping[str, Any]) -> int | None:
    """Index from 0 of the option that the explanation names: by letter, else by its text."""
    said = str(fields.get("exp") or "")
    lettered_option = _NAMED.search(said)
    if lettered_option:
        return LETTERS.index(lettered_option[1].upper())
    whole = f" {_words(said)} "
    texts = [_words(text) for text in op_columns(fields).values()]
    held = [i for i, text in enumerate(texts) if len(text) >= SHORTEST and f" {text} " in whole]
    return held[0] if len(held) == 1 else None


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


MEDMCQA_READER = Reader(
    "MedMCQA (question, opa …, cop)",
    has("question", "opa", "opb"),
    read_medmcqa,
    settle=settle_medmcqa,
)
"""To be tried after MedBullets, whose columns it shares."""
