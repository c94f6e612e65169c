"""Leaves of a constraint that count in upper limits of normal: `ALT > 3 × ULN`."""

from __future__ import annotations

import re

from retrievers.analytes import analyte_by_alias, analyte_table
from retrievers.expression_numbers import analyte_at
from retrievers.expression_types import TimesLimit
from retrievers.numbers import (
    AFTER_NUMBER,
    COMPARATOR,
    NUMBER,
    SPELLED,
    Interval,
    comparator_of,
    interval_of,
    to_number,
)

UPPER_LIMIT = (
    r"(?:the\s+)?(?:upper limits? of (?:the )?normal(?: range)?|upper normal limits?|uln|"
    r"normal upper limit|maximum normal value|highest reference value|"
    r"upper limit of (?:the )?reference range)(?:\s*\(uln\))?"
)
TIMES = r"\s*(?:times|x|×|\*|-?\s?fold)\s*"
_AFTER = "|".join(words for words, _ in AFTER_NUMBER)
_ONE = re.compile(
    rf"(?:of |is |are |levels? |elevated |elevation |elevations |: )*(?P<sign>{COMPARATOR})?\s*"
    rf"(?P<number>{NUMBER}|{SPELLED}){TIMES}(?P<after>(?:{_AFTER})\s+)?{UPPER_LIMIT}"
    rf"(?:\s*(?P<last>{_AFTER}))?",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"(?:of |is |are |between |from |: )*(?P<low>{NUMBER})(?:{TIMES})?\s*(?:-|to|and)\s*"
    rf"(?P<high>{NUMBER}){TIMES}{UPPER_LIMIT}",
    re.IGNORECASE,
)
_PLAIN = re.compile(rf"(?:of |is |are |: )*(?P<sign>{COMPARATOR})\s*{UPPER_LIMIT}", re.IGNORECASE)
_SHARED = re.compile(r"(?P<one>[\w() -]+?)(?:\s+or\s+|\s*/\s*)(?P<two>.+)")


def limit_leaf(text: str) -> TimesLimit | None:
    """Read a value as a multiple of its upper limit of normal.

    >>> limit_leaf("ALT > 3 times the upper limit of normal").times.low
    3.0
    >>> limit_leaf("bilirubin ≥ ULN").times, limit_leaf("ALT > 100 U/L") is None
    (Interval(low=1.0, high=inf, low_open=False, high_open=False), True)
    """
    found = analyte_at(text)
    if found is None or analyte_table()[found[0]].upper_normal is None:
        return None
    times = _times(found[1])
    return None if times is None else TimesLimit(analyte=found[0], times=times)


def expand_analytes(text: str) -> str:
    """Repeat a threshold that two analytes share.

    >>> expand_analytes("ALT or AST > 3 × ULN")
    'ALT > 3 × ULN or AST > 3 × ULN'
    >>> expand_analytes("gout or asthma")
    'gout or asthma'
    """
    shared = _SHARED.fullmatch(text)
    if shared is None:
        return text
    one, second = shared["one"].strip(), analyte_at(shared["two"])
    known = analyte_by_alias().get(one) or analyte_by_alias().get(one.lower())
    if known is None or second is None or not re.match(rf"(?:{COMPARATOR}|\d)", second[1]):
        return text
    return f"{one} {second[1]} or {shared['two']}"


def _times(text: str) -> Interval | None:
    found = _RANGE.fullmatch(text)
    if found is not None:
        low, high = to_number(found["low"]), to_number(found["high"])
        return Interval(low, high) if low <= high else None
    found = _ONE.fullmatch(text)
    if found is not None:
        after = (found["after"] or found["last"] or "").strip()
        sign = comparator_of(after or found["sign"] or "=") or "="
        return interval_of(sign, to_number(found["number"]))
    found = _PLAIN.fullmatch(text)
    return None if found is None else interval_of(comparator_of(found["sign"]) or "=", 1.0)
