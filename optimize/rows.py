"""One row of a run: a question, its answer, its outcome, what it rests on and what it cost."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import Field, JsonValue
from pydantic_core import to_jsonable_python

from metrics.outcomes import is_scored, outcome
from signatures.schema import Domain, Mode, Outcome, Question, Record, Usage

HIDDEN: Mapping[str, object] = {
    "gold": None,
    "labelled": False,
    "reference": None,
    "knowledge": None,
    "domain": None,
    "decided_by": None,
    "gold_claims": (),
    "deciding": (),
    "notes": (),
    "citation": None,
}
"""Fields of a question that a program must not see, and what it sees instead."""


@dataclass(frozen=True)
class Task:
    """A question to be answered for the n-th time, counted from 0."""

    question: Question
    repeat: int

    @cached_property
    def key(self) -> str:
        """Name of the row: changes with the question's text, options and number of repeat."""
        asked = [self.question.id, self.question.text, dict(self.question.options), self.repeat]
        return digest(asked)


class Row(Record):
    """What a run keeps of one question."""

    key: str
    fingerprint: str
    """Of the run's `Identity`: everything else that changes the answer."""
    question: str
    """The question's id."""
    repeat: int
    source: str
    domain: Domain | None
    """Domain that the program typed, else the question's own."""
    modes: tuple[Mode, ...] = ()
    """Mode of every hop, in order."""
    confidence: float | None = None
    """What the evidence gives the answer, 0 to 1; `None` where the program has no such number."""
    mismatch: bool | None = None
    """True when evidence favours another option than the answer's; `None` when it decides none."""
    answer: str | None
    """As the program wrote it; `None` when there is none."""
    outcome: Outcome | None
    """`None` when the question has no gold to score against."""
    first: str | None = None
    """The reasoner's first answer, before the graph was asked, where the program has one."""
    first_outcome: Outcome | None = None
    reason: str | None = None
    """One line: why the answer has no reading, or why the question was not run."""
    lasting: bool = Field(default=False, exclude=True)
    """Whether no other question could be run either, such as with a refused key; not kept."""
    rollout: int | None = None
    """Rollout id that the models were called with; `None` for the first repeat."""
    models: dict[str, str] = {}
    """Model id per role."""
    usage: Usage = Usage()
    stages: dict[str, Usage] = {}
    """What each stage spent, its seconds included."""
    seconds: float = 0.0
    """Wall-clock seconds, retrieval and waiting included."""
    notes: tuple[str, ...] = ()
    finished: str
    """Time in UTC, ISO 8601."""
    trace: dict[str, JsonValue] = {}
    """Fields of the program's prediction."""

    @property
    def was_run(self) -> bool:
        """False when the question was not answered because of an outage or a blank text."""
        return self.outcome is None or self.outcome.kind != "not_run"

    @property
    def mode(self) -> Mode | None:
        """Mode of the last hop: the one that the answer follows."""
        return self.modes[-1] if self.modes else None


def blind(question: Question) -> Question:
    """Return the question without its gold and everything that gives it away.

    >>> question = Question(id="q", source="s", text="?", options={"A": "x"}, gold="A")
    >>> blind(question).gold is None, blind(question).options
    (True, {'A': 'x'})
    """
    return question.model_copy(update=dict(HIDDEN))


def rescored(row: Row, question: Question) -> Row:
    """Return the row with its outcomes read again: the gold or the reader may have changed."""
    if not row.was_run:
        return row
    final = outcome(question, row.answer) if is_scored(question) else None
    has_first = is_scored(question) and row.first is not None
    first = outcome(question, row.first) if has_first else None
    return row.model_copy(update={"outcome": final, "first_outcome": first})


def trace_of(fields: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Return a prediction's fields as JSON; an infinite end of a range becomes a text.

    >>> trace_of({"domain": "DRUG_THERAPY", "low": float("-inf")})
    {'domain': 'DRUG_THERAPY', 'low': '-Infinity'}
    """
    plain = to_jsonable_python(dict(fields), serialize_unknown=True)
    return {str(name): _finite(value) for name, value in plain.items()}


def _finite(value: Any) -> JsonValue:
    """Write infinite and undefined numbers as texts: JSON holds them, pydantic reads them back."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    plain: JsonValue = value
    return plain


def digest(value: object) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a JSON value; the order of keys is ignored."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
