"""Exact conversion of clinical values between the units that `retrievers.unit_spellings` reads.

pint does the arithmetic of units; what it cannot know is per analyte: the molar mass for mass to
amount, the charge for milliequivalents, and the master equation that joins the two scales of HbA1c.
A conversion is affine, so it is worked out once per analyte and pair of units and then cached.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from retrievers.analytes import analyte_table
from retrievers.numbers import Interval

if TYPE_CHECKING:
    import pint

NGSP_SLOPE, NGSP_INTERCEPT = 0.09148, 2.152
"""NGSP % = 0.09148 × IFCC mmol/mol + 2.152 (IFCC-NGSP master equation, ngsp.org/ifcc.asp)."""

LIMITS = "xULN"
"""Unit of a value given as a multiple of its upper limit of normal; converts to no other."""

IMPLAUSIBLE_FACTOR = 10.0
"""A value this many times beyond the plausible range is taken for a slip of unit or of reading."""

_SYNONYMS = {("egfr", "mL/min"): "mL/min/1.73m2"}
"""eGFR is indexed to 1.73 m² by definition; labels often leave the index out."""


class Affine(NamedTuple):
    """y = scale·x + offset; `molar` when amount of substance was exchanged for mass."""

    scale: float
    offset: float
    molar: bool


@cache
def conversion(analyte: str, source: str, target: str) -> Affine | None:
    """Work out how a value of an analyte goes from one unit to another.

    Args:
        analyte: canonical name.
        source: unit as `read_unit` spells it.
        target: unit as `read_unit` spells it.

    Returns:
        The affine map, or `None` when the units measure different things.

    >>> round(conversion("glucose", "mg/dL", "mmol/L").scale * 126, 2)
    6.99
    >>> conversion("potassium", "mEq/L", "mmol/L").scale, conversion("glucose", "mg/dL", "mmHg")
    (1.0, None)
    """
    source, target = (
        _SYNONYMS.get((analyte, source), source),
        _SYNONYMS.get((analyte, target), target),
    )
    if source == target:
        return Affine(1.0, 0.0, False)
    if LIMITS in (source, target):
        return None
    if analyte == "hba1c" and {source, target} == {"%", "mmol/mol"}:
        if source == "%":
            return Affine(1 / NGSP_SLOPE, -NGSP_INTERCEPT / NGSP_SLOPE, True)
        return Affine(NGSP_SLOPE, NGSP_INTERCEPT, True)
    if {source, target} == {"degC", "degF"}:
        return Affine(1.8, 32.0, False) if source == "degC" else Affine(1 / 1.8, -32 / 1.8, False)
    if {source, target} == {"mg/mmol", "mg/g"}:
        grams = (analyte_table()["creatinine"].molar_mass or 0.0) / 1000
        return Affine(1 / grams, 0.0, True) if source == "mg/mmol" else Affine(grams, 0.0, True)
    return _by_dimension(analyte, source, target)


def convert(value: float, *, analyte: str, source: str, target: str) -> float | None:
    """Convert one value, or return `None` when the units do not go together.

    >>> round(convert(1.4, analyte="creatinine", source="mg/dL", target="umol/L"))
    124
    >>> convert(48, analyte="hba1c", source="mmol/mol", target="%") > 6.5
    True
    """
    way = conversion(analyte, source, target)
    return None if way is None else way.scale * value + way.offset


def convert_interval(value: Interval, way: Affine) -> Interval:
    """Convert both ends of an interval; open ends stay open, infinite ones infinite.

    >>> convert_interval(Interval(2, 3, high_open=True), Affine(10.0, 0.0, False))
    Interval(low=20.0, high=30.0, low_open=False, high_open=True)
    """
    low, high = way.scale * value.low + way.offset, way.scale * value.high + way.offset
    return Interval(low, high, value.low_open, value.high_open)


@lru_cache(maxsize=65_536)
def resolve_unit(analyte: str, value: Interval, unit: str | None) -> tuple[str | None, str]:
    """Decide which unit a value is in, and say why when that cannot be decided.

    A stated unit must fit the analyte and give a believable value. A bare number takes the one
    customary unit in which it is plausible; when there are several, it stays undecided.

    Returns:
        The unit and an empty reason, or `None` and the reason.

    >>> resolve_unit("creatinine", Interval(1.4, 1.4), None)
    ('mg/dL', '')
    >>> resolve_unit("glucose", Interval(30, 30), None)
    (None, 'glucose 30 has no unit and could be mg/dL or mmol/L')
    """
    row = analyte_table()[analyte]
    if unit is not None:
        unit = _SYNONYMS.get((analyte, unit), unit)
        if conversion(analyte, unit, row.unit) is None:
            return None, f"{unit} is no unit of {row.label}"
        if not _plausible(analyte, value, unit, IMPLAUSIBLE_FACTOR):
            return None, f"{row.label} {_ends(value)} {unit} is not believable"
        return unit, ""
    fits = [u for u in (row.unit, *row.other_units) if _plausible(analyte, value, u, 1.0)]
    fits = [u for u in fits if u == fits[0] or not _same_numbers(analyte, u, fits[0])]
    if len(fits) == 1:
        return fits[0], ""
    if not fits:
        return None, f"{row.label} {_ends(value)} has no unit and fits none"
    return None, f"{row.label} {_ends(value)} has no unit and could be {' or '.join(fits)}"


def _same_numbers(analyte: str, first: str, second: str) -> bool:
    way = conversion(analyte, first, second)
    return way is not None and math.isclose(way.scale, 1.0) and way.offset == 0.0


def _plausible(analyte: str, value: Interval, unit: str, factor: float) -> bool:
    row = analyte_table()[analyte]
    way = conversion(analyte, unit, row.unit)
    if way is None:
        return False
    inside = convert_interval(value, way)
    ends = [end for end in (inside.low, inside.high) if not math.isinf(end)]
    low = row.low / factor if row.low > 0 else row.low
    return all(low <= end <= row.high * factor or end == 0 for end in ends)


def _ends(value: Interval) -> str:
    ends = [f"{end:g}" for end in (value.low, value.high) if not math.isinf(end)]
    return "-".join(dict.fromkeys(ends))


@cache
def _registry() -> pint.UnitRegistry[float]:
    import pint

    registry: pint.UnitRegistry[float] = pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
    for line in (
        "bsa173 = [body_surface]",
        "mEq = 0.001 * equivalent",
        "equivalent = [charge_amount]",
        "mOsm = [osmoles]",
        "enzymeunit = [catalysis]",
    ):
        registry.define(line)
    return registry


_PINT_NAMES = {
    "mL/min/1.73m2": "mL/min/bsa173", "1e9/L": "1e9/L", "1e12/L": "1e12/L", "1/uL": "1/uL",
    "%": "percent", "U/L": "enzymeunit/L", "mU/L": "0.001*enzymeunit/L",
    "ukat/L": "60*enzymeunit/L",
    "kg/m^2": "kg/m**2", "in": "inch", "1": "dimensionless",
}  # fmt: skip
"""Where pint spells a unit otherwise. 1 µkat/L is 60 U/L by definition of the katal."""


def _by_dimension(analyte: str, source: str, target: str) -> Affine | None:
    import pint

    registry, row = _registry(), analyte_table()[analyte]
    try:
        first = registry.Quantity(1.0, "dimensionless") * registry.parse_expression(
            _PINT_NAMES.get(source, source)
        )
        second = registry.Quantity(1.0, "dimensionless") * registry.parse_expression(
            _PINT_NAMES.get(target, target)
        )
    except pint.UndefinedUnitError:
        return None
    if first.is_compatible_with(second):
        return Affine(float((first / second).to_reduced_units().to("dimensionless").m), 0.0, False)
    bridges = [_in_moles(q, row.molar_mass, row.valence, registry) for q in (first, second)]
    if bridges[0] is None or bridges[1] is None or not bridges[0].is_compatible_with(bridges[1]):
        return None
    return Affine(float((bridges[0] / bridges[1]).to("dimensionless").m), 0.0, True)


def _in_moles(
    quantity: pint.Quantity[float],
    molar_mass: float | None,
    valence: int | None,
    registry: pint.UnitRegistry[float],
) -> pint.Quantity[float] | None:
    dimensions = quantity.dimensionality
    if "[substance]" in dimensions:
        return quantity
    if "[charge_amount]" in dimensions and valence:
        return quantity / registry.Quantity(float(valence), "equivalent/mol")
    if "[mass]" in dimensions and molar_mass:
        return quantity / registry.Quantity(molar_mass, "g/mol")
    return None
