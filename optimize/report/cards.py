"""A question and what each run made of it, as the page's list and cards show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from metrics.revisions import revision
from optimize.report.claims import claims_of, evidence, hops_of, hypotheses_of
from optimize.report.graphs import region_graph
from optimize.report.loose import lines, mapping, mappings, number, words
from optimize.report.pool import Pool
from optimize.report.records import RunPart
from optimize.report.spans import patient_facts
from optimize.rows import Row, Task
from signatures.schema import Outcome, Question, Usage

CHANGES = {
    "wrong_to_correct": "W→C",
    "correct_to_wrong": "C→W",
    "wrong_to_wrong": "W→W",
    "correct_to_correct": "C→C",
    "unchanged": "unchanged",
}
"""Signs of the revisions (QKG §4.2)."""


class Entry(NamedTuple):
    """One question, asked for the n-th time, and its row in every run."""

    task: Task
    rows: tuple[Row | None, ...]
    """One per run; `None` where the run does not hold it or has not reached it."""
    asked: tuple[bool, ...]
    """Whether the question belongs to the run."""


def entries_of(parts: Sequence[RunPart]) -> list[Entry]:
    """Return every question of the study once, in the order of the first run that holds it."""
    tasks: dict[str, Task] = {}
    for part in parts:
        for task in part.run.tasks:
            tasks.setdefault(task.key, task)
    keys = [{task.key for task in part.run.tasks} for part in parts]
    return [
        Entry(
            task,
            tuple(part.run.rows.get(key) or part.run.failed.get(key) for part in parts),
            tuple(key in known for known in keys),
        )
        for key, task in tasks.items()
    ]


def index_row(entry: Entry) -> dict[str, object]:
    """Return what the list and its filters need of a question."""
    question = entry.task.question
    return {
        "id": question.id,
        "repeat": entry.task.repeat,
        "source": question.source,
        "split": question.split or "",
        "text": question.text,
        "options": [[letter, text] for letter, text in question.options.items()],
        "gold": _gold(question),
        "runs": [
            _brief(row, asked=asked) for row, asked in zip(entry.rows, entry.asked, strict=True)
        ],
    }


def card(entry: Entry, pool: Pool) -> dict[str, object]:
    """Return everything else that a card shows."""
    question = entry.task.question
    return {
        "reference": question.reference or "",
        "citation": question.citation or "",
        "decided_by": question.decided_by or "",
        "remarks": list(question.notes),
        "runs": [None if row is None else run_card(row, question, pool) for row in entry.rows],
    }


def run_card(row: Row, question: Question, pool: Pool) -> dict[str, object]:
    """Return one run's answer to a question, with everything it rests on."""
    trace = row.trace
    response, first = mapping(trace.get("response")), mapping(trace.get("first"))
    return {
        "answer": row.answer or "",
        "option": words(response.get("selected_option_text")),
        "why": words(response.get("reasoning")),
        "first": row.first or "",
        "first_why": words(first.get("reasoning")).removeprefix("before the graph is asked"),
        "reason": row.reason or "",
        "patient": [list(fact) for fact in patient_facts(trace.get("patient"), question.text)],
        "graph": region_graph(trace, pool),
        "hops": hops_of(trace, pool),
        "claims": claims_of(trace, pool),
        "evidence": [evidence(e, pool) for e in mappings(trace.get("evidence"))],
        "reviewed": hypotheses_of(trace.get("reviewed")),
        "scores": _scores(trace.get("scores")),
        "sub_questions": lines(trace.get("sub_questions")),
        "not_covered": lines(trace.get("not_covered")),
        "notes": list(row.notes),
        "stages": [[name, *_spent(usage)] for name, usage in row.stages.items()],
        "usage": _spent(row.usage),
        "seconds": round(row.seconds, 3),
    }


def _brief(row: Row | None, *, asked: bool) -> dict[str, object] | None:
    """What the list says of a row; `None` when the question is none of the run's."""
    if row is None:
        return {"kind": "not_run"} if asked else None
    kind = row.outcome.kind if row.outcome else "unscored"
    found: dict[str, object] = {
        "kind": kind,
        "letter": _letter(row.outcome, row.answer),
        "modes": list(row.modes),
        "domain": row.domain or "",
        "change": _change(row),
    }
    if row.first is not None:
        found["first"] = _letter(row.first_outcome, row.first)
        found["first_kind"] = row.first_outcome.kind if row.first_outcome else "unscored"
    if row.confidence is not None:
        found["confidence"] = round(row.confidence, 3)
    if row.mismatch is not None:
        found["mismatch"] = row.mismatch
    return found


def _letter(outcome: Outcome | None, text: str | None) -> str:
    """The letter that was read, else the first words of what was written."""
    if outcome is not None and outcome.letter:
        return outcome.letter
    return (text or "")[:24]


def _change(row: Row) -> str:
    if row.first_outcome is None or row.outcome is None or not row.was_run:
        return ""
    return CHANGES[revision(row.first_outcome, row.outcome)]


def _gold(question: Question) -> str:
    """The right letter, `none` when no option is right, empty when no gold is known."""
    return question.gold or ("none" if question.labelled else "")


def _spent(usage: Usage) -> list[object]:
    return [
        usage.calls,
        usage.cached,
        usage.prompt_tokens,
        usage.completion_tokens,
        round(usage.seconds, 3),
    ]


def _scores(value: object) -> list[list[object]]:
    """Scores per option, where the program gives some."""
    return [
        [str(name), round(found, 4)]
        for name, score in mapping(value).items()
        if (found := number(score)) is not None
    ]
