"""Leaves decided by multiples of the upper limit of normal."""

from __future__ import annotations

from retrievers.analytes import analyte_table
from retrievers.evaluation_types import Finding
from retrievers.expression_types import TimesLimit
from retrievers.numbers import Interval, show, within
from retrievers.units import LIMITS, conversion, convert_interval, resolve_unit
from signatures.schema import Match, PatientContext, Quantity


def times_limit(leaf: TimesLimit, patient: PatientContext) -> Finding:
    """Compare a value with a multiple of its upper limit of normal.

    A text that gives the multiple is compared as it stands. Else the limit is unknown within the
    range that laboratories print, and only a verdict that holds over the whole range is given.
    """
    row = analyte_table()[leaf.analyte]
    wanted = f"{row.label} {show(leaf.times)} × ULN"
    values = [q for q in patient.quantities if q.analyte == leaf.analyte]
    if not values:
        return Finding("INDETERMINATE", (f"{wanted} → INDETERMINATE; no {row.label} given",))
    found = [_compare(value, leaf) for value in values]
    known: set[Match] = {match for match, _ in found if match != "INDETERMINATE"}
    lines = tuple(f"{wanted} → {match}; {why}" for match, why in found)
    if len(known) == 1:
        return Finding(known.pop(), lines)
    if known:
        lines = (*lines, f"{wanted} → INDETERMINATE; the values disagree")
    return Finding("INDETERMINATE", lines)


def _compare(value: Quantity, leaf: TimesLimit) -> tuple[Match, str]:
    row = analyte_table()[leaf.analyte]
    raw, source = Interval(value.low, value.high), f"from '{value.span.text}'"
    if value.unit == LIMITS:
        return within(raw, leaf.times), source
    unit, reason = resolve_unit(leaf.analyte, raw, value.unit)
    way = None if unit is None else conversion(leaf.analyte, unit, row.unit)
    if way is None or row.upper_normal is None:
        return "INDETERMINATE", f"{reason or 'its unit does not fit'}; {source}"
    at_ends = {
        within(convert_interval(raw, way), _scaled(leaf.times, limit)) for limit in row.upper_normal
    }
    low, high = row.upper_normal
    said = f"ULN {low:g} to {high:g} {row.unit}, by laboratory; {source}"
    return (at_ends.pop() if len(at_ends) == 1 else "INDETERMINATE"), said


def _scaled(times: Interval, limit: float) -> Interval:
    return times._replace(low=times.low * limit, high=times.high * limit)
