"""Patient groups that rules read in part: what of them can still be decided.

"Patients over 40 who live nearby" is not met by a child, whatever is said of nearby; "heart rate
above 90 or on a ventilator of that make" is met by a heart rate of 110. The unread part is a leaf
that is never decided, and three-valued logic does the rest. Only such parts are read as no unread
word can change: numbers, age, sex, pregnancy and consent, never the name of a disease beside words
that may narrow it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from retrievers.evaluation_numbers import CHILDBEARING
from retrievers.expression_people import age_leaf
from retrievers.expression_text import joins_people, split_top, tidy
from retrievers.expression_types import (
    AgeIs,
    All,
    AnyOf,
    Expression,
    HasHabit,
    Lactating,
    Measure,
    Negated,
    PregnantIs,
    SexIs,
    TimesLimit,
    Unread,
)
from retrievers.expressions import parse_condition

_CONDITIONAL = re.compile(
    r"\b(?:unless|except\w*|if|other than|apart from|but|excluding|provided (?:that|the)|in case|"
    r"with the exception|will|should|may)\b|[.!?]\s+[A-Z]|;"
)
"""Words that take something back, or a second sentence: nothing is read of such a text."""
_NUMBERS = (Measure, TimesLimit, AgeIs)
_SURE = (*_NUMBERS, SexIs, PregnantIs, Lactating, HasHabit)
_NARROWS = re.compile(
    r"\b(?:for|within|during|lasting|persist\w*|requir\w+|that|which|who|confirmed|despite|after|"
    r"before|since|while|both|each|all)\b"
)
"""Words of a last part that may be said of the parts before it as well."""
_OPEN_LIST = re.compile(
    r"(?:(?:(?:clinical )?diagnosis of|presence of|history of|having|have|has|with) )?"
    r"(?:at least one|at least 1|one or more|any)(?: of)?(?: the)? (?P<what>[\w -]+?),?\s*"
    r"(?:such as|including|for example|e\.g\.,?|like):?\s+(?P<names>.+)",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r",?\s+(?:or|and|and/or)\s+|,\s+", re.IGNORECASE)
_PEOPLE = re.compile(
    r"(?:(?:all|any|adult|male|female|eligible|consecutive|pregnant)\s+)*"
    r"(?:patients?|individuals?|people|persons?|subjects?|participants?|volunteers?|wom[ae]n|"
    r"females?|m[ae]n|males?|children|adults)\b",
    re.IGNORECASE,
)
_AGE_AT = re.compile(r"\b(?:aged|ages?|(?:who|that) (?:are|is))\s+(?=(?:\S+\s+){0,4}?\S*\d)", re.I)
_AGE_THEN = re.compile(r"\s+(?:at|when)\s+(?:the )?(?:time of )?(?:diagnosis|onset|birth|first)")
_OR_MORE = re.compile(
    r"\bor (?:higher|lower|more|less|older|younger|above|below|greater|over|under|longer)\b"
)
_DENIES = re.compile(r"\b(?:not|no|without|never|non)\b", re.IGNORECASE)
_NOT_HAD = re.compile(
    rf"{_DENIES.pattern}|\b(?:allerg\w+|hypersens\w+|intoleran\w+|famil\w+|relatives?|"
    r"risk (?:of|for)|exposure|contra-?indicat\w+|vaccin\w+|tests?|plan\w*)\b",
    re.IGNORECASE,
)
"""Lists of what the patient need not have or take: "any allergy to drugs such as …"."""
_LASTING = re.compile(
    r"(?:chronic(?:ally)?|persistent(?:ly)?|sustained|prolonged|recurrent(?:ly)?)\s+"
    r"(?:(?:increased?|elevat(?:ed|ions?)|raised|rises?|high|low|decreased?|reduced|reductions?)\s+)"
    r"(?:(?:of|in)\s+)?(?:the )?(?P<value>.+)",
    re.IGNORECASE,
)
_PLANS_PREGNANCY = re.compile(
    r"(?:(?:women|females?|woman) )?(?:(?:who|that) )?(?:(?:is|are) )?"
    r"(?:desir\w+|wish\w*|intend\w*|intention|plan\w*|want\w*|hop(?:e|es|ing)|trying|attempting|seeking)"
    r"(?: to)? (?:becom\w+ pregnant|conceiv\w+|get(?:ting)? pregnant|(?:a )?pregnancy|conception)"
    r"(?: (?:with)?in .+| during .+| soon| in the near future)?",
    re.IGNORECASE,
)


@lru_cache(maxsize=65_536)
def parse_parts(text: str) -> Expression | None:
    """Read a group in part, or return `None` when no part of it can decide.

    >>> [type(part).__name__ for part in parse_parts("Adults aged 40 to 60 living nearby").parts]
    ['AgeIs', 'Unread']
    >>> parse_parts("people living nearby") is None
    True
    """
    plain = tidy(text)
    if _CONDITIONAL.search(plain):
        return None
    for read in (_open_list, _lasting, _either, _both, _aged):
        found = read(plain)
        if found is not None:
            return found
    return None


def _piece(text: str) -> Expression:
    """Read a part of a list; what cannot be read is unread."""
    if _PLANS_PREGNANCY.fullmatch(text):
        fertile = AgeIs(wanted=CHILDBEARING._replace(high_open=True))
        return All(parts=(SexIs(sex="female"), fertile, Unread(text=text)))
    return parse_condition(text) or Unread(text=text)


def _open_list(text: str) -> Expression | None:
    """Read "one or more risk factors such as …": one of the named is enough, others may do."""
    found = _OPEN_LIST.fullmatch(text)
    if found is None or _NOT_HAD.search(found["what"]):
        return None
    parts = [_piece(name) for name in _LIST_MARK.split(found["names"]) if name.strip()]
    if all(isinstance(part, Unread) for part in parts):
        return None
    return AnyOf(parts=(*parts, Unread(text=f"another of the {found['what'].strip()}")))


def _lasting(text: str) -> Expression | None:
    """Read "chronic increase of creatinine > 2": without the value there is none."""
    found = _LASTING.fullmatch(text)
    value = None if found is None else parse_condition(found["value"])
    if not isinstance(value, (Measure, TimesLimit)):
        return None
    return All(parts=(value, Unread(text=text)))


def _either(text: str) -> Expression | None:
    split = split_top(text)
    if split is None or split.joint != "or" or _DENIES.match(split.pieces[0]):
        return None
    parts = [_piece(piece) for piece in split.pieces]
    unread = [isinstance(part, Unread) for part in parts]
    if not any(unread):
        return AnyOf(parts=tuple(parts)) if any(map(_has_unread, parts)) else None
    if unread[-1] and _NARROWS.search(split.pieces[-1]):
        return None
    kinds = _NUMBERS if unread[0] else _SURE
    kept = [
        part if isinstance(part, kinds) or _is_no_habit(part) else Unread(text=piece)
        for part, piece in zip(parts, split.pieces, strict=True)
    ]
    return None if all(isinstance(part, Unread) for part in kept) else AnyOf(parts=tuple(kept))


def _both(text: str) -> Expression | None:
    split = split_top(text)
    if split is None or split.joint != "and" or len(split.pieces) != 2 or joins_people(text):
        return None
    parts = [
        part if isinstance(part, _NUMBERS) else Unread(text=piece)
        for part, piece in ((_piece(piece), piece) for piece in split.pieces)
    ]
    people = any(_PEOPLE.match(p.text) for p in parts if isinstance(p, Unread))
    unread = sum(isinstance(part, Unread) for part in parts)
    return All(parts=tuple(parts)) if unread == 1 and not people else None


def _aged(text: str) -> Expression | None:
    """Read the age of people of whom more is said than rules read."""
    if not _PEOPLE.match(text) or re.search(r"\b(?:and/)?or\b", _OR_MORE.sub("", text)):
        return None
    ages = [
        age for cue in _AGE_AT.finditer(text) if (age := _age_at(text, cue.start())) is not None
    ]
    if len(ages) != 1 or _DENIES.search(text[: ages[0][1]]):
        return None
    return All(parts=(ages[0][0], Unread(text=text)))


def _age_at(text: str, start: int) -> tuple[AgeIs, int] | None:
    """Return the longest age that begins at a place, and the place."""
    words = list(re.finditer(r"\S+", text[start : start + 80]))
    for last in reversed(words):
        phrase = text[start : start + last.end()].strip(" ,")
        plain = re.sub(r"^(?:who|that) (?:are|is)\s+", "", phrase)
        found = age_leaf(plain.lower())
        if isinstance(found, AgeIs) and re.search(r"\d", plain):
            sure = plain != phrase or re.match(r"age", phrase, re.IGNORECASE)
            then = _AGE_THEN.match(text, start + last.end())
            return (found, start) if sure and not then else None
    return None


def _is_no_habit(part: Expression) -> bool:
    return isinstance(part, Negated) and isinstance(part.part, HasHabit)


def _has_unread(part: Expression) -> bool:
    inside = part.parts if isinstance(part, (All, AnyOf)) else ()
    return isinstance(part, Unread) or any(map(_has_unread, inside))
