"""Examination questions: MedQA, MIRAGE, MMLU, MMLU-Pro, MedBullets.

MedQA       question, options (list `A. …` or by letter), answer (text), answer_idx (letter)
MIRAGE      question, options by letter, answer (letter), in the sections medqa, medmcqa,
            pubmedqa, bioasq and mmlu; HuatuoGPT-o1's eval_data.json has sections too
MMLU        question, choices, answer (index from 0); CSV without header: letter
MMLU-Pro    question, options (list), answer (letter), answer_index (from 0)
MedBullets  question, opa … ope, answer_idx (letter), answer (text)
MedMCQA     question, opa … opd, cop (index), choice_type, exp
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from data.benchmark_fields import (
    DISAGREE,
    SEVERAL,
    Reader,
    by_letter,
    has,
    item,
    letter_at,
    op_columns,
    whole_number,
)
from data.benchmark_medmcqa import MEDMCQA_READER
from data.benchmark_text import letter_meant, same
from data.question_fields import LETTERS, GoldOutOfRange, gold_letter, lettered
from data.question_files import Entry
from signatures.schema import Question


def read_medqa(entry: Entry, source: str, number: int) -> Question:
    """Read MedQA in both forms, MMLU-Pro and MIRAGE."""
    fields = entry.fields
    options = _options(fields["options"])
    letter, text = _letter(fields), fields.get("answer")
    if letter is None and isinstance(fields["options"], Mapping) and text in options:
        letter, text = text, None
    gold: str | None
    notes: tuple[str, ...] = ()
    if letter is None:
        gold = gold_letter(options, text, None)
    else:
        gold, notes = checked(options, letter, text if text != letter else None)
    return item(
        entry,
        source,
        number,
        text=fields["question"],
        options=options,
        gold=gold,
        id=fields.get("id", fields.get("question_id")),
        notes=notes,
    )


def checked(
    options: Mapping[str, str], letter: str, text: str | None
) -> tuple[str | None, tuple[str, ...]]:
    """Check a right letter against the text that the file gives with it.

    >>> checked({"A": "5 mg", "B": "10 mg"}, "B", "B. 10 mg")
    ('B', ())
    >>> checked({"A": "5 mg", "B": "10 mg"}, "B", "5 mg")
    (None, ("the right option's letter and text disagree: not scored",))

    Raises:
        GoldOutOfRange: The letter is no option.
    """
    if letter not in options:
        raise GoldOutOfRange(
            f"the answer letter {letter!r} is none of the options {', '.join(options)}"
        )
    meant = letter_meant(options, text) if text else letter
    if meant in (letter, None) or same(options[meant or letter]) == same(options[letter]):
        return letter, () if meant else ("the right answer's text is no single option's",)
    return None, (DISAGREE,)


def read_mmlu(entry: Entry, source: str, number: int) -> Question:
    """Read MMLU as JSON, with an index or letters as answer, or as its bare CSV."""
    fields = entry.fields
    choices = [fields[letter] for letter in "ABCD"] if entry.table else fields["choices"]
    options = by_letter(choices)
    answer = fields.get("answer")
    letters = [answer] if isinstance(answer, int | str) else list(answer or ())
    golds = [_as_letter(one) for one in letters]
    return item(
        entry,
        source,
        number,
        text=fields.get("question") or fields["problem_text"],
        options=options,
        gold=golds[0] if len(golds) == 1 else None,
        notes=(SEVERAL,) if len(golds) > 1 else (),
    )


def read_medbullets(entry: Entry, source: str, number: int) -> Question:
    """Read MedBullets with four or five options."""
    fields = entry.fields
    options = op_columns(fields)
    gold, notes = checked(options, str(fields["answer_idx"]).strip().upper(), fields.get("answer"))
    return item(
        entry, source, number, text=fields["question"], options=options, gold=gold, notes=notes
    )


def _options(given: Any) -> dict[str, str]:
    if isinstance(given, Mapping):
        return {str(letter): str(text) for letter, text in given.items() if text is not None}
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ValueError(f"field options: wanted a list or an object, got {given!r:.60}")
    texts = [str(text) for text in given]
    return lettered(texts) if len(texts) <= len(LETTERS) else by_letter(texts)


def _letter(fields: Mapping[str, Any]) -> str | None:
    if fields.get("answer_index") is not None:
        return letter_at(whole_number(fields["answer_index"]) or 0)
    letter = fields.get("answer_idx")
    return None if letter is None else str(letter).strip()


def _as_letter(answer: int | str) -> str:
    text = str(answer).strip()
    return letter_at(int(text)) if text.lstrip("-").isdigit() else text.upper()


EXAM_READERS: Sequence[Reader] = (
    Reader(
        "MMLU (question, choices, answer; or CSV without header)",
        lambda e: (
            has("choices", table=False)(e)
            or has("question", "A", "B", "C", "D", "answer", table=True)(e)
        ),
        read_mmlu,
    ),
    Reader("MedBullets (question, opa …, answer_idx)", has("opa", "answer_idx"), read_medbullets),
    MEDMCQA_READER,
)
"""Readers to be tried in this order; MedQA's, the widest, is tried last of all."""
MEDQA_READER = Reader(
    "MedQA, MIRAGE (question, options, answer)",
    has("question", "options", table=False),
    read_medqa,
)
