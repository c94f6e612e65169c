"""Numbers, comparators and intervals as clinical texts write them.

Everything here is pure. An interval is the meaning of a comparator with its number: `≥ 65` is
65 and above with 65 inside, `> 65` is the same without 65.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from signatures.schema import Match

NUMBER = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:[\u2009\u202f ]\d{3})+(?!\d)"
    r"|\d+(?:[.,\u00b7]\d+)?)"
)
"""An unsigned number: `95,000`, `5.9`, `5,9` (decimal comma), `100 000`."""

ONES = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip

_ONE, _TEN = "|".join(ONES), "|".join(TENS)
SPELLED = rf"(?:(?:{_TEN})(?:[- ](?:{_ONE}))?|{_ONE})"
"""A number in words, one to ninety-nine."""

RELATIVE_TOLERANCE = 1e-9
"""Two values closer than this are equal: conversions are floating point."""

OPEN_SHIFT = 1e-6
"""A patient's `< 30` is stored as at most 30 less this share: a `Quantity` has closed ends."""

COMPARATORS: tuple[tuple[str, str], ...] = (
    (r"(?:≥|>\s*=|=\s*>|⩾|≧)|(?:greater|more|higher|older) (?:than )?or equal(?: to)?|at least"
     r"|not? (?:less|lower|fewer|smaller|younger) than|not below|at or (?:above|over)"
     r"|minimum(?: of)?"
     r"|equal (?:to )?or (?:greater|more|higher|above)(?: than)?",
     ">="),
    (r"(?:≤|<\s*=|=\s*<|⩽|≦)|(?:less|lower|fewer|younger) (?:than )?or equal(?: to)?|at most"
     r"|not? (?:more|higher|greater|older) than|not above|at or (?:below|under)|up to"
     r"|not (?:to exceed|exceeding)|maximum(?: of)?"
     r"|equal (?:to )?or (?:less|lower|below)(?: than)?", "<="),
    (r">|(?:greater|more|higher|older|longer|later) than|above|over|exceed(?:s|ed|ing)?"
     r"|in excess of|beyond", ">"),
    (r"<|(?:less|lower|fewer|younger|shorter|smaller) than|below|under|beneath", "<"),
    (r"=|equal to|of exactly|exactly", "="),
)  # fmt: skip
"""Comparators in words and signs, the inclusive ones first because they contain the others."""

COMPARATOR = "|".join(f"(?:{words})" for words, _ in COMPARATORS)
AFTER_NUMBER: tuple[tuple[str, str], ...] = (
    (r"(?:or|and) (?:older|over|above|more|greater|higher|up|later)|and upwards?", ">="),
    (r"(?:or|and) (?:younger|under|below|less|lower|fewer)", "<="),
)
"""Comparators that follow their number: `65 or older` is inclusive."""


class Interval(NamedTuple):
    """Values between `low` and `high`; the ends may be infinite and are closed unless said."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False


def to_number(text: str) -> float:
    """Read one number; a comma before three digits groups, any other comma is decimal.

    >>> to_number("95,000"), to_number("5,9"), to_number("1,234.5"), to_number("0,125")
    (95000.0, 5.9, 1234.5, 0.125)
    >>> to_number("sixty-two"), to_number("−2.5"), to_number("100 000")
    (62.0, -2.5, 100000.0)
    """
    plain = text.strip().lower().replace("\u2212", "-").replace("\u00b7", ".")
    if plain[:1].isalpha():
        return float(sum(TENS.get(w, 0) or ONES.get(w, 0) for w in re.split(r"[- ]", plain)))
    plain = re.sub(r"[\u2009\u202f ]", "", plain)
    if re.fullmatch(r"-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", plain):
        return float(plain.replace(",", ""))
    return float(plain.replace(",", "."))


def comparator_of(text: str) -> str | None:
    """Return the sign a comparator stands for, or `None`.

    >>> [comparator_of(t) for t in ("=>", "at least", "not more than", "over", "fewer than")]
    ['>=', '>=', '<=', '>', '<']
    >>> [comparator_of(t) for t in ("no higher than", "not lower than", "at or below")]
    ['<=', '>=', '<=']
    """
    for words, sign in (*COMPARATORS, *AFTER_NUMBER):
        if re.fullmatch(words, text.strip(), re.IGNORECASE):
            return sign
    return None


def interval_of(sign: str, number: float) -> Interval:
    """Return the values that a comparator and its number allow.

    >>> interval_of("<", 30)
    Interval(low=-inf, high=30, low_open=False, high_open=True)
    """
    if sign == "=":
        return Interval(number, number)
    if sign.startswith("<"):
        return Interval(-math.inf, number, high_open=sign == "<")
    return Interval(number, math.inf, low_open=sign == ">")


def closed_ends(sign: str | None, number: float) -> tuple[float, float]:
    """Return the ends of what a written comparator allows, an open end shifted by a hair.

    >>> closed_ends("at least", 60), closed_ends(None, 24)
    ((60, inf), (24, 24))
    >>> 29.999 < closed_ends("below", 30)[1] < 30
    True
    """
    interval = interval_of("=" if sign is None else comparator_of(sign) or "=", number)
    low = interval.low * (1 + OPEN_SHIFT) if interval.low_open else interval.low
    return low, interval.high * (1 - OPEN_SHIFT) if interval.high_open else interval.high


def within(value: Interval, wanted: Interval) -> Match:
    """Say whether a value, or all of a range of values, lies inside the wanted interval.

    >>> exactly = Interval(65, 65)
    >>> within(exactly, interval_of(">", 65)), within(exactly, interval_of(">=", 65))
    ('NOT_MET', 'MET')
    >>> within(Interval(60, 69), interval_of(">=", 65))
    'INDETERMINATE'
    >>> within(interval_of("<", 30), interval_of("<", 30))
    'MET'
    """
    if _above(value, wanted) or _above(wanted, value):
        return "NOT_MET"
    low_in = _less(wanted.low, value.low) or (
        _same(wanted.low, value.low) and (value.low_open or not wanted.low_open)
    )
    high_in = _less(value.high, wanted.high) or (
        _same(wanted.high, value.high) and (value.high_open or not wanted.high_open)
    )
    return "MET" if low_in and high_in else "INDETERMINATE"


def overlap(first: Interval, second: Interval) -> bool:
    """Say whether two intervals share a value.

    >>> overlap(Interval(30, 45), interval_of("<", 30)), overlap(Interval(30, 45), Interval(45, 60))
    (False, True)
    """
    return not (_above(first, second) or _above(second, first))


def show(interval: Interval) -> str:
    """Word an interval for an audit line.

    >>> show(interval_of("<", 30)), show(Interval(30, 60, high_open=True)), show(Interval(5.9, 5.9))
    ('< 30', '30 to < 60', '5.9')
    """
    low, high = format_number(interval.low), format_number(interval.high)
    if interval.low == interval.high:
        return low
    if math.isinf(interval.low):
        return f"{'<' if interval.high_open else '≤'} {high}"
    if math.isinf(interval.high):
        return f"{'>' if interval.low_open else '≥'} {low}"
    return f"{'> ' if interval.low_open else ''}{low} to {'< ' if interval.high_open else ''}{high}"


def format_number(number: float) -> str:
    """Print a number without noise digits.

    >>> format_number(95000.0), format_number(9.2), format_number(0.1 + 0.2)
    ('95000', '9.2', '0.3')
    """
    return f"{number:.0f}" if number == round(number, 6) // 1 else f"{number:.6g}"


def _same(first: float, second: float) -> bool:
    return first == second or math.isclose(first, second, rel_tol=RELATIVE_TOLERANCE)


def _less(first: float, second: float) -> bool:
    return first < second and not _same(first, second)


def _above(first: Interval, second: Interval) -> bool:
    """All of `first` lies above all of `second`."""
    touch = _same(first.low, second.high) and not math.isinf(first.low)
    return _less(second.high, first.low) or (touch and (first.low_open or second.high_open))
