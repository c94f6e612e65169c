"""Answers labelled by hand, to judge the judges: `sample/judge_pairs.jsonl`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from data.paths import sample_dir
from signatures.errors import QuestionFileError
from signatures.schema import Record

PairLabel = Literal["equivalent", "partly", "different"]
"""`equivalent`: correct. `partly`: a part is missing, too general, or something false is added.
`different`: another or the opposite meaning, or no answer."""


class JudgePair(Record):
    """An answer beside its reference, and what a person says of it."""

    id: str
    form: str
    """In what way the answer differs: `paraphrase`, `negation`, `wrong number` …"""
    question: str
    reference: str
    answer: str
    label: PairLabel
    hallucinated: bool
    """Whether the answer states something false or invented."""
    source: str
    """What the label rests on."""


def read_judge_pairs(path: Path | None = None) -> tuple[JudgePair, ...]:
    """Read labelled pairs, one JSON object a line; the packaged ones without a path.

    Raises:
        QuestionFileError: The file cannot be read; the message names file and line.
    """
    file = path or sample_dir() / "judge_pairs.jsonl"
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionFileError(f"{file}: cannot be read as UTF-8 text: {error}") from error
    return tuple(
        _pair(file, number, line) for number, line in enumerate(lines, start=1) if line.strip()
    )


def _pair(file: Path, number: int, line: str) -> JudgePair:
    try:
        return JudgePair.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "line"
        raise QuestionFileError(
            f"{file}, line {number}: no labelled pair: {first['msg']} at {where}"
        ) from error
