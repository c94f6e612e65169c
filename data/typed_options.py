"""The options of a question as people type them: lettered, numbered or dashed, on lines or in one.

    A. Metformin    (a) Metformin    (A)Metformin    A: Metformin    A - Metformin
    1. Metformin    1) Metformin     - Metformin     • Metformin
    Which drug? A: Metformin; B: Linagliptin

A list may also hold what is known of the patient. Letters that run A, B, C … are options;
numbers and dashes are when the question stands right before them. Where it is not clear, nothing
is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from data.question_fields import LETTERS
from signatures.errors import InputError

_STRICT = re.compile(r"^\s*\(?([A-Ja-j])[.):]\s+(\S.*)$")
_LETTERED = re.compile(
    r"^\s*(?:[-*•–]\s+)?[(\[]?([A-Ja-j])(?:[)\].:]\s*|\s+[-–—]\s*|[-–—]\s+)(\S.*)$"
)
_NUMBERED = re.compile(r"^\s*\(?(10|[1-9])(?:[.)]\s*(?!\d)|:\s+|\s+[-–—]\s+(?!\d))(\S.*)$")
_DASHED = re.compile(r"^\s*[-*•–—]\s+(\S.*)$")
_INLINE = {
    "parentheses": re.compile(r"(?<![\w(])[(\[]([A-Ja-j])[)\]]"),
    "a bracket": re.compile(r"(?<![\w(])([A-Ja-j])\)"),
    "a colon": re.compile(r"(?<![\w(])([A-Ja-j]):"),
    "a stop": re.compile(r"(?<![\w(])([A-Ja-j])\.(?=\s)"),
    "a dash": re.compile(r"(?<![\w(])([A-Ja-j])\s+[-–—](?=\s)"),
}
_ASKS = re.compile(
    r"\?\W*$|\b(?:options?|choices?|answers?|following)\s*[:.]?\s*$|^\s*(?:choose|select|pick)\b",
    re.IGNORECASE,
)
"""The end of a stem that options may follow."""
_JOINED = re.compile(r"[\s;,]*(?:(?<=[\s;,])(?:or|and))?[\s;,]*$")


class Typed(NamedTuple):
    """A typed question, taken apart."""

    stem: str
    options: tuple[str, ...]


def split_typed(text: str) -> Typed:
    r"""Take the options off the end of a question.

    Raises:
        InputError: Letters do not run A, B, C …, or lines look like options and may be none.

    >>> split_typed("Which drug?\n1) Metformin\n2) Linagliptin")
    Typed(stem='Which drug?', options=('Metformin', 'Linagliptin'))
    >>> split_typed("Which drug? (a) metformin, or (b) linagliptin").options
    ('metformin', 'linagliptin')
    >>> split_typed("He has (a) fever and (b) a cough. Which drug?").options
    ()
    """
    found = lettered_end(text)
    return found if found.options else _listed(text)


def lettered_end(text: str) -> Typed:
    r"""Take lettered options off the end; numbers and dashes are left in the text.

    Raises:
        InputError: Letters do not run A, B, C ….

    >>> lettered_end("Which?\nA - Metformin\nB - Linagliptin").options
    ('Metformin', 'Linagliptin')
    """
    on_lines = _lettered_lines(text)
    if on_lines is not None and len(on_lines.options) > 1:
        return on_lines
    in_line = _in_one_line(text)
    if on_lines is None and not in_line.options:
        found = [_STRICT.sub(r"\1", line) for line in _last(_lines(text), _STRICT)]
        expected = ", ".join(LETTERS[: len(found)])
        raise InputError(f"expected options lettered {expected}, got {', '.join(found)}")
    return in_line if in_line.options or on_lines is None else on_lines


def _lettered_lines(text: str) -> Typed | None:
    """Take lettered lines off the end; `None` when their letters do not run A, B, C …."""
    lines = _lines(text)
    loose, strict = _last(lines, _LETTERED), _last(lines, _STRICT)
    letters = "".join(_LETTERED.sub(r"\1", line).upper() for line in loose)
    first = letters.rfind("A")
    options = loose[first:] if first >= 0 else []
    plain = len(strict) == len(options) == 1
    if len(strict) <= len(options) and _runs(letters[first:]) and (len(options) > 1 or plain):
        return _cut(text, options, _LETTERED)
    broken = strict and not (len(strict) == 1 and strict[0].endswith("?"))
    return None if broken else Typed(_plain(text), ())


def _in_one_line(text: str) -> Typed:
    for marker in _INLINE.values():
        marks = list(marker.finditer(text))
        letters = [mark[1] for mark in marks]
        first = max((i for i, letter in enumerate(letters) if letter in "Aa"), default=None)
        if first is None or len(marks) - first < 2:
            continue
        case = {letter.isupper() for letter in letters[first:]}
        if len(case) > 1 or not _runs("".join(letters[first:]).upper()):
            continue
        ends = [mark.start() for mark in marks[first + 1 :]] + [len(text)]
        pieces = [text[mark.end() : end] for mark, end in zip(marks[first:], ends, strict=True)]
        options = tuple(_JOINED.sub("", piece).strip() for piece in pieces)
        stem = text[: marks[first].start()]
        if _may_follow(stem, options):
            return Typed(stem.strip(), options)
    return Typed(_plain(text), ())


def _may_follow(stem: str, options: Sequence[str]) -> bool:
    """Say whether texts after letters in a line are options, and no list inside a sentence."""
    end = stem.rstrip(" \t")
    if not end.strip() or not all(options) or any("?" in option for option in options):
        return False
    if end.rstrip().endswith("?"):
        return True
    return end[-1] in ":.\n" and not any(re.search(r"[.!]\s+\S", option) for option in options)


def _listed(text: str) -> Typed:
    """Take numbered or dashed lines off the end, where the question stands right before them."""
    lines = _lines(text)
    form = _NUMBERED if _last(lines, _NUMBERED) else _DASHED
    listed = _last(lines, form)
    if not listed or len(listed) == len(lines) or any(line.endswith("?") for line in listed):
        return Typed(_plain(text), ())
    numbers = [match[1] for line in listed if (match := _NUMBERED.match(line))]
    in_order = form is _DASHED or numbers == [str(n + 1) for n in range(len(listed))]
    if len(listed) > 1 and in_order and _ASKS.search(lines[-len(listed) - 1]):
        return _cut(text, listed, form)
    raise InputError(_doubt(text, listed))


def _doubt(text: str, listed: Sequence[str]) -> str:
    last = len(text.rstrip().splitlines())
    place = f"line {last} looks like an option"
    if len(listed) > 1:
        place = f"lines {_first_row(text, listed) + 1}-{last} look like options"
    return (
        f"{place}: write `A. …` or pass -o; if it is what is known of the patient, "
        "put the question after it"
    )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _plain(text: str) -> str:
    return "\n".join(text.strip().splitlines())


def _last(lines: Sequence[str], form: re.Pattern[str]) -> list[str]:
    """Return the lines of one form at the end."""
    start = len(lines)
    while start and form.match(lines[start - 1]):
        start -= 1
    return list(lines[start:])


def _runs(letters: str) -> bool:
    return bool(letters) and letters == LETTERS[: len(letters)]


def _first_row(text: str, listed: Sequence[str]) -> int:
    """Return the row, from 0, on which the last lines that are not blank begin."""
    filled = [row for row, line in enumerate(text.splitlines()) if line.strip()]
    return filled[-len(listed)]


def _cut(text: str, listed: Sequence[str], form: re.Pattern[str]) -> Typed:
    stem = "\n".join(text.splitlines()[: _first_row(text, listed)]).strip()
    found = [match for line in listed if (match := form.match(line))]
    return Typed(stem, tuple(match[match.re.groups].strip() for match in found))
