"""Texts of benchmarks: options inside a question, answers in words, options as text."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

LETTERS_TO_Z = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HEADING = re.compile(r"\b(?:Answer Choices|Options)\s*:", re.I)
_ON_LINES = re.compile(r"^[ \t]*\(?([A-Z])[.):][ \t]+(?=\S)", re.M)
_IN_BRACKETS = re.compile(r"(?<!\S)\(([A-Z])\)[ \t]+(?=\S)")
_ANSWER = re.compile(r"\(?([A-Z])(?:[.):]+\s*|\s*$)(.*)", re.S)
_BEFORE = re.compile(r"^\s*the final decision is\s*:\s*", re.I)
_AFTER = re.compile(r"\s*\bExplanation\s*:.*", re.S | re.I)


def options_inside(text: str) -> tuple[str, dict[str, str]]:
    r"""Part a question from the options that follow it in the same text.

    >>> options_inside("Which drug?\n A:  Metformin\n B:  Insulin\n")
    ('Which drug?', {'A': 'Metformin', 'B': 'Insulin'})
    >>> options_inside("Which?\nAnswer Choices: (A) one (B) two")
    ('Which?', {'A': 'one', 'B': 'two'})
    >>> options_inside("Hepatitis A. What next?")
    ('Hepatitis A. What next?', {})
    """
    headings = list(_HEADING.finditer(text))
    if headings:
        block = text[headings[-1].end() :]
        for pattern in (_ON_LINES, _IN_BRACKETS):
            run = _run(pattern, block)
            if run and not block[: run[0].start()].strip():
                return text[: headings[-1].start()].strip(), _texts(block, run)
    run = _run(_ON_LINES, text)
    if run:
        return text[: run[0].start()].strip(), _texts(text, run)
    return text.strip(), {}


def _run(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Find the last A, B, C … of at least two letters."""
    found = list(pattern.finditer(text))
    for start in reversed([i for i, match in enumerate(found) if match[1] == "A"]):
        run: list[re.Match[str]] = []
        for match in found[start:]:
            if len(run) < len(LETTERS_TO_Z) and match[1] == LETTERS_TO_Z[len(run)]:
                run.append(match)
        if len(run) > 1:
            return run
    return []


def _texts(text: str, run: Sequence[re.Match[str]]) -> dict[str, str]:
    ends = [match.start() for match in run[1:]] + [len(text)]
    return {m[1]: text[m.end() : end].strip() for m, end in zip(run, ends, strict=True)}


def same(text: str) -> str:
    """Text to compare by: one line, no case, no full stop at the end.

    >>> same(" Atrial  Fibrillation. ")
    'atrial fibrillation'
    """
    return " ".join(text.split()).rstrip(" .;,").casefold()


def letter_meant(options: Mapping[str, str], answer: str) -> str | None:
    """Return the option that a benchmark's answer in words names; `None` when none or several.

    >>> options = {"A": "Yes", "B": "No"}
    >>> letter_meant(options, "The final decision is: yes. The trial shows it.")
    'A'
    >>> letter_meant(options, "(B) No"), letter_meant(options, "B"), letter_meant(options, "Noel")
    ('B', 'B', None)
    >>> letter_meant({"A": "Iron", "B": "Iron dextran"}, "Iron dextran. Explanation: Iron is …")
    'B'
    """
    said = _AFTER.sub("", _BEFORE.sub("", answer)).strip()
    lettered = _ANSWER.fullmatch(said)
    if lettered and lettered[1] in options:
        rest = same(lettered[2])
        if not rest or rest == same(options[lettered[1]]):
            return lettered[1]
    key = same(said)
    equal = [letter for letter, text in options.items() if same(text) == key]
    if equal:
        return equal[0] if len(equal) == 1 else None
    begun = [letter for letter, text in options.items() if _begins(key, same(text))]
    longest = max((len(options[letter]) for letter in begun), default=0)
    best = [letter for letter in begun if len(options[letter]) == longest]
    return best[0] if len(best) == 1 else None


def _begins(text: str, start: str) -> bool:
    """Tell whether a text begins with these whole words and then a stop."""
    return bool(start) and re.match(rf"{re.escape(start)}\s*[.;,:(]", text) is not None


def mapping_in(value: Any) -> dict[str, str]:
    """Return options given as a mapping, as JSON or as a Python literal; nothing is run.

    >>> mapping_in('{"option1": "x"}'), mapping_in("{'0': 'y', '1': 2}")
    ({'option1': 'x'}, {'0': 'y', '1': '2'})

    Raises:
        ValueError: The value holds no mapping.
    """
    found = value
    if isinstance(value, str):
        try:
            found = json.loads(value)
        except ValueError:
            found = _literal(value)
    if not isinstance(found, Mapping):
        raise ValueError(f"wanted options by key, got {value!r:.60}")
    return {str(key): str(text) for key, text in found.items() if text is not None}


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ValueError(f"wanted options by key, got {text!r:.60}") from error
