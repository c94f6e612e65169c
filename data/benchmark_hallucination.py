"""Hallucination tests: MedHallu and Med-HALT (ReGraM §4.2).

MedHallu        Question, Knowledge, Ground Truth, Hallucinated Answer, Difficulty Level
Med-HALT FCT    question, options (by index, with the proposed `correct answer`),
                correct_index, correct_answer
Med-HALT NOTA   question, options, correct_index, correct_answer (`None of the above`)
Med-HALT Fake   question, options; there is no key, for there is no answer
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from data.benchmark_fields import DISAGREE, NO_KEY, Reader, has, item, letter_at, whole_number
from data.benchmark_text import letter_meant, mapping_in, same
from data.question_files import Entry
from signatures.schema import HaltTest, Question

PROPOSED = "correct answer"
"""Key of the proposed answer among the options of the false-confidence test."""

PROPOSED_LINE = "\nProposed answer, right or wrong: "
"""What stands between a false-confidence question and the answer it proposes."""

NO_REFUSAL = 'no option says "I do not know": only abstaining is right'
"""Note on a fake question without the option that its authors give the others."""

_REFUSAL = re.compile(r"\bi (?:do not|don.?t) know(?: at all)?\W*$", re.I)
"""An option that ends in not knowing, however it is dressed up: `E. I do not know!`."""


def read_medhallu(entry: Entry, source: str, number: int) -> Question:
    """Read MedHallu as ReGraM asks it: openly, with the ground truth as reference."""
    fields = entry.fields
    return item(
        entry,
        source,
        number,
        text=str(fields["Question"]),
        reference=fields["Ground Truth"],
        knowledge=passages(fields.get("Knowledge")),
    )


def passages(value: object) -> str | None:
    r"""Join the passages of a reference, given as a list or as the text of one.

    >>> passages(["One.", "Two."]), passages("['One.', 'Two.']"), passages("One."), passages("")
    ('One.\nTwo.', 'One.\nTwo.', 'One.', None)
    """
    found = value
    if isinstance(value, str) and value.strip().startswith("["):
        try:
            found = ast.literal_eval(value.strip())
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            found = value
    texts = [found] if isinstance(found, str) or found is None else found
    parts = [str(text).strip() for text in texts] if isinstance(texts, list | tuple) else []
    return "\n".join(part for part in parts if part and part != "None") or None


def read_medhalt(entry: Entry, source: str, number: int) -> Question:
    """Read the three reasoning tests of Med-HALT; the proposed answer joins the question."""
    fields = entry.fields
    given = mapping_in(fields["options"])
    proposed = given.pop(PROPOSED, None)
    options = {
        letter_at(int(key)): given[key] for key in sorted(given, key=int) if given[key].strip()
    }
    if "correct_index" in fields:
        gold, notes, labelled = _keyed(options, fields)
    else:
        options = _one_refusal(options)
        gold, notes, labelled = _fake(options)
    text = str(fields["question"]).strip()
    return item(
        entry,
        source,
        number,
        text=f"{text}{PROPOSED_LINE}{proposed}" if proposed else text,
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


def _one_refusal(options: Mapping[str, str]) -> dict[str, str]:
    """Leave out an "I do not know" that repeats another: both would be right.

    >>> _one_refusal({"A": "a nymph", "B": "I do not know", "C": "I do not know."})
    {'A': 'a nymph', 'B': 'I do not know'}
    """
    kept: dict[str, str] = {}
    for letter, text in options.items():
        if not (_unsure(text) and any(map(_unsure, kept.values()))):
            kept[letter] = text
    return kept


def _fake(options: Mapping[str, str]) -> tuple[str | None, tuple[str, ...], bool]:
    """A fake question is met by its option "I do not know", else by abstaining.

    >>> _fake({"A": "a nymph", "B": "I do not know."})
    ('B', (), True)
    >>> _fake({"A": "a nymph", "B": "E. One must admit: I don't know at all!"})
    ('B', (), True)
    >>> _fake({"A": "a nymph", "B": "a dryad"})
    (None, ('no option says "I do not know": only abstaining is right',), True)
    """
    unsure = [letter for letter, text in options.items() if _unsure(text)]
    if not unsure and len(options) > 1:
        unsure = [letter for letter, text in options.items() if _REFUSAL.search(text)]
    if len(unsure) == 1:
        return unsure[0], (), True
    return None, (NO_REFUSAL,), True


def _unsure(text: str) -> bool:
    return same(text) in ("i do not know", "i don't know")


def halt_test(question: Question) -> HaltTest | None:
    """Tell which test of Med-HALT a question that `read_medhalt` read belongs to.

    The text and the right option tell: a proposed answer, "none of the above", "I do not know", or
    a note that the last is missing. `None` for any other question.

    >>> options = {"A": "Iron", "B": "None of the above"}
    >>> halt_test(Question(id="q", source="s", text="?", options=options, gold="B"))
    'NOTA'
    >>> halt_test(Question(id="q", source="s", text="?", options=options, gold="A")) is None
    True
    """
    if PROPOSED_LINE in question.text:
        return "FCT"
    right = question.options.get(question.gold or "", "")
    if NO_REFUSAL in question.notes or _unsure(right) or _REFUSAL.search(right):
        return "Fake"
    return "NOTA" if same(right) == "none of the above" else None


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
