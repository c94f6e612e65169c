"""Laboratory values and vital signs of the patient, by rules.

A value is an analyte, a few joining words, a comparator perhaps, a number or a range, and a unit
perhaps. Reference ranges in brackets are passed over; of "rose from 1.0 to 2.4" the last counts.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import NamedTuple

from retrievers.analytes import analyte_by_alias, analyte_table
from retrievers.numbers import COMPARATOR, NUMBER, OPEN_SHIFT, comparator_of, interval_of, to_number
from retrievers.patient_grades import read_grades
from retrievers.patient_text import span_of
from retrievers.units import UNIT, read_unit, resolve_unit
from signatures.schema import PatientContext, Quantity

ADULT_YEARS = 18
"""BMI is worked out from weight and height for adults only."""

_JOIN = (
    r"(?:\s*(?:levels?|counts?|values?|concentrations?|scores?|readings?|measurements?|"
    r"ratio|interval|"
    r"of|is|was|are|were|at|to be|be|to|now|today|currently|measured|measures|recorded|"
    r"found|reads?|"
    r"shows?|showed|reveals?|revealed|only|about|approximately|approx\.?|around|roughly|"
    r"nearly|up|down|"
    r"has|have|had|been|dropped|fallen|risen|fell|rose|increased|decreased|elevated|"
    r"reduced|low|high|"
    r"on admission|on room air|at rest|on arrival|in the (?:office|clinic)|that day|a|an|"
    r"the|stands|"
    r"at that time|at the time|estimated|stable|unchanged|improved|went|jumped|climbed|came back|"
    r"comes back|returned|result|"
    r"equals|registers|=|:|~|≈|,|-(?=\s)|\((?:normal|ref|reference|N)[^)]*\)|"
    r"\([A-Za-z₂0-9+/ -]{1,12}\)))*"
)
_FROM = (
    rf"(?:from\s+{NUMBER}\s*(?:{UNIT})?(?:\s*(?:\w+\s+){{0,4}}(?:ago|last \w+|"
    r"earlier))?\s*,?\s*(?:to|down to|up to)\s*)?"
)
_VALUE = (
    rf"\s*{_FROM}(?P<sign>{COMPARATOR})?\s*(?P<low>-?{NUMBER})(?!\s*(?:\*|"
    r"\^)\s?\d)(?!\s*(?:-|to)?\s*(?:year|month|week|day)s?\b)"
    rf"(?:\s*(?:{UNIT})?\s*(?:-|to|and)\s*(?P<high>{NUMBER})(?!\s*/))?\s*(?P<unit>{UNIT})?"
)
_PRESSURE = re.compile(
    r"\b(?:blood pressures?|BPs?|"
    rf"bp)\b{_JOIN}\s*(?:of\s*)?(?P<high>\d{{2,3}})(?:\s*-\s*\d{{2,3}})?\s*/\s*"
    r"(?P<low>\d{2,3})\b|\b(?P<high2>\d{2,3})\s*/\s*(?P<low2>\d{2,3})\s*mm\s?Hg"
)
_FAHRENHEIT = re.compile(r"\(\s*\d{2,3}(?:\.\d)?\s*°?\s*F\s*\)")
_NORMAL_CUE = re.compile(
    r"\b(?:normal|reference|ref\.?|range|N)\b\s*(?:range)?\s*[:=<>]?\s*$", re.IGNORECASE
)
_EARLIER = re.compile(
    (
        r"\b(?:previous(?:ly)?|prior|last (?:year|month|week)|earlier|ago|baseline|before|"
        r"used to be)\b"
    ),
    re.IGNORECASE,
)
_TARGET = re.compile(
    r"\b(?:target|goal|threshold|cut-?off|aim|below an?|above an?|at an?|if (?:the|his|"
    r"her)?|when(?: the)?)"
    r"\s*(?:\w+\s+)?$", re.IGNORECASE
)  # fmt: skip
_WEIGHT = re.compile(
    (
        rf"\bweigh(?:s|ing|ed)?\s+(?:about\s+)?(?P<low>{NUMBER})\s*(?P<unit>kg|kilograms?|"
        r"lbs?|pounds?|g)\b"
    ),
    re.IGNORECASE,
)
_BODY_WEIGHT = re.compile(
    rf"(?P<low>{NUMBER})[- ](?P<unit>kg)(?=[ ,-]+(?:\w+\s+)?(?:man|woman|male|female|"
    r"patient|boy|girl))"
)
_HEIGHT = re.compile(
    rf"(?P<low>{NUMBER})\s*(?P<unit>cm|m)\b(?:\s*\([^)]*\))?\s+(?:tall|in height)", re.IGNORECASE
)
_PACK_YEARS = re.compile(rf"(?P<low>{NUMBER})[- ]pack[- ]years?", re.IGNORECASE)


_OTHER_FLUID = re.compile(
    r"\b(?:urin(?:e|ary)|csf|cerebrospinal fluid|pleural(?: fluid)?|ascitic(?: fluid)?|"
    r"synovial(?: fluid)?|"
    r"stool|fecal|sweat|fetal|foetal|excretion of|maternal|birth|spot|dialysate|"
    r"peritoneal)\s+(?:fluid\s+)?$",
    re.IGNORECASE,
)
_DOSE = re.compile(
    r"\s*(?:mg|mcg|µg|g|mEq|mmol|IU|units?|tablets?)\b(?!\s*(?:/|per\b))", re.IGNORECASE
)


_NOT_SURELY_UNITS = ("%", "s", "m", "g", "ms")
"""Read as units only where they fit the analyte: letters and signs stand after numbers anyhow."""


class _Found(NamedTuple):
    quantity: Quantity
    earlier: bool


def read_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the measured values, in the order of the text.

    >>> [(q.analyte, q.low, q.unit) for q in read_quantities("K+ 5.9, HbA1c 9.2%, BP 172/98")]
    [('potassium', 5.9, None), ('hba1c', 9.2, '%'), ('systolic_bp', 172.0, 'mmHg'), \
('diastolic_bp', 98.0, 'mmHg')]
    >>> read_quantities("Platelets 95,000/mm3 (N: 150,000-400,000)")[0].low
    95000.0
    """
    found = [*_labs(text), *_pressures(text), *_body(text), *_graded(text)]
    now = {item.quantity.analyte for item in found if not item.earlier}
    kept = [i.quantity for i in found if not (i.earlier and i.quantity.analyte in now)]
    return tuple(
        sorted(_once(kept), key=lambda q: (q.span.start, -q.span.end, q.analyte != "systolic_bp"))
    )


def with_bmi(patient: PatientContext) -> PatientContext:
    """Add the BMI of an adult whose weight and height are given, when the text has none."""
    by_name = {q.analyte: q for q in patient.quantities}
    if "bmi" in by_name or not {"weight", "height"} <= set(by_name):
        return patient
    if patient.age is None or patient.age.low < ADULT_YEARS:
        return patient
    weight, height = _in(by_name["weight"], "kg"), _in(by_name["height"], "m")
    if weight is None or height is None:
        return patient
    bmi = weight / height**2
    derived = Quantity(analyte="bmi", low=bmi, high=bmi, unit="kg/m^2", span=by_name["weight"].span)
    return patient.model_copy(update={"quantities": (*patient.quantities, derived)})


@cache
def _lab_pattern() -> re.Pattern[str]:
    either = sorted(analyte_by_alias(), key=len, reverse=True)
    symbols = {s for row in analyte_table().values() for s in row.case_aliases}
    spelled = "|".join(
        re.escape(a) if a in symbols else f"(?i:{re.escape(a)})" for a in either
    )  # fmt: skip
    return re.compile(rf"(?<![\w/-])(?P<alias>{spelled})(?![\w+])(?P<join>{_JOIN}){_VALUE}")


def _labs(text: str) -> list[_Found]:
    found, place = [], 0
    pattern = _lab_pattern()
    while (match := pattern.search(text, place)) is not None:
        item = _lab(text, match)
        if item is not None:
            found.append(item)
        place = match.end() if item is not None else match.end("alias")
    return found


def _lab(text: str, match: re.Match[str]) -> _Found | None:
    alias = match["alias"]
    name = analyte_by_alias().get(alias) or analyte_by_alias()[alias.lower()]
    before = text[max(0, match.start() - 40) : match.start()]
    if "\n" in text[match.end("alias") : match.start("low")]:
        return None
    if _TARGET.search(before) or _NORMAL_CUE.search(match["join"]):
        return None
    low, high, unit = match["low"], match["high"], match["unit"]
    if (
        high is not None
        and " to " not in match.group()
        and unit is None
        and "and" in text[match.end("low") : match.start("high")]
    ):
        return None
    after = text[match.end() : match.end() + 25]
    if _OTHER_FLUID.search(before) or (unit is None and _DOSE.match(after)):
        return None
    if re.match(r"\s*/\s*\d", after) and name not in ("systolic_bp", "diastolic_bp"):
        return None
    quantity = _quantity(text, name, (low, high, unit, match["sign"]), match.start(), match.end())
    if quantity is None:
        return None
    clause = re.split(r"[.;]|\bnow\b", before)[-1]
    earlier = (
        _EARLIER.search(clause)
        or _EARLIER.match(after.strip(" ("))
        or re.match(r"\s*\(?(?:\w+ ){1,3}ago", after)
    )
    return _Found(quantity, earlier is not None)


def _quantity(
    text: str,
    name: str,
    parts: tuple[str, str | None, str | None, str | None],
    start: int,
    end: int,
) -> Quantity | None:
    low_text, high_text, unit_text, sign = parts
    low = to_number(low_text)
    if low < 0 and analyte_table()[name].low >= 0:
        low = -low
    high = to_number(high_text) if high_text else low
    unit = read_unit(unit_text) if unit_text else None
    if high < low:
        high = low
    if sign and not high_text:
        interval = interval_of(comparator_of(sign) or "=", low)
        low = interval.low * (1 + OPEN_SHIFT) if interval.low_open else interval.low
        high = interval.high * (1 - OPEN_SHIFT) if interval.high_open else interval.high
    written = interval_of("=", to_number(low_text))
    if unit in _NOT_SURELY_UNITS and resolve_unit(name, written, unit)[0] is None:
        unit = None
    return Quantity(analyte=name, low=low, high=high, unit=unit, span=span_of(text, start, end))


def _pressures(text: str) -> list[_Found]:
    found = []
    for match in _PRESSURE.finditer(text):
        high, low = match["high"] or match["high2"], match["low"] or match["low2"]
        before = text[max(0, match.start() - 25) : match.start()]
        if _TARGET.search(before):
            continue
        span = span_of(text, match.start(), match.end())
        for name, value in (("systolic_bp", float(high)), ("diastolic_bp", float(low))):
            quantity = Quantity(analyte=name, low=value, high=value, unit="mmHg", span=span)
            found.append(_Found(quantity, _EARLIER.search(before) is not None))
    return found


def _body(text: str) -> list[_Found]:
    found = []
    for name, pattern in (
        ("weight", _WEIGHT),
        ("weight", _BODY_WEIGHT),
        ("height", _HEIGHT),
        ("pack_years", _PACK_YEARS),
    ):
        for match in pattern.finditer(text):
            unit = match.groupdict().get("unit")
            quantity = _quantity(
                text, name, (match["low"], None, unit, None), match.start(), match.end()
            )
            if quantity is not None:
                found.append(_Found(quantity, False))
    return found


def _graded(text: str) -> list[_Found]:
    return [_Found(grade, False) for grade in read_grades(text)]


def _once(found: list[Quantity]) -> list[Quantity]:
    kept: list[Quantity] = []
    for quantity in sorted(found, key=lambda q: q.span.start - q.span.end):
        inside = any(
            k.analyte == quantity.analyte
            and k.span.start <= quantity.span.start
            and quantity.span.end <= k.span.end
            for k in kept
        )
        if not inside:
            kept.append(quantity)
    return kept


def _in(quantity: Quantity, unit: str) -> float | None:
    from retrievers.units import convert

    if quantity.low != quantity.high or math.isinf(quantity.low):
        return None
    interval = interval_of("=", quantity.low)
    source, _ = resolve_unit(quantity.analyte, interval, quantity.unit)
    if source is None:
        return None
    return convert(quantity.low, analyte=quantity.analyte, source=source, target=unit)
