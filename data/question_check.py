"""What is wrong or doubtful in question files, before they are compiled on or reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from data.benchmark_fields import DISAGREE
from data.question_fields import GoldOutOfRange
from data.questions import Readable, read_readable
from data.similar import THRESHOLD, Pair, plain_words, similar_pairs
from data.wording import counted
from signatures.schema import Question, Record

FindingKind = Literal[
    "unreadable",
    "gold_out_of_range",
    "blank_question",
    "blank_option",
    "duplicate_options",
    "one_option",
    "key_disagrees",
    "duplicate",
    "near_duplicate",
    "overlap",
]
"""`one_option`: any answer is right. `key_disagrees`: its letter and its text name two options.
`overlap`: the same question, or nearly, in two files or in two splits."""


class Finding(Record):
    """One thing to look at."""

    kind: FindingKind
    places: tuple[str, ...]
    """`dev.json: medqa-00012`: file and question."""
    detail: str


class FileCount(Record):
    """What one file holds."""

    file: str
    read: int
    """Questions that could be read."""
    unreadable: int
    choice: int
    """Questions with options; the others ask for a short answer."""
    gold: int
    """Questions with a right letter."""
    no_option_right: int
    """Questions that are scored although no option is right."""
    unlabelled: int
    """Questions with options that are not scored."""
    without_reference: int
    """Short-answer questions without a reference."""
    splits: dict[str, int]
    notes: dict[str, int]
    """What the reader noticed, and how often."""


class QuestionCheck(Record):
    """The result of a check."""

    files: tuple[FileCount, ...]
    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        """True when nothing was found; counts of unlabelled questions are no finding."""
        return not self.findings


class _Placed(NamedTuple):
    file: str
    question: Question
    against: bool


def check_questions(
    paths: Sequence[Path], *, against: Sequence[Path] = (), threshold: float = THRESHOLD
) -> QuestionCheck:
    """Check question files, alone and against each other; nothing is changed or left out.

    Args:
        paths: The files to check.
        against: Files that the others may not overlap; their own insides are not checked.
        threshold: See `data.similar.similar_pairs`.

    Raises:
        QuestionFileError: A file as a whole cannot be read.
    """
    own = {path.resolve() for path in paths}
    doubled = [path for path in dict.fromkeys(against) if path.resolve() in own]
    against = [path for path in against if path not in doubled]
    names = _names([*paths, *against, *doubled])
    read = {path: read_readable(path) for path in dict.fromkeys([*paths, *against])}
    checked = list(dict.fromkeys(paths))
    placed = [
        _Placed(names[path], question, path not in checked)
        for path, readable in read.items()
        for question in readable.questions
        if question.text.strip()
    ]
    findings = [found for path in checked for found in _inside(names[path], read[path])]
    findings += [_on_both_sides(names[path], read_readable(path)) for path in doubled]
    findings += _alike(placed, similar_pairs([p.question for p in placed], threshold=threshold))
    counts = tuple(_count(names[path], readable) for path, readable in read.items())
    return QuestionCheck(files=counts, findings=tuple(findings))


def _on_both_sides(file: str, readable: Readable) -> Finding:
    count = counted(len(readable.questions), "question")
    detail = f"the file itself stands on both sides, with all it holds: {count}"
    return Finding(kind="overlap", places=(file,), detail=detail)


def _names(paths: Sequence[Path]) -> Mapping[Path, str]:
    """Short names; files that share a name are shown with their folders."""
    often = Counter(path.name for path in set(paths))
    return {path: path.name if often[path.name] == 1 else str(path) for path in paths}


def _inside(file: str, readable: Readable) -> Iterator[Finding]:
    for error in readable.errors:
        kind: FindingKind = (
            "gold_out_of_range" if isinstance(error.__cause__, GoldOutOfRange) else "unreadable"
        )
        yield Finding(kind=kind, places=(file,), detail=str(error))
    for question in readable.questions:
        yield from _blank(file, question)
        yield from _unfair(file, question)
        for letters in _doubled(question):
            yield Finding(
                kind="duplicate_options",
                places=(f"{file}: {question.id}",),
                detail=f"options {', '.join(letters)} are both {question.options[letters[0]]!r}",
            )


def _blank(file: str, question: Question) -> Iterator[Finding]:
    place = (f"{file}: {question.id}",)
    if not question.text.strip():
        yield Finding(kind="blank_question", places=place, detail="the text is blank")
    blank = [letter for letter, text in question.options.items() if not text.strip()]
    if blank:
        detail = f"the text of {', '.join(blank)} is blank"
        yield Finding(kind="blank_option", places=place, detail=detail)


def _unfair(file: str, question: Question) -> Iterator[Finding]:
    place = (f"{file}: {question.id}",)
    if len(question.options) == 1:
        detail = "one option alone: any answer is right"
        yield Finding(kind="one_option", places=place, detail=detail)
    if DISAGREE in question.notes:
        yield Finding(kind="key_disagrees", places=place, detail=DISAGREE)


def _doubled(question: Question) -> list[list[str]]:
    """Letters of options with one text; signs count, for `+` and `-` make different options."""
    by_text: dict[str, list[str]] = {}
    for letter, text in question.options.items():
        by_text.setdefault(" ".join(text.casefold().split()), []).append(letter)
    by_text.pop("", None)  # blank options are found by themselves
    return [letters for letters in by_text.values() if len(letters) > 1]


def _alike(placed: Sequence[_Placed], pairs: Sequence[Pair]) -> Iterator[Finding]:
    for pair in pairs:
        one, other = placed[pair.first], placed[pair.second]
        if one.against and other.against:
            continue
        splits = {p.question.split for p in (one, other)}
        crosses = one.file != other.file or len(splits) > 1
        kind: FindingKind = "duplicate" if pair.kind == "same" else "near_duplicate"
        yield Finding(
            kind="overlap" if crosses else kind,
            places=tuple(f"{p.file}: {p.question.id}" for p in (one, other)),
            detail=_how(pair, one.question, other.question),
        )


def _how(pair: Pair, one: Question, other: Question) -> str:
    golds = {plain_words(q.options[q.gold]) for q in (one, other) if q.gold}
    words = ("the same question" if pair.kind == "same" else f"alike by {pair.similarity:.2f}") + (
        ", with another right answer" if len(golds) > 1 else ""
    )
    splits = [q.split or "none" for q in (one, other)]
    return words if splits[0] == splits[1] else f"{words}; splits {splits[0]} and {splits[1]}"


def _count(file: str, readable: Readable) -> FileCount:
    questions = readable.questions
    choice = [question for question in questions if question.options]
    scored = [question for question in choice if question.labelled or question.gold]
    return FileCount(
        file=file,
        read=len(questions),
        unreadable=len(readable.errors),
        choice=len(choice),
        gold=sum(question.gold is not None for question in choice),
        no_option_right=sum(question.gold is None for question in scored),
        unlabelled=len(choice) - len(scored),
        without_reference=sum(not q.options and not q.reference for q in questions),
        splits=dict(Counter(q.split for q in questions if q.split)),
        notes=dict(Counter(note for q in questions for note in q.notes)),
    )
