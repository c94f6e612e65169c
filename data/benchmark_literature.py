"""Questions made from the literature and from a graph: PubMedQA and KG-RAG.

    PubMedQA hub   pubid, question, context, long_answer, final_decision
    PubMedQA JSON  by PMID: QUESTION, CONTEXTS, LONG_ANSWER, final_decision
    KG-RAG         text, correct_node, options_combined; or text, label (True, False)

PubMedQA is read without its abstracts, as MIRAGE and both papers ask it.
"""

from __future__ import annotations

from collections.abc import Sequence

from data.benchmark_fields import Reader, by_letter, has, item
from data.question_fields import GoldOutOfRange
from data.question_files import Entry
from signatures.schema import Question

YES_NO_MAYBE = {"A": "yes", "B": "no", "C": "maybe"}
TRUE_FALSE = {"A": "True", "B": "False"}
_LIST = "Given list is:"


def read_pubmedqa(entry: Entry, source: str, number: int) -> Question:
    """Read PubMedQA in both forms; the unlabelled part has a reference but no decision."""
    fields = entry.fields
    decision = fields.get("final_decision")
    return item(
        entry,
        source,
        number,
        text=fields.get("question") or fields["QUESTION"],
        options=YES_NO_MAYBE,
        gold=_letter(YES_NO_MAYBE, decision) if decision else None,
        id=fields.get("pubid"),
        reference=fields.get("long_answer") or fields.get("LONG_ANSWER"),
        notes=() if decision else ("no decision: not scored",),
    )


def read_kgrag_choice(entry: Entry, source: str, number: int) -> Question:
    """Read KG-RAG's multiple choice; a name that its list repeats is one option."""
    fields = entry.fields
    listed = [name.strip() for name in fields["options_combined"].split(",") if name.strip()]
    names = list(dict.fromkeys(listed))
    options = by_letter(names)
    return item(
        entry,
        source,
        number,
        text=fields["text"].split(_LIST)[0],
        options=options,
        gold=_letter(options, fields["correct_node"]),
        notes=("the list repeats a name: kept once",) if len(names) < len(listed) else (),
    )


def read_kgrag_statement(entry: Entry, source: str, number: int) -> Question:
    """Read KG-RAG's true or false statements."""
    fields = entry.fields
    return item(
        entry,
        source,
        number,
        text=str(fields["text"]),
        options=TRUE_FALSE,
        gold=_letter(TRUE_FALSE, fields["label"]),
    )


def _letter(options: dict[str, str], text: object) -> str:
    """Return the letter of a text, whatever its case.

    Raises:
        GoldOutOfRange: No option has it.
    """
    wanted = str(text).strip().casefold()
    for letter, option in options.items():
        if option.casefold() == wanted:
            return letter
    raise GoldOutOfRange(f"the answer {text!r:.40} is none of {', '.join(options.values())}")


LITERATURE_READERS: Sequence[Reader] = (
    Reader(
        "PubMedQA (pubid, question, final_decision)",
        lambda e: has("pubid", "question")(e) or has("QUESTION", "CONTEXTS")(e),
        read_pubmedqa,
    ),
    Reader(
        "KG-RAG choice (text, correct_node, options_combined)",
        has("text", "correct_node", "options_combined"),
        read_kgrag_choice,
    ),
    Reader("KG-RAG statements (text, label)", has("text", "label"), read_kgrag_statement),
)
"""Readers of this file."""
