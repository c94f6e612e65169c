"""Several values of one analyte: the newest decides where the text says which it is.

"potassium 5.8 (hemolysed sample), repeat 4.2", "eGFR 17 in March, 50 in May, 90 in July". Where it
does not say, all are kept: then no single one of them decides.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from retrievers.numbers import COMPARATOR, NUMBER, closed_ends, interval_of, to_number
from retrievers.patient_lab_words import names_pattern
from retrievers.patient_text import sentences
from retrievers.unit_spellings import UNIT, read_unit
from retrievers.units import resolve_unit

REACH = 110
"""Characters behind a value that are searched for further ones."""
_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = (
    rf"(?:(?:{_MONTHS}\b\.?\s*)?(?:19|20)\d\d\b|{_MONTHS}\b|day\s+\d+|admission|discharge|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|repeat|re-?check|re-?test(?:ing)?|follow-?up)"
)
_WHEN = (
    rf"(?:\(?(?:(?:back\s+)?(?:in|on|at|by)\s+)?(?:{_DATE}|baseline|arrival|presentation|first|"
    r"last\s+\w+|yesterday|previously|initially|"
    r"during(?:\s+(?!and\b|but\b|now\b|since\b)[\w-]+){1,4}|(?:\w+\s+){1,3}(?:ago|earlier|before|prior))\)?)"
)
_CUE = (
    r"(?:now|currently|today|at present|presently|repeat(?:ed)?|re-?check(?:ed)?|re-?tested|"
    r"(?:on|at|by|upon|after)\s+(?:repeat|re-?check|re-?test(?:ing)?|discharge|follow-?up)|"
    r"(?:the\s+)?(?:latest|newest|most recent)|this (?:morning|week|month)|subsequently|later|"
    r"(?:\w+\s+){1,2}(?:hour|day|week|month|year)s?\s+later|"
    r"since\s+(?:recovered|improved|risen|fallen|returned|normali[sz]ed|settled|gone)\s+"
    r"(?:back\s+)?(?:to|at)(?:\s+(?:an?|his|her|the|its|new|old|usual|previous|baseline)){0,4})"
)
_JOIN = (
    r"(?:\s*(?:(?:is|was|are|were|of|at|to|it|has|had|have|been|a|the|values?|results?|levels?|"
    r"readings?|tests?|tested|testing|samples?|measurements?|measured|came back|comes back|shows?|"
    r"showed|normali[sz]ed|improved|recovered|corrected|resolved|fallen|fell|dropped|declined|"
    r"decreased|risen|rose|increased|climbed|up|down|back|about|only|on|which|and|but|venous|"
    r"non-?ha?emolysed)(?![A-Za-z])|[,:=(]))*\s*"
)
_NO_VALUE = (
    r"(?!\s*(?:/\s*\d|\^))(?!(?:st|nd|rd|th)\b)(?![\s-]*(?:years?|yrs?|months?|weeks?|days?|"
    r"hours?|minutes?|units?|tablets?|times|x|mg(?!\s*/)|mcg|g|ml(?!\s*/)|m|ft|feet)\b)"
    r"(?!\s*(?:kg|lbs?|pounds?)\s+(?:lighter|heavier|less|more|lost|gained)\b)"
)
_ONE = (
    rf"(?:(?P<sign>{COMPARATOR})\s*)?(?:(?P<between>between|from)\s+)?"
    rf"(?P<low>{NUMBER})(?![.,]?\d){_NO_VALUE}"
    rf"(?:(?:\s*(?:-|to)\s*|(?(between)\s+and\s+|(?!)))(?P<high>{NUMBER})(?![.,]?\d){_NO_VALUE})?"
    rf"(?!\s*-)\s*(?P<unit>{UNIT})?(?![A-Za-z])"
)
_NEAR = re.compile(
    rf"(?:\s*\([^()]{{0,50}}\))?\s*{_WHEN}?\s*[;,.]?\s*(?:(?:and|but|then|which|it|that|is|has|had|"
    rf"been|was|her|his|their|the|on|a)\s+)*{_CUE}{_JOIN}{_ONE}",
    re.IGNORECASE,
)
_ANY = re.compile(
    rf"\b(?:{_CUE}|then|thereafter|followed by|next|"
    rf"after(?:\s+[\w-]+){{1,4}}?\s+it\s+(?:is|was)|after(?:wards?| treatment| therapy| dialysis)?)"
    rf"{_JOIN}{_ONE}",
    re.IGNORECASE,
)
_SECOND = re.sub(r"(\?P<|\()(sign|low|high|unit|between)(>|\))", r"\g<1>\g<2>2\g<3>", _ONE)
_DATED = re.compile(
    rf"{_ONE}\s*\(?(?:(?:in|on|at|by)\s+)?{_DATE}|(?:(?:in|on|at|by)\s+)?{_DATE}{_JOIN}{_SECOND}",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"[^.;]{0,40}?\b(?:now|currently|today|at present|presently)"
    r"(?:\s+(?:is|it|at|approach(?:ing|es)|near(?:ing|s)?|close|to|in|the|around|low|high|mid|"
    r"border(?:ing|s)|on|about|just|somewhere|between|from|ranging))*[- ]+\d+(?:[.,]\d+)?"
    r"(?!\s*-?(?:years?|yrs?|months?|weeks?|days?|hours?|mg\b(?!\s*/)|mcg|units?|tablets?|g\b)|\d)",
    re.IGNORECASE,
)
"""A present value that cannot be read as a number: `now approaching 30`."""
_OLDER = re.compile(
    r"(?:\((?:was|it was)|\b(?:from|previous(?:ly)?|baseline|compared (?:with|to)|versus|vs\.?))"
    r"\s*(?:of\s*)?$",
    re.IGNORECASE,
)
"""Before a dated number that is told as an old one."""


_NEW_PLACE = (
    r"(?:(?:on|at|by|upon|after)\s+(?:repeat|re-?check|re-?test(?:ing)?|discharge|follow-?up|review)"
    r"|now|today|currently)\b"
)
_OLD_PLACE = r"(?:(?:on|at|upon)\s+(?:admission|arrival|presentation)|initially|previously)\b"
_PLACED = re.compile(
    rf"\s*(?:(?P<new>{_NEW_PLACE})|(?:{_OLD_PLACE}))?\s*[,;(]\s*(?:(?:and|but|was|from)\s+)*"
    rf"{_ONE}\s*(?:(?P<new2>{_NEW_PLACE})|(?P<old2>{_OLD_PLACE}))?",
    re.IGNORECASE,
)
"""`4.9 at discharge (5.8 on admission)`: each place belongs to the number before it."""


class Further(NamedTuple):
    """A further value of the analyte that stands before it."""

    low: float
    high: float
    unit: str | None
    start: int
    end: int
    newest: bool
    """Whether the text says that it is the present one."""


def further_values(text: str, name: str, end: int) -> tuple[Further, ...]:
    """Return what follows a value of an analyte as values of the same: the newest, or all.

    Args:
        text: what is told of the patient.
        name: the analyte.
        end: where its first value ends.

    >>> text = "potassium 5.8 (hemolysed sample), repeat 4.2"
    >>> [(f.low, f.newest) for f in further_values(text, "potassium", 13)]
    [(4.2, True)]
    >>> [f.low for f in further_values("eGFR 17 in March, 50 in May, 90 in July", "egfr", 7)]
    [50.0, 90.0]
    >>> further_values("eGFR 24, now on metformin 500 mg", "egfr", 7)
    ()
    """
    stop = _stop(text, end)
    pair = _placed(text, name, end, stop)
    if pair is not None:
        return pair
    near = _NEAR.match(text, end, stop)
    newest = None if near is None else _further(name, near, newest=True)
    if newest is not None:
        rest = further_values(text, name, newest.end)
        return rest if rest and rest[0].newest else (newest, *rest)
    whole = next((s.end for s in sentences(text) if s.end > end), len(text))
    found = {}
    for pattern in (_ANY, _DATED):
        for match in pattern.finditer(text, end, min(stop, whole)):
            one = _further(name, match, newest=False)
            if one is not None and _OLDER.search(text[end : one.start]) is None:
                found[one.end] = one
    return tuple(found[place] for place in sorted(found))


def _placed(text: str, name: str, end: int, stop: int) -> tuple[Further, ...] | None:
    """Return what a second value is, where places such as "at discharge" follow the numbers."""
    found = _PLACED.match(text, end, stop)
    if found is None or not (found["new"] or found["new2"] or found["old2"]):
        return None
    second = _further(name, found, newest=False)
    if second is None:
        return None
    stands_alone = found["unit"] or re.compile(r"\s*(?:[,;)]|\.(?!\d)|$)").match(text, found.end())
    if found["old2"] or not (found["new2"] or stands_alone):
        return ()
    return (second._replace(newest=bool(found["new2"]) and not found["new"]),)


def hedged(text: str, end: int) -> bool:
    """Say whether a present value follows the value that ends at `end` but is no plain number.

    >>> hedged("eGFR was 68, now approaching 30", 11), hedged("eGFR 24, now on 500 mg", 7)
    (True, False)
    """
    return _HEDGED.match(text, end, _stop(text, end)) is not None


def _further(name: str, match: re.Match[str], *, newest: bool) -> Further | None:
    second = "" if match["low"] else "2"
    number, written = match[f"low{second}"], match[f"unit{second}"]
    low, unit = to_number(number), read_unit(written) if written else None
    if written is None and re.fullmatch(r"(?:19|20)\d\d", number):
        return None
    if resolve_unit(name, interval_of("=", low), unit)[0] is None:
        return None
    end = max(match.end(f"{group}{second}") for group in ("low", "high", "unit"))
    low, high = closed_ends(match[f"sign{second}"], low)
    if match[f"high{second}"]:
        last = to_number(match[f"high{second}"])
        low, high = min(low, last), max(low, last)
    return Further(low, high, unit, match.start(f"low{second}"), end, newest)


def _stop(text: str, end: int) -> int:
    """Return where the next analyte or paragraph begins, or the reach ends."""
    last = min(len(text), end + REACH)
    while end < last < len(text) and text[last] != " ":
        last -= 1
    found = _other().search(text, end, last)
    blank = text.find("\n\n", end, last)
    return min(place for place in (found.start() if found else last, blank, last) if place >= 0)


@cache
def _other() -> re.Pattern[str]:
    return re.compile(rf"{names_pattern().pattern}|\d\s*/\s*\d")
