"""Cues: the places of a text that state the answer, as in `Answer: B` or `B is correct`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from metrics.answer_options import MARKS

_LINK = (
    r"[\"'\])]*\s*(?:\b(?P<neg>isn't|wasn't|cannot be|can't be|couldn't be|wouldn't be)\b"
    r"|\b(?P<if>would be\b|would have been\b)"
    r"|\b(?:is|are|was|will be|must be|should be|could be|may be|might be|has to be|remains)\b"
    r"|\b(?:seems|appears)(?: to be)?\b|[:=?]+>?|->|→)"
)
_QUALIFIED = (
    r"(?:correct|right|best|final|chosen|selected|preferred|optimal|ideal|my|most \w+|best \w+)"
)
_ANSWER = r"answers?(?: (?:choice|letter|option|idx|key))?"
_PLACE = r"(?:\s+(?:to|for|in|here|of)\b[^.\n:]{0,60}?)?"
_HEAD = re.compile(
    rf"\b(?:{_QUALIFIED} )?(?:(?:{_ANSWER}|ans){_PLACE}|{_QUALIFIED} "
    rf"(?:option|choice|selection|response|letter|pick|one){_PLACE}"
    r"|(?:option|choice) (?:that|which)\b[^.\n:]{0,60}?"
    rf"|(?:drug|agent|treatment|therapy|test) of choice{_PLACE}){_LINK}"
    r"|\b(?:option|choice|letter|selection|prediction|response)[\"']?\s*(?:[:=]|->|→)",
    re.I,
)
_BARE_HEAD = re.compile(
    rf"\b{_ANSWER}(?=\s*\n|\s+[(\[\"']*(?-i:[A-Z])[)\]\"'.]*\s*(?:$|[\n.,;]))", re.I
)
_VERB = re.compile(
    r"\b(?:choose|chose|choosing|select(?:ed|ing)?|pick(?:ed|ing)?|opt(?:ed|ing)? for"
    r"|(?:go|going|went) with|settled? on|I'd say|I would say|I say)\b",
    re.I,
)
_SO = re.compile(r"(?:\b(?:so|therefore|thus|hence)\b|=>|->|→|∴)[ ,]*", re.I)
_IS_RIGHT = re.compile(
    r"\s(?:is|seems|appears|would be|remains|must be)\s+(?:to be\s+)?"
    r"(?:(?:clearly|therefore|thus|also|likely|the|a|most|probably|best|single|only|appropriate"
    r"|suitable|correct|right)\s+){0,5}(?:correct|right|answer|option|choice)\b",
    re.I,
)
_BEFORE_RIGHT = re.compile(
    rf"(?:\b(?P<not>nor|neither|whether|if|not)\s+)?(?:\boption\s+)?"
    rf"(?P<item>(?:(?<!\w)(?-i:[A-Z])[)\]\"'.:]*\s*)?{MARKS}|(?<!\w)[(\[\"']*(?-i:[A-Z])[)\]\"'.:]*)$",
    re.I,
)
_NEGATED = re.compile(r"(?:\b(?:not|never|nor|neither|cannot)|n't)\s+(?:\w+\s+){0,2}$", re.I)
_SUPPOSED = re.compile(r"\b(?:if|had|unless|were|whether)\b", re.I)
_LINE_END = re.compile(r"\s*[.!]?\s*(?:\n|$)")


def statements(text: str) -> Iterator[tuple[int, int, bool, bool]]:
    """Yield where answers are stated: start, where the value begins, negated, line must end.

    >>> text = "Not A: the answer is B"
    >>> [text[value:] for _, value, _, _ in statements(text)]
    [' B']
    """
    for found in _HEAD.finditer(text):
        if found["if"] and _SUPPOSED.search(_sentence_before(text, found.start())):
            continue
        if not _is_negated(text, found.start()):
            yield found.start(), found.end(), bool(found["neg"]), False
    for found in _BARE_HEAD.finditer(text):
        if not _is_negated(text, found.start()):
            yield found.start(), found.end(), False, False
    for found in _VERB.finditer(text):
        yield found.start(), found.end(), _is_negated(text, found.start()), False
    for found in _SO.finditer(text):
        yield found.start(), found.end(), False, True
    for found in _IS_RIGHT.finditer(text):
        window = max(0, found.start() - 40)
        before = _BEFORE_RIGHT.search(text[window : found.start()])
        if before and not before["not"]:
            yield found.start(), window + before.start("item"), False, False


def ends_line(text: str, end: int) -> bool:
    """Tell whether nothing but punctuation follows on the line."""
    return _LINE_END.match(text, end) is not None


def _is_negated(text: str, start: int) -> bool:
    return _NEGATED.search(text[max(0, start - 40) : start]) is not None


def _sentence_before(text: str, start: int) -> str:
    return re.split(r"[.\n;]", text[max(0, start - 200) : start])[-1]
