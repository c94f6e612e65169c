"""Reasoning sets: MedReason, HuatuoGPT-o1, MedXpertQA, HLE and the QKG release's questions.

MedReason     dataset_name, id_in_dataset, question, options (`Answer Choices: A. …` or empty),
              answer (an option's text, often with an explanation)
HuatuoGPT-o1  Open-ended Verifiable Question, Ground-True Answer; or Question, Complex_CoT,
              Response
MedXpertQA    id, question (its options repeated at the end), options A to J, label
HLE           id, question (with its options), answer, answer_type, image
QKG           sample_key, original_sample: question, options (text or empty), answer_key,
              gold_answer
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from data.benchmark_fields import SEVERAL, Reader, by_letter, has, item
from data.benchmark_text import letter_meant, mapping_in, options_inside, same
from data.question_fields import GoldOutOfRange, lettered
from data.question_files import Entry
from signatures.schema import Question

PICTURE = "the question refers to a picture that is not shown"
NO_OPTION = "the answer is no single option's: not scored"


def read_medreason(entry: Entry, source: str, number: int) -> Question:
    """Read MedReason: its seven sources write options and answers in different ways."""
    fields = entry.fields
    stem, options = _stem_and_options(str(fields["question"]), fields.get("options"))
    answer = str(fields.get("answer") or "")
    gold = letter_meant(options, answer)
    name, local = fields.get("dataset_name"), fields.get("id_in_dataset")
    return item(
        entry,
        source,
        number,
        text=stem,
        options=options,
        gold=gold,
        id=f"{name}-{local}" if name and local not in (None, "") else None,
        reference=None if gold else answer,
        notes=(NO_OPTION,) if options and gold is None else (),
    )


def read_huatuo(entry: Entry, source: str, number: int) -> Question:
    """Read HuatuoGPT-o1's open questions: verifiable problems, or the fine-tuning set."""
    fields = entry.fields
    text = fields.get("Open-ended Verifiable Question") or fields["Question"]
    reference = fields.get("Ground-True Answer") or fields.get("Response")
    return item(entry, source, number, text=str(text), reference=reference)


def read_medxpertqa(entry: Entry, source: str, number: int) -> Question:
    """Read MedXpertQA; the options at the end of its question are taken out of the text."""
    fields = entry.fields
    stem, options = _stem_and_options(str(fields["question"]), fields["options"])
    label = fields.get("label")
    labels = [label] if isinstance(label, str) else list(label or ())
    return item(
        entry,
        source,
        number,
        text=stem,
        options=options,
        gold=str(labels[0]).strip().upper() if len(labels) == 1 else None,
        id=fields.get("id"),
        notes=((SEVERAL,) if len(labels) > 1 else ())
        + ((PICTURE,) if fields.get("images") not in (None, "", []) else ()),
    )


def read_hle(entry: Entry, source: str, number: int) -> Question:
    """Read Humanity's Last Exam: multiple choice with options in the text, or exact answers."""
    fields = entry.fields
    answer = str(fields.get("answer") or "").strip()
    notes = (PICTURE,) if fields.get("image") else ()
    text, options = str(fields["question"]), dict[str, str]()
    if fields["answer_type"] == "multipleChoice":
        text, options = options_inside(text)
    gold = letter_meant(options, answer)
    if options and gold is None:
        raise GoldOutOfRange(f"the answer {answer!r:.40} is none of the options in the text")
    return item(
        entry,
        source,
        number,
        text=text,
        options=options,
        gold=gold,
        id=fields.get("id"),
        reference=None if gold else answer,
        notes=notes,
    )


def read_qkg(entry: Entry, source: str, number: int) -> Question:
    """Read the QKG release's set; options stand in their own text or inside the question."""
    sample: Mapping[str, Any] = entry.fields["original_sample"]
    stem, options = _stem_and_options(str(sample["question"]), sample.get("options"))
    keys = [str(sample[name]).strip() for name in ("gold_answer", "answer_key") if sample.get(name)]
    golds = {letter_meant(options, key) or key for key in keys}
    gold = letter_meant(options, keys[0]) or keys[0] if keys and options else None
    return item(
        entry,
        source,
        number,
        text=stem,
        options=options,
        gold=gold,
        id=entry.fields["sample_key"],
        reference=keys[0] if keys and not options else None,
        notes=("the two keys of the file differ: gold_answer is scored",) if len(golds) > 1 else (),
    )


def _stem_and_options(question: str, given: object) -> tuple[str, dict[str, str]]:
    """Take the options from their own field, else from the question.

    A block of options that the question repeats is taken out of its text.
    """
    options = _given(given)
    stem, inside = options_inside(question)
    if not options:
        return stem, inside
    repeated = list(map(same, inside.values())) == list(map(same, options.values()))
    return (stem if repeated else question.strip()), options


def _given(given: object) -> dict[str, str]:
    if not given:
        return {}
    if isinstance(given, Mapping):
        return {str(k): str(text) for k, text in given.items() if text is not None}
    if isinstance(given, Sequence) and not isinstance(given, str):
        if all(isinstance(part, Mapping) for part in given):
            return {str(part["letter"]): str(part["content"]) for part in given}
        texts = [str(part) for part in given]
        return lettered(texts) if len(texts) <= 10 else by_letter(texts)
    text = str(given).strip()
    if text in ("None", "null", "{}", "[]"):
        return {}
    return mapping_in(text) if text.startswith("{") else options_inside(text)[1]


REASONING_READERS: Sequence[Reader] = (
    Reader("QKG release (sample_key, original_sample)", has("original_sample"), read_qkg),
    Reader(
        "MedReason (dataset_name, id_in_dataset, question, options, answer)",
        has("dataset_name", "id_in_dataset", "question"),
        read_medreason,
    ),
    Reader(
        "HuatuoGPT-o1 (Open-ended Verifiable Question, Ground-True Answer)",
        has("Open-ended Verifiable Question"),
        read_huatuo,
    ),
    Reader(
        "HuatuoGPT-o1 SFT (Question, Complex_CoT, Response)",
        has("Question", "Complex_CoT", "Response"),
        read_huatuo,
    ),
    Reader(
        "MedXpertQA (question, options, label)",
        has("question", "options", "label"),
        read_medxpertqa,
    ),
    Reader("HLE (question, answer, answer_type)", has("question", "answer_type"), read_hle),
)
"""Readers of this file."""
