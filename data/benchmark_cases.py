"""MedDDx and AfrimedQA: options inside the text, options in a cell, short answers.

MedDDx           query (question and options in one text), answer (letter), sim_level_std
AfrimedQA JSON   query, answer, in the sections mcq_expert and saq_expert (KGARevion's form)
AfrimedQA CSV    question_type, question_clean, answer_options, correct_answer (`option2`),
                 answer_rationale, prompt, split
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from data.benchmark_fields import NO_KEY, SEVERAL, Reader, has, item, letter_at, split_of
from data.benchmark_text import letter_meant, mapping_in, options_inside
from data.question_fields import GoldOutOfRange
from data.question_files import Entry
from signatures.schema import Question

_KEY = re.compile(r"option\s*(\d+)", re.I)


def read_query(entry: Entry, source: str, number: int) -> Question:
    """Read a question that holds its own options; without options it is a short-answer one."""
    fields = entry.fields
    stem, options = options_inside(str(fields["query"]))
    answer = str(fields["answer"]).strip()
    if not options or entry.section.startswith("saq"):
        return item(entry, source, number, text=str(fields["query"]), reference=answer)
    gold = letter_meant(options, answer)
    if gold is None:
        raise GoldOutOfRange(f"the answer {answer!r:.40} is none of the options in the text")
    return item(entry, source, number, text=stem, options=options, gold=gold)


def read_afrimedqa(entry: Entry, source: str, number: int) -> Question:
    """Read AfrimedQA's table: multiple choice, short answers and consumers' queries."""
    fields = entry.fields
    given = fields.get("answer_options")
    kind = str(fields.get("question_type") or "").strip().lower()
    many = kind in ("", "mcq") and given not in (None, "", "{}")
    options = _options(given) if many else {}
    golds = keys_of(str(fields.get("correct_answer") or "")) if many else []
    text = str(fields.get("question_clean") or fields.get("question") or "")
    prompt = str(fields.get("prompt") or "").strip()
    return item(
        entry,
        source,
        number,
        text=f"{prompt}\n{text.strip()}" if prompt and not many else text,
        options=options,
        gold=golds[0] if len(golds) == 1 else None,
        id=fields.get("sample_id"),
        reference=None if many else fields.get("answer_rationale") or fields.get("correct_answer"),
        notes=_notes(golds) if many else (),
        split=split_of(fields.get("split")),
    )


def keys_of(key: str) -> list[str]:
    """Return the letters of AfrimedQA's key: the whole number counts, not its first digit.

    >>> keys_of("option10"), keys_of("option1,option3"), keys_of("")
    (['J'], ['A', 'C'], [])
    """
    return [letter_at(int(digits) - 1) for digits in _KEY.findall(key)]


def _options(given: object) -> dict[str, str]:
    """Options by number: `option3` is C, also where `option2` is missing."""
    found = ((_KEY.fullmatch(key.strip()), text) for key, text in mapping_in(given).items())
    return {letter_at(int(match[1]) - 1): text for match, text in found if match}


def _notes(golds: Sequence[str]) -> tuple[str, ...]:
    if len(golds) == 1:
        return ()
    return (SEVERAL,) if golds else (NO_KEY,)


CASE_READERS: Sequence[Reader] = (
    Reader(
        "MedDDx, AfrimedQA JSON (query, answer)", has("query", "answer", table=False), read_query
    ),
    Reader(
        "AfrimedQA (question_type, question_clean, answer_options, correct_answer)",
        has("question_type", "answer_options", "correct_answer"),
        read_afrimedqa,
    ),
)
"""Readers of this file."""
