"""Units of clinical values as texts write them: one spelling each."""

from __future__ import annotations

import re

_LITRE = r"(?:l|L|liter|litre)\b"
_MICRO = r"(?:µ|μ|u|mc|micro)"
_CUBIC_MM = (
    rf"(?:mm\s?(?:\^?3|³)|cubic (?:milli|mm)\w*|cu\.?\s?mm|cumm|{_MICRO}\s?[lL]\b|"
    r"microlit(?:er|re)s?)"
)
_CELLS = r"(?:(?:white )?(?:blood )?(?:cells?|platelets|leukocytes|neutrophils)\s*)?"
_PER = r"\s*(?:/|per)\s*"
_TEN_TO = r"(?:[x×*·]?\s*10\s?(?:\^|\*\*?|e)?\s?)"
_DECI = r"(?:dL|dl|DL|100 ?m[lL]|deciliters?)\b"
_MINUTE = r"(?:min(?:ute)?s?)\b"

SPELLINGS: tuple[tuple[str, str], ...] = (
    (rf"m[lL]{_PER}{_MINUTE}{_PER}1[.,]73\s?(?:m\s?(?:\^?2|²))?", "mL/min/1.73m2"),
    (rf"m[lL]{_PER}{_MINUTE}", "mL/min"),
    (rf"m[lL]{_PER}s(?:ec)?\b", "mL/s"),
    (rf"{_CELLS}{_TEN_TO}(?:9|⁹){_PER}{_LITRE}|G/L\b", "1e9/L"),
    (rf"{_CELLS}{_TEN_TO}(?:3|³){_CELLS}{_PER}{_CUBIC_MM}", "1e9/L"),
    (rf"(?:k|K|thousand){_PER}{_CUBIC_MM}", "1e9/L"),
    (rf"{_TEN_TO}(?:12|¹²){_PER}{_LITRE}", "1e12/L"),
    (rf"(?:{_TEN_TO}(?:6|⁶)|million){_PER}{_CUBIC_MM}", "1e12/L"),
    (rf"{_CELLS}{_PER}{_CUBIC_MM}", "1/uL"),
    (rf"mmol{_PER}mol\b", "mmol/mol"),
    (rf"mg{_PER}mmol\b", "mg/mmol"),
    (rf"mmol{_PER}{_LITRE}|mM\b|millimoles? per lit(?:er|re)", "mmol/L"),
    (rf"{_MICRO}mol{_PER}{_LITRE}|{_MICRO}M\b", "umol/L"),
    (rf"nmol{_PER}{_LITRE}", "nmol/L"),
    (rf"pmol{_PER}{_LITRE}", "pmol/L"),
    (rf"m[eE]q{_PER}{_LITRE}|milliequivalents? per lit(?:er|re)", "mEq/L"),
    (rf"mg{_PER}{_DECI}|mg%", "mg/dL"),
    (rf"{_MICRO}g{_PER}{_DECI}", "ug/dL"),
    (rf"ng{_PER}{_DECI}", "ng/dL"),
    (rf"gm?{_PER}{_DECI}", "g/dL"),
    (rf"mg{_PER}{_LITRE}", "mg/L"),
    (rf"{_MICRO}g{_PER}{_LITRE}", "ug/L"),
    (rf"ng{_PER}{_LITRE}", "ng/L"),
    (rf"g{_PER}{_LITRE}", "g/L"),
    (rf"ng{_PER}m[lL]\b", "ng/mL"),
    (rf"pg{_PER}m[lL]\b", "pg/mL"),
    (rf"{_MICRO}g{_PER}m[lL]\b", "ug/mL"),
    (rf"{_MICRO}(?:IU|U){_PER}m[lL]\b|m(?:IU|U){_PER}{_LITRE}", "mU/L"),
    (rf"{_MICRO}kat{_PER}{_LITRE}", "ukat/L"),
    (rf"(?:IU|U|u|units){_PER}{_LITRE}", "U/L"),
    (rf"mg{_PER}g(?: creatinine| of creatinine)?\b", "mg/g"),
    (rf"mOsm(?:ol)?{_PER}kg(?: H2O| H₂O| water)?\b", "mOsm/kg"),
    (r"kg\s?/\s?m\s?(?:\^?2|²)|kilograms? per square met(?:er|re)", "kg/m^2"),
    (r"mm\s?Hg\b|torr\b|millimet(?:er|re)s? of mercury", "mmHg"),
    (r"kPa\b", "kPa"),
    (rf"mm{_PER}(?:h|hr|hour)\b", "mm/h"),
    (rf"(?:beats?|breaths?|times)?{_PER}{_MINUTE}|bpm\b", "1/min"),
    (r"(?:°|º|degrees?)\s?C(?:elsius)?\b|℃|C(?=[\s,.;()]|$)", "degC"),
    (r"(?:°|º|degrees?)\s?F(?:ahrenheit)?\b|℉|F(?=[\s,.;()]|$)", "degF"),
    (r"[kK]g\b|kilograms?\b|kilos?\b", "kg"),
    (r"lbs?\b|pounds?\b", "lb"),
    (r"cm\b|centimet(?:er|re)s?\b", "cm"),
    (r"inch(?:es)?\b|in\b(?=\.|,|;|\)|$)", "in"),
    (r"ms(?:ec)?\b|milliseconds?\b", "ms"),
    (r"s(?:ec(?:onds?)?)?\b", "s"),
    (r"fL\b", "fL"),
    (r"L/L\b", "L/L"),
    (r"%|per ?cent\b", "%"),
    (r"m\b|met(?:er|re)s?\b", "m"),
    (r"g\b|grams?\b", "g"),
    (r"(?<!\s)[kK]\b", "1e9/L"),
)  # fmt: skip
"""Written forms and the one spelling used inside; longer units before their parts. A `k` is
a unit only on its number: `90k`, but not `Na 140 K 4.2`."""

UNIT = "|".join(f"(?:{written})" for written, _ in SPELLINGS)
_COMPILED = tuple((re.compile(written), unit) for written, unit in SPELLINGS)


def read_unit(text: str) -> str | None:
    """Return our spelling of a written unit, or `None` when it is none.

    >>> read_unit("mL/min/1.73 m²"), read_unit("/mm³"), read_unit("×10⁹/L"), read_unit("10*9/L")
    ('mL/min/1.73m2', '1/uL', '1e9/L', '1e9/L')
    >>> read_unit("mm Hg"), read_unit("cells/mm^3"), read_unit("furlongs")
    ('mmHg', '1/uL', None)
    """
    plain = text.strip()
    return next((unit for pattern, unit in _COMPILED if pattern.fullmatch(plain)), None)
