"""Blood pressures of the patient: pairs of systolic and diastolic, the present one of several."""

from __future__ import annotations

import re
from typing import NamedTuple

from retrievers.numbers import COMPARATOR, closed_ends
from retrievers.patient_lab_words import JOIN, NEARLY, SIGN, TARGET
from retrievers.patient_newer import LATER_PAIR, is_earlier
from retrievers.patient_text import span_of
from signatures.schema import Quantity

_PAIR = r"\d{2,3}\s*/\s*\d{2,3}"
_WHEN = r"(?:\s*mm\s?Hg)?(?:\s+(?:\w+\s+){0,3}(?:ago|earlier|last \w+))?\s*,?\s*"
_PRESSURE = re.compile(
    rf"\b(?:blood pressures?|bps?)\b{JOIN}\s*(?:of\s*)?"
    rf"(?:(?:went|gone|came)?\s*from\s+{_PAIR}{_WHEN}(?:down to|up to|to)\s*)?"
    rf"{SIGN}\s*"
    r"(?P<high>\d{2,3})(?:\s*-\s*\d{2,3})?\s*(?:/|over\b)\s*(?P<low>\d{2,3})\b(?:\s*mm\s?Hg)?"
    rf"|(?:(?<!\w)(?P<sign2>{COMPARATOR})\s*)?\b(?P<high2>\d{{2,3}})\s*/\s*(?P<low2>\d{{2,3}})\s*mm\s?Hg"
    r"|\b(?:hypo|hyper|normo)tensive\s*(?:\(|at\s|to\s|with\s)\s*(?P<sign3>(?!))?"
    r"(?P<high3>\d{2,3})\s*/\s*(?P<low3>\d{2,3})\b(?!\s*/)",
    re.IGNORECASE,
)
_SYSTOLIC = re.compile(
    rf"\b(?:blood pressures?|bps?)\b{JOIN}\s*(?:of\s*)?{SIGN}\s*(?P<high>\d{{2,3}})"
    r"(?:\s*mm\s?Hg)?\s+systolic\b",
    re.IGNORECASE,
)
BEFORE = 25
"""Characters before a pair that are searched for a word such as "target"."""


class Pressure(NamedTuple):
    """One half of a pair."""

    quantity: Quantity
    earlier: bool
    """Whether it is told of an earlier time."""


def read_pressures(text: str) -> tuple[Pressure, ...]:
    """Return the blood pressures, each as a systolic and a diastolic value in mmHg.

    Where a newer pair follows an old one, the newer is read.

    >>> [(p.quantity.low, p.earlier) for p in read_pressures("BP 180/110 last month, now 132/84")]
    [(132.0, False), (84.0, False)]
    >>> [p.quantity.low for p in read_pressures("BP fell from 190/110 to 140/85")]
    [140.0, 85.0]
    >>> [round(p.quantity.high) for p in read_pressures("a blood pressure below 90/60")]
    [90, 60]
    >>> read_pressures("target blood pressure 130/80")
    ()
    """
    found: list[Pressure] = []
    for match in _PRESSURE.finditer(text):
        if TARGET.search(text[max(0, match.start() - BEFORE) : match.start()]):
            continue
        found += _pair(text, match)
    for match in _SYSTOLIC.finditer(text):
        if not TARGET.search(text[max(0, match.start() - BEFORE) : match.start()]):
            found.append(_systolic(text, match))
    return tuple(found)


def _systolic(text: str, match: re.Match[str]) -> Pressure:
    low, high = _ends(match["sign"], float(match["high"]))
    span = span_of(text, match.start(), match.end())
    quantity = Quantity(analyte="systolic_bp", low=low, high=high, unit="mmHg", span=span)
    return Pressure(quantity, is_earlier(text, match.start(), match.end()))


def _pair(text: str, match: re.Match[str]) -> list[Pressure]:
    high, low, sign = (_one(match, group) for group in ("high", "low", "sign"))
    earlier, end = is_earlier(text, match.start(), match.end()), match.end()
    for pattern in LATER_PAIR:
        newer = pattern.match(text, match.end())
        if newer is not None:
            high, low, earlier, end = newer["high"], newer["low"], False, newer.end()
            sign = newer["sign"]
            break
    span = span_of(text, match.start(), len(text[:end].rstrip()))
    return [
        Pressure(Quantity(analyte=name, low=ends[0], high=ends[1], unit="mmHg", span=span), earlier)
        for name, value in (("systolic_bp", high or ""), ("diastolic_bp", low or ""))
        for ends in (_ends(sign, float(value)),)
    ]


def _ends(sign: str | None, value: float) -> tuple[float, float]:
    nearly = sign is not None and re.fullmatch(NEARLY, sign, re.IGNORECASE)
    return closed_ends("<" if nearly else sign, value)


def _one(match: re.Match[str], group: str) -> str | None:
    return match[group] or match[f"{group}2"] or match[f"{group}3"]
