"""Leaves decided by numbers: measured values, age, sex, pregnancy and lactation."""

from __future__ import annotations

import math
from decimal import Decimal

from retrievers.analytes import analyte_table, kinds_of
from retrievers.evaluation_types import Finding
from retrievers.expression_people import TRIMESTER_WEEKS
from retrievers.expression_types import AgeIs, Measure, PregnantIs, SexIs
from retrievers.numbers import Interval, format_number, show, within
from retrievers.units import Affine, conversion, convert_interval, resolve_unit
from signatures.schema import Match, PatientContext, Pregnancy, Quantity

PRETTY = {
    "mL/min/1.73m2": "mL/min/1.73 m²", "1/uL": "/µL", "1e9/L": "×10⁹/L", "1e12/L": "×10¹²/L",
    "kg/m^2": "kg/m²", "1/min": "/min", "degC": "°C", "degF": "°F", "umol/L": "µmol/L",
    "ug/L": "µg/L", "ug/dL": "µg/dL", "1": "",
}  # fmt: skip
"""Units as audit lines print them, where they differ from the inside spelling."""

CHILDBEARING = Interval(8.0, 60.0)
"""Years outside which a pregnancy is not thought of. WHO counts the reproductive age from 15 to 49;
the limits are wider, since younger and older mothers are on record."""

MOLE_UNIT = "mmol/L"
"""Through which analytes that count the same molecules are compared."""


def measure(leaf: Measure, patient: PatientContext) -> Finding:
    """Compare every value of the analyte with the threshold; if they disagree, none decides."""
    label = analyte_table()[leaf.analyte].label
    wanted = f"{label} {spaced(show(leaf.wanted), leaf.unit)}"
    values = [q for q in patient.quantities if _measures(q.analyte, leaf.analyte)]
    if not values:
        return Finding("INDETERMINATE", (f"{wanted} → INDETERMINATE; no {label} given",))
    found = [_compare(value, leaf) for value in values]
    known: list[Match] = [match for match, _ in found if match != "INDETERMINATE"]
    lines = tuple(line for _, line in found)
    if len(set(known)) == 1:
        return Finding(known[0], lines)
    if known:
        return Finding("INDETERMINATE", (*lines, f"{wanted} → INDETERMINATE; the values disagree"))
    return Finding("INDETERMINATE", lines)


def age(leaf: AgeIs, patient: PatientContext) -> Finding:
    """Compare the age in years."""
    wanted = f"age {_years(leaf.wanted)}"
    if patient.age is None:
        return Finding("INDETERMINATE", (f"{wanted} → INDETERMINATE; no age given",))
    value = Interval(patient.age.low, patient.age.high)
    match = within(value, leaf.wanted)
    years = _years(leaf.wanted)
    joint = "" if years[0] in "<>≤≥" else "in "
    line = f"age {_years(value)} {joint}{years} → {match}; from '{patient.age.span.text}'"
    return Finding(match, (line,))


def sex(leaf: SexIs, patient: PatientContext) -> Finding:
    """Compare the sex; a pregnant patient is female."""
    pregnant = patient.pregnancy is not None and patient.pregnancy.pregnant
    known = patient.sex or ("female" if pregnant else None)
    if known is None:
        return Finding("INDETERMINATE", (f"{leaf.sex} → INDETERMINATE; no sex given",))
    match: Match = "MET" if known == leaf.sex else "NOT_MET"
    return Finding(match, (f"sex {known} is {leaf.sex} → {match}",))


def pregnancy(leaf: PregnantIs, patient: PatientContext) -> Finding:
    """Compare pregnancy, trimester and weeks; a man is not pregnant, silence is unknown."""
    wanted = "pregnant" + _when(leaf)
    stated = patient.pregnancy
    if stated is None:
        why = _cannot_bear(patient)
        if why is not None:
            return Finding("NOT_MET", (f"{wanted} → NOT_MET; {why}",))
        return Finding("INDETERMINATE", (f"{wanted} → INDETERMINATE; pregnancy not stated",))
    if not stated.pregnant:
        return Finding("NOT_MET", (f"{wanted} → NOT_MET; from '{stated.span.text}'",))
    match = _in_time(leaf, stated)
    return Finding(match, (f"{wanted} → {match}; from '{stated.span.text}'",))


def lactation(patient: PatientContext) -> Finding:
    """Compare lactation; a man does not breastfeed, silence is unknown."""
    why = _cannot_bear(patient)
    if patient.lactating is None and why is not None:
        return Finding("NOT_MET", (f"breastfeeding → NOT_MET; {why}",))
    if patient.lactating is None:
        return Finding("INDETERMINATE", ("breastfeeding → INDETERMINATE; not stated",))
    match: Match = "MET" if patient.lactating else "NOT_MET"
    return Finding(match, (f"breastfeeding → {match}; as stated",))


def _cannot_bear(patient: PatientContext) -> str | None:
    """Say why a patient can be neither pregnant nor breastfeeding, if so."""
    if patient.sex == "male":
        return "sex male"
    age = patient.age
    if age is not None and (age.high < CHILDBEARING.low or age.low >= CHILDBEARING.high):
        return f"age, from '{age.span.text}'"
    return None


def snapped(value: Interval, raw: Interval, wanted: Interval, way: Affine) -> Interval:
    """Let a converted value equal the threshold that it cannot be told from.

    126 mg/dL of glucose is 6.993 mmol/L, and was printed to the milligram: anything from 6.966 to
    7.021 mmol/L prints as 126. Against `≥ 7.0 mmol/L` it counts as 7.0. Only conversions through
    molar masses do this; all others are exact.

    >>> way = Affine(0.0555, 0.0, True)
    >>> snapped(Interval(6.993, 6.993), Interval(126, 126), Interval(7.0, 9.0), way).low
    7.0
    >>> snapped(Interval(6.9, 6.9), Interval(124.3, 124.3), Interval(7.0, 9.0), way).low
    6.9
    """
    if not way.molar or raw.low != raw.high:
        return value
    half = abs(way.scale) * _half_step(raw.low)
    near = [end for end in (wanted.low, wanted.high) if abs(end - value.low) < half]
    return Interval(near[0], near[0]) if near else value


def as_stated(value: Interval) -> Interval:
    """Return an interval with the open ends that the reader stored as a shifted closed end.

    >>> as_stated(Interval(0, 30 * (1 - 1e-6))), as_stated(Interval(5.9, 5.9)).high_open
    (Interval(low=0, high=30.0, low_open=False, high_open=True), False)
    """
    low, high = float(f"{value.low:.5g}"), float(f"{value.high:.5g}")
    low_open = value.low != low and math.isclose(value.low, low, rel_tol=2e-6)
    high_open = value.high != high and math.isclose(value.high, high, rel_tol=2e-6)
    return Interval(
        low if low_open else value.low, high if high_open else value.high, low_open, high_open
    )


def _half_step(number: float) -> float:
    exponent = Decimal(repr(number)).normalize().as_tuple().exponent
    return 0.5 * 10.0 ** min(0, exponent if isinstance(exponent, int) else 0)


def _measures(have: str, want: str) -> bool:
    if want in kinds_of(have):
        return True
    table = analyte_table()
    return have != want and table[have].moles_of == table[want].moles_of


def _compare(value: Quantity, leaf: Measure) -> tuple[Match, str]:
    label = analyte_table()[value.analyte].label
    raw = Interval(value.low, value.high)
    unit, reason = resolve_unit(value.analyte, raw, value.unit)
    wanted_unit, wanted_reason = resolve_unit(leaf.analyte, leaf.wanted, leaf.unit)
    if unit is None or wanted_unit is None:
        return (
            "INDETERMINATE",
            f"{label} → INDETERMINATE; {reason or wanted_reason}; from '{value.span.text}'",
        )
    way = _way(value.analyte, unit, leaf.analyte, wanted_unit)
    if way is None:
        return (
            "INDETERMINATE",
            f"{label} → INDETERMINATE; {unit} cannot be compared with {wanted_unit}; "
            f"from '{value.span.text}'",
        )
    match = within(snapped(convert_interval(raw, way), raw, leaf.wanted, way), leaf.wanted)
    shown = spaced(show(leaf.wanted), None if unit == wanted_unit else wanted_unit)
    joint = "" if shown[0] in "<>≤≥" else "in " if leaf.wanted.low != leaf.wanted.high else "= "
    line = (
        f"{label} {spaced(show(as_stated(raw)), unit)} {joint}{shown} → {match}; from "
        f"'{value.span.text}'"
    )
    return match, line


def _way(have: str, unit: str, want: str, wanted_unit: str) -> Affine | None:
    if want in kinds_of(have):
        return conversion(want, unit, wanted_unit)
    first, second = conversion(have, unit, MOLE_UNIT), conversion(want, MOLE_UNIT, wanted_unit)
    if first is None or second is None:
        return None
    return Affine(first.scale * second.scale, first.offset * second.scale + second.offset, True)


def _in_time(leaf: PregnantIs, stated: Pregnancy) -> Match:
    if leaf.weeks is None and not leaf.trimesters:
        return "MET"
    weeks = _weeks(stated)
    if weeks is None:
        return "INDETERMINATE"
    if leaf.weeks is not None:
        return within(weeks, leaf.weeks)
    found = {within(weeks, TRIMESTER_WEEKS[trimester]) for trimester in leaf.trimesters}
    if "MET" in found:
        return "MET"
    return "NOT_MET" if found == {"NOT_MET"} else "INDETERMINATE"


def _weeks(stated: Pregnancy) -> Interval | None:
    if stated.weeks is not None:
        return Interval(stated.weeks, stated.weeks)
    return None if stated.trimester is None else TRIMESTER_WEEKS[stated.trimester]


def _when(leaf: PregnantIs) -> str:
    if leaf.weeks is not None:
        return f" {show(leaf.weeks)} weeks"
    trimesters = " or ".join(str(trimester) for trimester in sorted(leaf.trimesters))
    return f", trimester {trimesters}" if trimesters else ""


def spaced(number: str, unit: str | None) -> str:
    """Put a number before its unit as people write it; the unit 1 is left out.

    >>> spaced("24", "mL/min/1.73m2")
    '24 mL/min/1.73 m²'
    """
    pretty = PRETTY.get(unit or "", unit or "")
    return f"{number} {pretty}".strip()


def _years(value: Interval) -> str:
    ends = [end for end in (value.low, value.high) if not math.isinf(end)]
    if ends and max(ends) < 2 and max(ends) > 0:
        months = Interval(value.low * 12, value.high * 12, value.low_open, value.high_open)
        shown = show(months._replace(low=round(months.low, 2), high=round(months.high, 2)))
        return f"{shown} month" if shown == "1" else f"{shown} months"
    return show(value) if value.low != value.high else format_number(value.low)
