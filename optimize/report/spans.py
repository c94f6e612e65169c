"""What was read of the patient: facts in words, and where in the question each one stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from optimize.report.loose import Loose, mapping, mappings, number, words


class Fact(NamedTuple):
    """One fact of the patient."""

    kind: str
    """`age`, `sex`, `pregnancy`, `value`, `diagnosis`, `medication` or `habit`."""
    text: str
    """In words, with how the question asserts it."""
    start: int | None
    """Place in the question, in UTF-16 units as a browser counts; `None` where none is known."""
    end: int | None


def patient_facts(patient: object, text: str) -> list[Fact]:
    """Word every fact of a saved patient context, in the order of the text.

    A span counts only where the question has its very words, and where no earlier one lies.
    """
    found = [_place(kind, said, span, text) for kind, said, span in _facts(mapping(patient))]
    found.sort(key=lambda fact: (fact.start is None, fact.start or 0, -(fact.end or 0)))
    free, kept = 0, []
    for fact in found:
        clash = fact.start is not None and fact.start < free
        kept.append(fact._replace(start=None, end=None) if clash else fact)
        free = max(free, fact.end or 0)
    return kept


def utf16(text: str, offset: int) -> int:
    r"""Turn an offset in characters into one in UTF-16 units.

    >>> utf16("a\U0001F600b", 2), utf16("abc", 2)
    (3, 2)
    """
    return len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def _facts(patient: Loose) -> Iterator[tuple[str, str, object]]:
    if age := mapping(patient.get("age")):
        yield "age", f"age {_range(age)} years", age.get("span")
    if sex := words(patient.get("sex")):
        yield "sex", sex, None
    if state := mapping(patient.get("pregnancy")):
        weeks = number(state.get("weeks"))
        said = "pregnant" if state.get("pregnant") else "not pregnant"
        yield "pregnancy", said if weeks is None else f"{said}, week {weeks:g}", state.get("span")
    if patient.get("lactating") is not None:
        yield "pregnancy", "lactating" if patient["lactating"] else "not lactating", None
    for value in mappings(patient.get("quantities")):
        unit = words(value.get("unit"))
        said = f"{words(value.get('analyte'))} {_range(value)} {'' if unit == '1' else unit}"
        yield "value", said.strip(), value.get("span")
    for fact in mappings(patient.get("facts")):
        yield words(fact.get("kind")), _fact(fact), fact.get("span")


def _fact(fact: Loose) -> str:
    assertion = words(fact.get("assertion"))
    said = words(fact.get("name"))
    if assertion and assertion != "present":
        said = f"{said} ({assertion})"
    node = words(mapping(fact.get("node")).get("name"))
    return f"{said} → {node}" if node and node.casefold() not in said.casefold() else said


def _range(value: Loose) -> str:
    low, high = number(value.get("low")), number(value.get("high"))
    if low is None and high is None:
        return "unknown"
    if low is None:
        return f"at most {high:g}"
    if high is None:
        return f"at least {low:g}"
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _place(kind: str, said: str, span: object, text: str) -> Fact:
    place = mapping(span)
    start, end = place.get("start"), place.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end:
        return Fact(kind, said, None, None)
    if text[start:end] != place.get("text"):
        return Fact(kind, said, None, None)
    return Fact(kind, said, utf16(text, start), utf16(text, end))
