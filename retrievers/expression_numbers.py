"""Leaves of a constraint that are decided by measured numbers: labs and vitals.

Each reader takes one whole phrase in tidy form and returns a leaf only when it has understood every
word of it. A phrase half understood is no leaf: the constraint then goes to a model.
"""

from __future__ import annotations

import math
import re
from functools import cache

from retrievers.analytes import analyte_by_alias, analyte_table
from retrievers.expression_types import (
    All,
    AnyOf,
    Expression,
    Measure,
)
from retrievers.numbers import (
    AFTER_NUMBER,
    COMPARATOR,
    NUMBER,
    Interval,
    comparator_of,
    interval_of,
    to_number,
)
from retrievers.unit_spellings import UNIT, read_unit
from retrievers.units import convert, resolve_unit

_AFTER = "|".join(words for words, _ in AFTER_NUMBER)
_NUM = rf"-?{NUMBER}"
_UNIT = rf"(?:\s*(?P<unit>{UNIT}))?"

THRESHOLD = re.compile(
    rf"(?:of |is |was |are |level |levels |value |count |: )*"
    rf"(?P<sign>{COMPARATOR})\s*(?P<number>{_NUM}){_UNIT}(?:\s*(?P<after>{_AFTER}))?",
)
SUFFIXED = re.compile(rf"(?:of |is |: )*(?P<number>{_NUM}){_UNIT}\s*(?P<after>{_AFTER})")
RANGE = re.compile(
    rf"(?:of |is |in the range |range |ranging |: )*(?:from |between )?(?:(?P<low_sign>>|≥|>=)\s*)?"
    rf"(?P<low>{_NUM})(?:\s*(?:{UNIT}))?"
    r"\s*(?:-|to|and|through|to less than|to under)\s*(?:(?P<high_sign><|≤|<=|less than|"
    r"under|below)"
    rf"\s*)?(?P<high>{_NUM}){_UNIT}",
)
DOUBLE = re.compile(
    rf"(?P<sign>{COMPARATOR})\s*(?P<number>{_NUM}){_UNIT}\s*(?:and|but|to)\s*"
    rf"(?P<sign2>{COMPARATOR})\s*(?P<number2>{_NUM})(?:\s*(?P<unit2>{UNIT}))?",
)
RESTATED = re.compile(
    rf"(?P<first>.+?)\s*(?:\(|or |\[|/ )\s*(?P<number>{_NUM})\s*(?P<unit>{UNIT})[)\]]?"
)
"""The same threshold in a second unit: `> 9.0 % (75 mmol/mol)`."""

SAME_WITHIN = 0.03
"""Two statements of one threshold in two units agree to 3 %, the rounding of guidelines."""


def measure_leaf(text: str) -> Expression | None:
    """Read `analyte comparator number unit`, a range, or blood pressure `180/110`.

    >>> measure_leaf("egfr 30 to 45 mL/min/1.73 m²").wanted
    Interval(low=30.0, high=45.0, low_open=False, high_open=False)
    >>> measure_leaf("platelet count < 100,000/mm³").unit
    '1/uL'
    >>> measure_leaf("egfr is much too low") is None
    True
    """
    pressure = _pressure(text)
    if pressure is not None:
        return pressure
    found = analyte_at(text)
    return _value_first(text) if found is None else _threshold(*found)


def analyte_at(text: str) -> tuple[str, str] | None:
    """Return the analyte that a phrase begins with, and what is said of it.

    >>> analyte_at("serum potassium level > 5.5 mEq/L")
    ('potassium', '> 5.5 mEq/L')
    """
    found = _analyte_start().match(text) or _analyte_start_lower().match(text)
    if found is None:
        return None
    name = _alias(found.group("alias"))
    return None if name is None else (name, found.string[found.end() :].strip(" ,:"))


@cache
def _analyte_start() -> re.Pattern[str]:
    symbols = sorted(
        (s for row in analyte_table().values() for s in row.case_aliases), key=len, reverse=True
    )
    either = "|".join(map(re.escape, symbols))
    return re.compile(rf"(?:serum |plasma |blood )?(?P<alias>{either})(?![\w+-])")


@cache
def _analyte_start_lower() -> re.Pattern[str]:
    aliases = sorted(
        (a for row in analyte_table().values() for a in row.aliases), key=len, reverse=True
    )
    either = "|".join(map(re.escape, aliases))
    return re.compile(
        rf"(?:an? |the |serum |plasma |blood |resting |baseline |total |estimated )*"
        rf"(?P<alias>{either})(?![\w])(?:\s*\((?:{either})\))?"
        rf"(?:,? (?:levels?|counts?|values?|concentrations?|score|ratio|interval))?",
        re.IGNORECASE,
    )


def _alias(text: str) -> str | None:
    return analyte_by_alias().get(text) or analyte_by_alias().get(text.lower())


def _value_first(text: str) -> Expression | None:
    found = re.fullmatch(
        rf"(?P<value>(?:{COMPARATOR})\s*{NUMBER}\s*(?:{UNIT})?)\s+(?P<name>.+)", text
    )
    if found is None:
        return None
    name = _alias(found.group("name"))
    return None if name is None else _threshold(name, found.group("value"))


def _threshold(name: str, rest: str) -> Expression | None:
    leaf = _one_threshold(name, rest)
    if leaf is not None:
        return leaf
    restated = RESTATED.fullmatch(rest)
    if restated is None:
        return None
    leaf = _one_threshold(name, restated.group("first"))
    return leaf if leaf is not None and _agrees(leaf, restated) else None


def _one_threshold(name: str, rest: str) -> Measure | None:
    found = THRESHOLD.fullmatch(rest) or SUFFIXED.fullmatch(rest)
    if found is not None:
        groups = found.groupdict()
        sign = comparator_of(groups.get("after") or groups.get("sign") or "=")
        wanted = interval_of(sign or "=", to_number(groups["number"]))
        return _measure(name, wanted, groups["unit"])
    found = DOUBLE.fullmatch(rest)
    if found is not None:
        first = interval_of(comparator_of(found["sign"]) or "=", to_number(found["number"]))
        second = interval_of(comparator_of(found["sign2"]) or "=", to_number(found["number2"]))
        both = _meet(first, second)
        return None if both is None else _measure(name, both, found["unit2"] or found["unit"])
    found = RANGE.fullmatch(rest)
    if found is None:
        return None
    low, high = to_number(found["low"]), to_number(found["high"])
    open_high = (found["high_sign"] or "") in ("<", "less than", "under", "below")
    if low > high:
        return None
    return _measure(name, Interval(low, high, found["low_sign"] == ">", open_high), found["unit"])


def _measure(name: str, wanted: Interval, unit: str | None) -> Measure | None:
    spelled = None if unit is None else read_unit(unit)
    resolved, _ = resolve_unit(name, wanted, spelled)
    return None if resolved is None else Measure(analyte=name, wanted=wanted, unit=resolved)


def _agrees(leaf: Measure, restated: re.Match[str]) -> bool:
    unit = read_unit(restated.group("unit"))
    threshold = leaf.wanted.high if math.isinf(leaf.wanted.low) else leaf.wanted.low
    if unit is None or leaf.unit is None:
        return False
    other = convert(threshold, analyte=leaf.analyte, source=leaf.unit, target=unit)
    return other is not None and math.isclose(
        other, to_number(restated.group("number")), rel_tol=SAME_WITHIN
    )


def _meet(first: Interval, second: Interval) -> Interval | None:
    low = max((first.low, first.low_open), (second.low, second.low_open))
    high = min((first.high, not first.high_open), (second.high, not second.high_open))
    return None if low[0] > high[0] else Interval(low[0], high[0], low[1], not high[1])


def _pressure(text: str) -> Expression | None:
    found = re.fullmatch(
        r"(?:a |an )?(?:blood pressure|bp)\s*(?:of |is "
        rf")?(?P<sign>{COMPARATOR})\s*(?P<high>\d{{2,3}})\s*/\s*"
        r"(?P<low>\d{2,3})\s*(?:mm\s?hg)?",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    sign = comparator_of(found["sign"]) or "="
    parts = (
        Measure(analyte="systolic_bp", wanted=interval_of(sign, float(found["high"])), unit="mmHg"),
        Measure(analyte="diastolic_bp", wanted=interval_of(sign, float(found["low"])), unit="mmHg"),
    )
    return AnyOf(parts=parts) if sign.startswith(">") else All(parts=parts)
