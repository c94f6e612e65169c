"""Laboratory values and vital signs of the patient, by rules.

A value is an analyte, a few joining words, a comparator perhaps, a number or a range, and a unit
perhaps. Reference ranges in brackets are passed over; of "rose from 1.0 to 2.4" the last counts.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from retrievers.analytes import analyte_by_alias
from retrievers.numbers import Interval, closed_ends, comparator_of, interval_of, to_number
from retrievers.patient_grades import read_grades
from retrievers.patient_lab_checks import inside_a_name, misread, of_its_most, out_of_line, unfit
from retrievers.patient_lab_words import (
    AFTER,
    BODY_WEIGHT,
    DOSE,
    HEIGHT,
    NEARLY,
    NORMAL_CUE,
    OTHER_FLUID,
    PACK_YEARS,
    TARGET,
    TIMES_LIMIT,
    WEIGHT,
    lab_pattern,
)
from retrievers.patient_newer import LATER, LATER_WEIGHT, is_earlier
from retrievers.patient_pressures import read_pressures
from retrievers.patient_series import Further, further_values, hedged
from retrievers.patient_shorthand import read_shorthand
from retrievers.patient_text import span_of
from retrievers.patient_worded import read_worded
from retrievers.unit_spellings import read_unit
from retrievers.units import LIMITS, conversion, convert, convert_interval, resolve_unit
from signatures.schema import Age, PatientContext, Quantity

ADULT_YEARS = 18
"""BMI is worked out from weight and height for adults only."""
_NEVER_LEFT_OUT = ("%", "g")
"""Where these do not fit, the number is a strength or a dose: `albumin 25 %`, `magnesium 2 g`."""


class _Found(NamedTuple):
    quantity: Quantity
    earlier: bool
    implied: bool = False
    """A range that a grade or a word stands for, rather than a measured value."""


def read_quantities(text: str, *, age: Age | None = None) -> tuple[Quantity, ...]:
    """Return the measured values, in the order of the text.

    Args:
        text: what is told of the patient.
        age: with an adult's, words such as "tachycardic" and "a normal hemoglobin" are ranges too.

    >>> [(q.analyte, q.low, q.unit) for q in read_quantities("K+ 5.9, HbA1c 9.2%, BP 172/98")]
    [('potassium', 5.9, None), ('hba1c', 9.2, '%'), ('systolic_bp', 172.0, 'mmHg'), \
('diastolic_bp', 98.0, 'mmHg')]
    >>> read_quantities("Platelets 95,000/mm3 (N: 150,000-400,000)")[0].low
    95000.0
    >>> [(q.low, q.high) for q in read_quantities("CKD stage 4 (eGFR 24)")]
    [(24.0, 24.0)]
    """
    pressures = [_Found(*pressure) for pressure in read_pressures(text)]
    adult = age is not None and age.low >= ADULT_YEARS
    worded = [_Found(*word, implied=True) for word in read_worded(text)] if adult else []
    found = [*_labs(text), *pressures, *_body(text), *_short(text), *_graded(text), *worded]
    now = {item.quantity.analyte for item in found if not item.earlier}
    current = [i for i in found if not (i.earlier and i.quantity.analyte in now)]
    kept = [i.quantity for i in current if not (i.implied and _borne_out(i.quantity, current))]
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


def _labs(text: str) -> list[_Found]:
    found, place = [], 0
    pattern = lab_pattern()
    while (match := pattern.search(text, place)) is not None:
        items = _lab(text, match)
        found += items
        place = match.end() if items else match.end("alias")
    return found


def _lab(text: str, match: re.Match[str]) -> list[_Found]:
    """Return the value of one place, and what follows it as values of the same analyte."""
    item = _one(text, match)
    if item is None or item.implied or item.quantity.unit == LIMITS:
        return [] if item is None else [item]
    first, start = item.quantity, match.start()
    more = further_values(text, first.analyte, first.span.end)
    after = [_Found(_further(text, start, first, one), False) for one in more]
    if more and more[0].newest:
        return after
    newer = _newer(text, first.analyte, match, first)
    if newer is not None:
        return [_Found(newer, False)]
    if not after:
        return [] if hedged(text, first.span.end) else [item]
    return [item._replace(earlier=False), *after]


def _further(text: str, start: int, first: Quantity, one: Further) -> Quantity:
    span = span_of(text, start if one.newest else one.start, len(text[: one.end].rstrip()))
    unit = one.unit or first.unit
    return Quantity(analyte=first.analyte, low=one.low, high=one.high, unit=unit, span=span)


def _one(text: str, match: re.Match[str]) -> _Found | None:
    alias = match["alias"]
    name = analyte_by_alias().get(alias) or analyte_by_alias()[alias.lower()]
    before = text[max(0, match.start() - 40) : match.start()]
    if out_of_line(text, match) or inside_a_name(text, match):
        return None
    limit = TIMES_LIMIT.match(text, match.end("low")) if match["unit"] is None else None
    if limit is not None:
        return _Found(_quantity(text, name, match, LIMITS, limit.end()), False)
    if TARGET.search(before) or NORMAL_CUE.search(match["join"]):
        return None
    high, unit = match["high"], match["unit"] or match["joined"]
    if (match["between"] and high is None) or misread(name, text, match):
        return None
    if (
        high is not None
        and not match["between"]
        and " to " not in match.group()
        and unit is None
        and "and" in text[match.end("low") : match.start("high")]
    ):
        return None
    after = text[match.end() : match.end() + 25]
    if OTHER_FLUID.search(before) or (unit is None and DOSE.match(after)):
        return None
    over = re.match(r"\s*/\s*(\d+)", after)
    if over is not None and not of_its_most(name, over.group(1)):
        return None
    spelled = read_unit(unit) if unit else None
    if unfit(name, match["low"], spelled):
        if spelled in _NEVER_LEFT_OUT or re.match(r"0s\b", text[match.end("low") - 1 :]):
            return None
        spelled = None
    quantity = _quantity(text, name, match, spelled, match.end())
    return _Found(quantity, is_earlier(text, match.start(), match.end()))


def _newer(
    text: str,
    name: str,
    match: re.Match[str],
    old: Quantity,
    forms: tuple[re.Pattern[str], ...] = LATER,
) -> Quantity | None:
    """Return the value that a text gives as the present one after an old one, if it does."""
    for pattern in forms:
        later = pattern.match(text, match.end())
        if later is None:
            continue
        unit = read_unit(later["unit"]) if later["unit"] else None
        interval = interval_of("=", to_number(later["low"]))
        if unit is not None and resolve_unit(name, interval, unit)[0] is None:
            return None
        span = span_of(text, match.start(), len(text[: later.end()].rstrip()))
        low, high = closed_ends(later.groupdict().get("sign"), interval.low)
        return Quantity(analyte=name, low=low, high=high, unit=unit or old.unit, span=span)
    return None


def _quantity(text: str, name: str, match: re.Match[str], unit: str | None, end: int) -> Quantity:
    groups = match.groupdict()
    low = to_number(match["low"])
    ends = (low, to_number(groups["high"])) if groups.get("high") else (low, low)
    low, high = min(ends), max(ends)
    sign = _sign(text, groups, end)
    if sign is not None:
        (low, high), end = closed_ends(sign[0], low), sign[1]
    span = span_of(text, match.start(), len(text[:end].rstrip()))
    return Quantity(analyte=name, low=low, high=high, unit=unit, span=span)


def _sign(text: str, groups: dict[str, str | None], end: int) -> tuple[str, int] | None:
    """Return the comparator before or behind a single number, and where the value ends then."""
    if groups.get("high") or "low" not in groups:
        return None
    written = groups.get("sign")
    if written is not None:
        return ("<" if re.fullmatch(NEARLY, written, re.I) else comparator_of(written) or "="), end
    behind = AFTER.match(text, len(text[:end].rstrip()))
    if behind is None:
        return None
    return ("<=" if behind["less"] else ">="), behind.end()


def _body(text: str) -> list[_Found]:
    found = []
    for name, pattern in (
        ("weight", WEIGHT),
        ("weight", BODY_WEIGHT),
        ("height", HEIGHT),
        ("pack_years", PACK_YEARS),
    ):
        for match in pattern.finditer(text):
            written = match.groupdict().get("unit")
            unit = read_unit(written) if written else None
            unit = None if unfit(name, match["low"], unit) else unit
            quantity = _quantity(text, name, match, unit, match.end())
            newer = _newer(text, name, match, quantity, LATER_WEIGHT) if name == "weight" else None
            earlier = newer is None and is_earlier(text, match.start(), match.end())
            found.append(_Found(newer or quantity, earlier))
    return found


def _short(text: str) -> list[_Found]:
    return [_Found(q, is_earlier(text, q.span.start, q.span.end)) for q in read_shorthand(text)]


def _graded(text: str) -> list[_Found]:
    return [_Found(*grade, implied=True) for grade in read_grades(text)]


def _borne_out(implied: Quantity, found: list[_Found]) -> bool:
    """Say whether every measured value of the analyte lies in the range that a grade implies."""
    measured = [
        i.quantity for i in found if not i.implied and i.quantity.analyte == implied.analyte
    ]
    return bool(measured) and all(_inside(value, implied) for value in measured)


def _inside(value: Quantity, implied: Quantity) -> bool:
    unit, _ = resolve_unit(value.analyte, Interval(value.low, value.high), value.unit)
    if unit is None or implied.unit is None:
        return False
    way = conversion(value.analyte, unit, implied.unit)
    if way is None:
        return False
    have = convert_interval(Interval(value.low, value.high), way)
    return implied.low <= have.low and have.high <= implied.high


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
    if quantity.low != quantity.high or math.isinf(quantity.low):
        return None
    interval = interval_of("=", quantity.low)
    source, _ = resolve_unit(quantity.analyte, interval, quantity.unit)
    if source is None:
        return None
    return convert(quantity.low, analyte=quantity.analyte, source=source, target=unit)
