"""The analytes that a patient's numbers and a constraint's thresholds may name.

The table is `data/analytes.csv`: canonical name, label, aliases, default unit, units that are
commonly left out, molar mass in g/mol, valence, and the range of plausible values in the default
unit. `moles_of` groups analytes that count the same molecules (urea and urea nitrogen); `broader`
says that every value of this analyte is also one of another (fasting glucose is a glucose).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from signatures.errors import InputError
from signatures.schema import Record


class Analyte(Record):
    """One row of the table."""

    name: str
    label: str
    """As an audit line prints it: `eGFR`."""
    aliases: tuple[str, ...]
    """Names matched in any case, longest first."""
    case_aliases: tuple[str, ...]
    """Symbols matched in this case only: `K`, `Na`, `HR`."""
    unit: str
    """Default unit, as `retrievers.unit_spellings` spells it."""
    other_units: tuple[str, ...]
    """Further units that a bare number may be in."""
    molar_mass: float | None
    """g/mol."""
    valence: int | None
    """Charges per ion, for milliequivalents."""
    moles_of: str
    broader: str
    low: float
    high: float
    """Plausible values in the default unit; beyond ten times these a number is not believed."""
    upper_normal: tuple[float, float] | None = None
    """Lowest and highest upper limit of normal that adult laboratories print, in the default unit;
    wide on purpose (ALT from the 25 U/L of ACG 2017), since a text rarely gives its own."""


@cache
def analyte_table() -> Mapping[str, Analyte]:
    """Read the packaged table, once.

    Raises:
        InputError: a row has a missing or non-numeric cell.

    >>> analyte_table()["potassium"].unit
    'mmol/L'
    """
    text = files("data").joinpath("analytes.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return MappingProxyType({row["name"]: _analyte(row) for row in rows})


@cache
def analyte_by_alias() -> Mapping[str, str]:
    """Return the canonical name of every alias in lower case and every symbol in its own case.

    >>> names = analyte_by_alias()
    >>> names["haemoglobin a1c"], names["K"], names.get("k")
    ('hba1c', 'potassium', None)
    """
    names: dict[str, str] = {}
    for analyte in analyte_table().values():
        for alias in (*analyte.aliases, *analyte.case_aliases):
            names.setdefault(alias, analyte.name)
    return MappingProxyType(names)


def kinds_of(name: str) -> frozenset[str]:
    """Return the analyte and everything broader that its values also are.

    >>> sorted(kinds_of("fasting_glucose"))
    ['fasting_glucose', 'glucose']
    """
    broader = analyte_table()[name].broader
    return frozenset({name}) | (kinds_of(broader) if broader else frozenset())


def _analyte(row: dict[str, str]) -> Analyte:
    try:
        return Analyte(
            name=row["name"],
            label=row["label"],
            aliases=tuple(sorted(_cells(row["aliases"]), key=len, reverse=True)),
            case_aliases=_cells(row["case_aliases"]),
            unit=row["unit"],
            other_units=_cells(row["other_units"]),
            molar_mass=float(row["molar_mass"]) if row["molar_mass"] else None,
            valence=int(row["valence"]) if row["valence"] else None,
            moles_of=row["moles_of"] or row["name"],
            broader=row["broader"],
            low=float(row["low"]),
            high=float(row["high"]),
            upper_normal=_limits(row["upper_normal"]),
        )
    except (KeyError, ValueError) as error:
        raise InputError(
            f"analytes.csv: row {row.get('name')!r} wants every column and numbers in molar_mass, "
            f"valence, low and high; got {error}"
        ) from error


def _limits(cell: str) -> tuple[float, float] | None:
    if not cell:
        return None
    low, _, high = cell.partition("-")
    return float(low), float(high)


def _cells(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("|") if part)
