"""From a row of a run to what a judge sees of it, and which measures can be judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from metrics.answers import read_answer
from optimize.rows import Row
from programs.judge import JudgedAnswer
from programs.wording import one_line
from signatures.schema import JudgedMeasure, Question

MEASURES: tuple[JudgedMeasure, ...] = (
    "similarity",
    "inconsistency",
    "evidence_inconsistency",
    "hallucination",
    "reasoning_error",
)
"""Every measure, in the order of tables."""

LONGEST_REFUSAL = 8
"""Words of an open answer above which words of not knowing are a part of it, not all of it."""

_NEEDED: Mapping[JudgedMeasure, tuple[tuple[str, ...], ...]] = {
    "similarity": (("reference",),),
    "inconsistency": (("reference",),),
    "evidence_inconsistency": (("evidence", "reasoning"),),
    "hallucination": (("reference", "knowledge"),),
    "reasoning_error": (("reference",), ("reasoning",)),
}
"""Of every group one field must be there."""


class Seen(NamedTuple):
    """An answer as a judge sees it, and whether it states anything."""

    answer: JudgedAnswer
    abstained: bool


def seen(row: Row, question: Question) -> Seen:
    """Put an answer into words: the option's text for its letter, else the text as it was given.

    Nothing names the program or its model.
    """
    given = row.answer or ""
    reading = read_answer(given, question.options)
    words = question.options[reading.letter] if reading.letter else given
    silent = reading.kind == "abstained" and (
        bool(question.options) or len(given.split()) <= LONGEST_REFUSAL
    )
    answer = JudgedAnswer(
        question=question.text,
        answer=words.strip(),
        reasoning=_reasoning(row.trace),
        reference=_reference(question),
        knowledge=question.knowledge or "",
        evidence="\n".join(dict.fromkeys(_evidence(row.trace))),
    )
    return Seen(answer, silent or not given.strip())


def missing(answer: JudgedAnswer, measure: JudgedMeasure) -> str | None:
    """Say what a measure needs and the answer does not have; `None` when it can be judged.

    >>> bare = JudgedAnswer(question="?", answer="Yes.", knowledge="It is so.")
    >>> missing(bare, "similarity"), missing(bare, "hallucination")
    ('no reference', None)
    """
    for group in _NEEDED[measure]:
        if not any(getattr(answer, name) for name in group):
            return f"no {' and no '.join(group)}"
    return None


def _reference(question: Question) -> str:
    return question.reference or question.options.get(question.gold or "", "")


def _reasoning(trace: Mapping[str, JsonValue]) -> str:
    response = trace.get("response")
    return _text(response.get("reasoning")) if isinstance(response, dict) else ""


def _evidence(trace: Mapping[str, JsonValue]) -> Iterator[str]:
    """Facts that the hops cite, the hops' answers, and the report's reasons."""
    for hop in _records(trace.get("hops")):
        region = hop.get("region")
        cited = hop.get("cited")
        ids = set(map(str, cited)) if isinstance(cited, list) else set()
        for triplet in _records(region.get("triplets") if isinstance(region, dict) else None):
            if triplet.get("id") in ids:
                yield _text(triplet.get("text"))
        yield _text(hop.get("answer"))
    for verdict in _records(trace.get("report")):
        claim = verdict.get("claim")
        said = claim if isinstance(claim, dict) else {}
        fact = " ".join(_text(said.get(name)) for name in ("head", "predicate", "tail"))
        yield one_line(f"{fact}: {_text(verdict.get('status'))}; {_text(verdict.get('reason'))}")


def _records(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item


def _text(value: JsonValue) -> str:
    return one_line(value) if isinstance(value, str) else ""
