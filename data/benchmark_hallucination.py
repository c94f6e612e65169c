"""Hallucination tests: MedHallu and Med-HALT (ReGraM §4.2).

MedHallu        Question, Knowledge, Ground Truth, Hallucinated Answer, Difficulty Level
Med-HALT FCT    question, options (by index, with the proposed `correct answer`),
                correct_index, correct_answer
Med-HALT NOTA   question, options, correct_index, correct_answer (`None of the above`)
Med-HALT Fake   question, options; there is no key, for there is no answer
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from data.benchmark_fields import DISAGREE, NO_KEY, Reader, has, item, letter_at, whole_number
from data.benchmark_text import letter_meant, mapping_in, same
from data.question_files import Entry
from signatures.schema import Question

PROPOSED = "correct answer"
"""Key of the proposed answer among the options of the false-confidence test."""


def read_medhallu(entry: Entry, source: str, number: int) -> Question:
    """Read MedHallu as ReGraM asks it: openly, with the ground truth as reference."""
    fields = entry.fields
    return item(
        entry, source, number, text=str(fields["Question"]), reference=fields["Ground Truth"]
    )


def read_medhalt(entry: Entry, source: str, number: int) -> Question:
    """Read the three reasoning tests of Med-HALT; the proposed answer joins the question."""
    fields = entry.fields
    given = mapping_in(fields["options"])
    proposed = given.pop(PROPOSED, None)
    options = {
        letter_at(int(key)): given[key] for key in sorted(given, key=int) if given[key].strip()
    }
    gold, notes, labelled = _keyed(options, fields) if "correct_index" in fields else _fake(options)
    text = str(fields["question"]).strip()
    return item(
        entry,
        source,
        number,
        text=f"{text}\nProposed answer, right or wrong: {proposed}" if proposed else text,
        options=options,
        gold=gold,
        id=fields.get("id"),
        notes=notes,
        labelled=labelled,
    )


def _keyed(
    options: Mapping[str, str], fields: Mapping[str, Any]
) -> tuple[str | None, tuple[str, ...], bool]:
    """The key is an index from 0 and must agree with the text beside it."""
    index = whole_number(fields["correct_index"])
    if index is None:
        return None, (NO_KEY,), False
    letter = letter_at(index)
    text = str(fields.get("correct_answer") or "")
    if text and letter in options and same(options[letter]) != same(text):
        meant = letter_meant(options, text)
        if meant != letter:
            return None, (DISAGREE,), False
    return letter, (), True


def _fake(options: Mapping[str, str]) -> tuple[str | None, tuple[str, ...], bool]:
    """A fake question is met by its option "I do not know", else by abstaining.

    >>> _fake({"A": "a nymph", "B": "I do not know."})
    ('B', (), True)
    >>> _fake({"A": "a nymph", "B": "a dryad"})
    (None, ('no option says "I do not know": only abstaining is right',), True)
    """
    unsure = [k for k, text in options.items() if same(text) in ("i do not know", "i don't know")]
    if len(unsure) == 1:
        return unsure[0], (), True
    return None, ('no option says "I do not know": only abstaining is right',), True


HALLUCINATION_READERS: Sequence[Reader] = (
    Reader(
        "MedHallu (Question, Ground Truth, Hallucinated Answer)",
        has("Question", "Ground Truth", "Hallucinated Answer"),
        read_medhallu,
    ),
    Reader(
        "Med-HALT (question, options, correct_index)",
        lambda e: (
            has("question", "options", "correct_index")(e)
            or has("question", "options", "split_type", "subject_name")(e)
        ),
        read_medhalt,
    ),
)
"""Readers of this file."""
