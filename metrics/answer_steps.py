"""The six ways in which an answer is looked for in a text; `metrics.answers` has their order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metrics.answer_cues import ends_line, statements
from metrics.answer_items import Items, read_items
from metrics.answer_json import statement_index
from metrics.answer_options import MARKS, NONE, Options
from metrics.readings import ABSTAINED, Reading, none_right, reading_of

LAST_WORDS = 200
"""Characters at the end in which an abstention in words is looked for."""

SHORT = 30
"""Words of an answer that may be read by the one option it mentions; a long text only talks."""


_FILLER = re.compile(
    r"(?:\s*(?:(?:most likely|I think|I believe|I'd say|I would say|it is|it's|that is|that's|"
    r"likely|probably|clearly|definitely|certainly|therefore|thus|hence|indeed|simply|either|both|"
    r"only|still|to be|the|an|following|letter|option|choice|answer|correct|best)\b|[:\-–—=>]))"
    r"{0,8}",
    re.I,
)
_NOT = re.compile(r"\s*(?:not|never|isn't|cannot be|can't be|neither)\b", re.I)
_NONE = re.compile(rf"[\s\"'(]*{NONE}", re.I)
_ABSTAIN = re.compile(
    r"[\s\"'(]*(?:I\s+)?(?:(?:must|will|would|have to|choose to|prefer to)\s+)?"
    r"(?:abstain(?:s|ed|ing)?|abstention|(?:do not|don't)\s+know)\b",
    re.I,
)
_NOTHING_MORE = re.compile(r"[\s.,;:!?\"')\]}]*$")
_AFTER_LETTER = re.compile(
    r"[\"')\]]*(?:\s*[.,;:)\-–—]|\s+(?:because|since|as|due|given)\b"
    r"|\s+is\s+(?:the|clearly|most|best|correct|right)\b)",
    re.I,
)
_AFTER_TEXT = re.compile(r"[\"')\]]*\s*(?:[.,;!–—]|$)")
_SAYS_NONE = re.compile(
    r"\bnone\s+of\s+(?:the|these|those|them)\s*(?:(?:above|below|given|listed|options?|choices?|"
    r"answers?|alternatives?)\b|(?:is|are)\s+(?:correct|right|appropriate|true)\b|[.\n]|$)"
    r"|\b(?:none|no (?:option|choice|answer|alternative))\s+(?:is|are)\s+(?:correct|right)\b",
    re.I,
)
_SAYS_ABSTAIN = re.compile(r"(?<!not )(?<!n't )\babstain\b|\bI (?:do not|don't) know\b", re.I)
_BRACKETED = re.compile(
    r"(?P<not>\b(?:not|except|exclude[sd]?|rule[sd]? out|than|nor|neither)\s+)?"
    r"(?<!\w)[(\[](?P<letter>[A-Ja-j])[)\]](?!\w)"
    r"(?P<wrong>(?:\s+\S+)?\s+(?:is|was|are)?\s*"
    r"(?:not|wrong|incorrect|excluded|ruled out|false)\b)?"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|without|except|avoid\w*|contraindicated|wrong|incorrect|"
    r"exclude\w*|rule[sd]? out|cannot|unlikely|unsure|uncertain|unclear|instead of|rather than|"
    r"unable|stop\w*|discontinue\w*|whether)\b|n't\b",
    re.I,
)


def last_statement(text: str, options: Options, stated: Sequence[Reading]) -> Reading | None:
    """The last place that states an answer."""
    found: list[tuple[int, Reading]] = []
    for start, value, negated, to_line_end in statements(text):
        reading = _value(text, value, options, stated, negated=negated, to_line_end=to_line_end)
        if reading is not None:
            found.append((start, reading))
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _value(
    text: str,
    start: int,
    options: Options,
    stated: Sequence[Reading],
    *,
    negated: bool = False,
    to_line_end: bool = False,
) -> Reading | None:
    """Read what a cue states; `None` when no option, none and no abstention follows it."""
    filler = _FILLER.match(text, start)
    place = filler.end() if filler else start
    index = statement_index(text[place:].lstrip()[:1] or "\0")
    if index is not None and index < len(stated):
        return stated[index] if stated[index].kind != "unparsed" else None
    denied = _NOT.match(text, place)
    items = read_items(text, denied.end() if denied else place, options)
    if items is None:
        return _abstention(text, place, options, whole_line=to_line_end)
    if to_line_end and not ends_line(text, items.end):
        return None
    return _denied(items) if denied or negated else reading_of(items.letters, options)


def _denied(items: Items) -> Reading:
    """`not A` names an option and states none."""
    return Reading(kind="ambiguous", letters=tuple(sorted(items.letters)))


def _abstention(text: str, start: int, options: Options, *, whole_line: bool) -> Reading | None:
    for pattern, reading in ((_NONE, none_right(options)), (_ABSTAIN, ABSTAINED)):
        found = pattern.match(text, start)
        if found and (not whole_line or ends_line(text, found.end())):
            return reading
    return None


def bare_line(text: str, options: Options, stated: Sequence[Reading]) -> Reading | None:
    """A line with nothing else; of several that differ, a last line that is a letter alone."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = [(line, reading) for line in lines if (reading := _whole_line(line, options))]
    if not found:
        return None
    if len({reading for _, reading in found}) == 1:
        return found[0][1]
    last, reading = found[-1]
    if last is lines[-1] and not re.search(MARKS, last):
        return reading
    letters = frozenset(letter for _, reading in found for letter in reading.letters)
    return reading_of(letters, options) if letters else ABSTAINED


def _whole_line(line: str, options: Options) -> Reading | None:
    filler = _FILLER.match(line)
    place = filler.end() if filler else 0
    denied = _NOT.match(line, place)
    items = read_items(line, denied.end() if denied else place, options)
    if items and _NOTHING_MORE.match(line, items.end):
        return _denied(items) if denied else reading_of(items.letters, options)
    for pattern, reading in ((_NONE, none_right(options)), (_ABSTAIN, ABSTAINED)):
        found = pattern.match(line)
        if found and _NOTHING_MORE.match(line, found.end()):
            return reading
    return None


def opening(text: str, options: Options, stated: Sequence[Reading]) -> Reading | None:
    """A letter or an option's text that opens the answer and is set off from what follows."""
    items = None if text.startswith("{") else read_items(text, 0, options)
    if items is None:
        return None
    follows = _AFTER_TEXT if items.texts and len(items.letters) == 1 else _AFTER_LETTER
    return reading_of(items.letters, options) if follows.match(text, items.end) else None


def closing_words(text: str, options: Options, stated: Sequence[Reading]) -> Reading | None:
    """Words at the end that abstain, or say that no option is right."""
    text = text[-LAST_WORDS:]
    if _SAYS_ABSTAIN.search(text):
        return ABSTAINED
    return none_right(options) if _SAYS_NONE.search(text) else None


def brackets(text: str, options: Options, stated: Sequence[Reading]) -> Reading | None:
    """Letters in brackets, but for those that are denied."""
    letters = frozenset(
        found["letter"].upper()
        for found in _BRACKETED.finditer(text)
        if not found["not"] and not found["wrong"]
    )
    return reading_of(letters, options) if letters else None


def only_mention(text: str, options: Options, stated: Sequence[Reading]) -> Reading | None:
    """The only option that is mentioned, in a short answer that negates nothing."""
    if len(text.split()) > SHORT:
        return None
    marks = set(re.findall(MARKS, text))
    meant = {options.marked(mark) for mark in marks}
    if len(meant) != 1 or _NEGATION.search(text):
        return None
    return reading_of(meant.pop(), options)


STEPS = (last_statement, bare_line, opening, closing_words, brackets, only_mention)
"""Every step in order; the first that reads something decides."""
