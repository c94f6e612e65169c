"""What makes a number beside an analyte no value of it: a name, a list, an unknown unit."""

from __future__ import annotations

import re

from retrievers.analytes import analyte_table
from retrievers.numbers import interval_of, to_number
from retrievers.patient_lab_words import BRACKET_END, PART_OF_NAME, STRANGE, TIMES_LIMIT
from retrievers.patient_mentions import find_mentions
from retrievers.units import resolve_unit

_NOT_SURELY_UNITS = ("%", "s", "m", "g", "ms")
"""Read as units only where they fit the analyte: letters and signs stand after numbers anyhow."""


def of_its_most(name: str, most: str) -> bool:
    """Say whether a fraction is a score of its highest, as in `GCS 6/15`, or a blood pressure."""
    row = analyte_table()[name]
    return name in ("systolic_bp", "diastolic_bp") or (row.unit == "1" and float(most) == row.high)


def inside_a_name(text: str, match: re.Match[str]) -> bool:
    """Say whether analyte and number are part of a name, as in an enzyme or a disease."""
    glued = text[match.end("alias") : match.start("low") + 1] == "-"
    if glued and match["low"].startswith("-"):
        return True
    if match["unit"] is None and PART_OF_NAME.match(text, match.end("low")):
        return TIMES_LIMIT.match(text, match.end("low")) is None
    return any(
        mention.start <= match.start("alias") and match.end("low") <= mention.end
        for mention in find_mentions(text)
    )


def out_of_line(text: str, match: re.Match[str]) -> bool:
    """Say whether the number stands on another line, or in brackets as something else than a value.

    A line that is a number with its unit belongs to a line before it that is a name alone, unless
    that is the last of several: then the numbers may stand in the order of the names.
    """
    between = text[match.end("alias") : match.start("low")]
    if between.rstrip().endswith("("):
        listed = between.rstrip(" (").endswith(",") or (
            match["unit"] is None and re.fullmatch(r"\d|(?:19|20)\d\d", match["low"]) is not None
        )
        return listed or BRACKET_END.match(text, match.end()) is None
    if "\n" not in between:
        return False
    lines = text[: match.start("low")].rstrip().split("\n")
    headed = len(lines) > 1 and lines[-2].strip() and not re.search(r"\d", lines[-2])
    alone = re.fullmatch(r"\s*:?\s*\n\s*", between) and lines[-1].strip(" :") == match["alias"]
    rest = text[match.end() :].split("\n")[0].strip()
    return bool(headed or not alone or rest)


def misread(name: str, text: str, match: re.Match[str]) -> bool:
    """Say whether the number is negative, where none can be, or has a unit that we do not know."""
    if match["low"].startswith("-") and analyte_table()[name].low >= 0:
        return True
    end = match.end("low") if match["high"] is None else match.end("high")
    return match["unit"] is None and STRANGE.match(text, end) is not None


def unfit(name: str, low: str, unit: str | None) -> bool:
    """Say whether a short unit, which may be another word, does not fit the analyte."""
    if unit not in _NOT_SURELY_UNITS:
        return False
    return resolve_unit(name, interval_of("=", to_number(low)), unit)[0] is None
