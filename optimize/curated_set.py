"""The evaluation set that curation leaves, and what became of every question (QKG A.1, Table 3).

questions.jsonl   the kept questions, as `qkgram evaluate --questions` reads them
curated.jsonl     per kept question: rank, entities, paths, patient
dropped.jsonl     per dropped question: the reason, and where it fell
summary.json      the counts
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from data.similar import plain_words
from optimize.row_files import record_line, replace_file
from programs.curation import STAGES, Curation, DropReason, Stage
from signatures.schema import Question, Record, Usage

QUESTIONS, CURATED, DROPPED, SUMMARY = (
    "questions.jsonl",
    "curated.jsonl",
    "dropped.jsonl",
    "summary.json",
)


class Kept(Record):
    """A question of the evaluation set and what curation found out about it."""

    id: str
    source: str
    rank: int
    """1 has the most paths."""
    gold_joined: bool
    """True when a path ends at the right option, not at wrong ones only."""
    curation: Curation


class Dropped(Record):
    """A question that is not in the evaluation set."""

    id: str
    source: str
    reason: DropReason
    detail: str
    """One line: where it fell, and the entities that were found."""


class Choice(NamedTuple):
    """What is kept and what is not, in the order of the questions."""

    kept: tuple[tuple[Question, Kept], ...]
    dropped: tuple[Dropped, ...]


class SourceCount(Record):
    """Questions of one source after each stage: a row of Table 3."""

    source: str
    read: int
    options: int
    """With options to choose from and a known answer."""
    entities: int
    """With an entity in the question and one in an option."""
    grounded: int
    aligned: int
    paths: int
    kept: int


class CurationSummary(Record):
    """What a curation came to."""

    questions: int
    curated: int
    """Questions with a result, those of earlier calls included."""
    reused: int
    sources: tuple[SourceCount, ...]
    """Largest first."""
    reasons: dict[DropReason, int]
    entities: int
    """Of all curated questions."""
    grounded: dict[str, int]
    """Entities by the way they were grounded."""
    aligned: dict[str, int]
    """Entities by the way they were aligned."""
    paths: int
    """Of the kept questions."""
    gold_joined: int
    """Kept questions with a path to the right option; of the others the graph can only speak about
    wrong ones."""
    unwritten: int
    """Names by a model that stand in no text, dropped."""
    patient: dict[str, int]
    """Kept questions whose text gives age, sex, diagnoses, values, medications."""
    failures: tuple[str, ...]
    stopped: str | None
    seconds: float
    spent: Usage

    @property
    def incomplete(self) -> bool:
        """True when a question has no result."""
        return self.curated < self.questions


def choose(
    questions: Iterable[Question], curations: Mapping[str, Curation], *, top: int | None = None
) -> Choice:
    """Keep the questions with a path: each once, and of these the `top` with the most paths.

    Args:
        questions: In the order of their file; those without a curation are left out.
        curations: By question id.
        top: How many to keep; `None` keeps all. A tie goes to the earlier question.

    >>> def ask(name, text):
    ...     return Question(id=name, source="s", text=text, options={"A": "x", "B": "y"})
    >>> from programs.curation import Path
    >>> path = Path(option="A", triplet="e1", text="t", question_entity="q", option_entity="o")
    >>> one, two = Curation(paths=(path,)), Curation(paths=(path, path))
    >>> asked = [ask("q1", "Why?"), ask("q2", "why"), ask("q3", "How?")]
    >>> found = choose(asked, {"q1": one, "q2": two, "q3": two}, top=1)
    >>> [kept.id for _, kept in found.kept], [(d.id, d.reason) for d in found.dropped]
    (['q3'], [('q1', 'below the cut'), ('q2', 'duplicate')])
    """
    dropped: dict[str, Dropped] = {}
    candidates: dict[tuple[str, ...], Question] = {}
    order = [question for question in questions if question.id in curations]
    for question in order:
        found = curations[question.id]
        first = candidates.get(_key(question))
        if found.reason is not None:
            dropped[question.id] = _dropped(question, found.reason, found.detail)
        elif first is not None:
            dropped[question.id] = _dropped(question, "duplicate", f"the same as {first.id}")
        else:
            candidates[_key(question)] = question
    ranked = sorted(candidates.values(), key=lambda q: -len(curations[q.id].paths))
    ranks = {question.id: rank for rank, question in enumerate(ranked, start=1)}
    for question in ranked[top:] if top is not None else ():
        detail = f"rank {ranks[question.id]} by {len(curations[question.id].paths)} paths"
        dropped[question.id] = _dropped(question, "below the cut", detail)
    return Choice(
        kept=tuple(
            (q, _kept(q, curations[q.id], ranks[q.id])) for q in order if q.id not in dropped
        ),
        dropped=tuple(dropped[q.id] for q in order if q.id in dropped),
    )


def write_set(folder: Path, choice: Choice) -> None:
    """Write the evaluation set; each file is the old one or the new one, never a part.

    Raises:
        RunNotWritten: The disk is full.
    """
    questions = [question for question, _ in choice.kept]
    records: dict[str, Sequence[Record]] = {
        QUESTIONS: questions,
        CURATED: [kept for _, kept in choice.kept],
        DROPPED: choice.dropped,
    }
    for name, rows in records.items():
        replace_file(folder / name, "".join(map(record_line, rows)))


def count_sources(
    questions: Iterable[Question], curations: Mapping[str, Curation], choice: Choice
) -> tuple[SourceCount, ...]:
    """Count the questions of every source after every stage, the largest source first."""
    kept = Counter(question.source for question, _ in choice.kept)
    read: Counter[str] = Counter()
    passed: dict[Stage, Counter[str]] = {stage: Counter() for stage in STAGES}
    for question in questions:
        read[question.source] += 1
        found = curations.get(question.id)
        if found is not None and found.stage is not None:
            for stage in STAGES[: STAGES.index(found.stage) + 1]:
                passed[stage][question.source] += 1
    return tuple(
        SourceCount(
            source=source,
            read=count,
            kept=kept[source],
            **{stage: passed[stage][source] for stage in STAGES},
        )
        for source, count in sorted(read.items(), key=lambda item: (-item[1], item[0]))
    )


def count_patients(choice: Choice) -> dict[str, int]:
    """Count the kept questions whose text gives each part of the patient (QKG A.1, stage 4)."""
    patients = [kept.curation.patient for _, kept in choice.kept]
    found = [patient for patient in patients if patient is not None]
    return {
        "age": sum(p.age is not None for p in found),
        "sex": sum(p.sex is not None for p in found),
        "diagnoses": sum(any(f.kind == "diagnosis" for f in p.facts) for p in found),
        "values": sum(bool(p.quantities) for p in found),
        "medications": sum(any(f.kind == "medication" for f in p.facts) for p in found),
    }


def _kept(question: Question, found: Curation, rank: int) -> Kept:
    joined = any(path.option == question.gold for path in found.paths)
    return Kept(
        id=question.id, source=question.source, rank=rank, gold_joined=joined, curation=found
    )


def _dropped(question: Question, reason: DropReason, detail: str) -> Dropped:
    return Dropped(id=question.id, source=question.source, reason=reason, detail=detail)


def _key(question: Question) -> tuple[str, ...]:
    """The stem, then the options in an order that their letters do not change."""
    return plain_words(question.text), *sorted(map(plain_words, question.options.values()))
