"""Errors of a settings table in one line: unknown keys with a suggestion, values with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from signatures.errors import SettingsError


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a clause that suggests the nearest known word, or lists all of them.

    >>> did_you_mean("max_call", ["max_calls", "max_cost"])
    "did you mean 'max_calls'?"
    >>> did_you_mean("zzz", ["b", "a"])
    'known: a, b'
    """
    words = sorted(known)
    near = get_close_matches(word, words, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(words)}"


def check_keys(table: Mapping[str, Any], record: type, *, where: str) -> None:
    """Refuse a key that `record` does not have, in this table and in the tables inside.

    Args:
        table: Settings as read.
        record: A pydantic model or a named tuple; so are the records inside it.
        where: Where the table comes from, for the message.

    Raises:
        SettingsError: Names the key and the nearest known one.
    """
    fields = _fields(record) or {}
    for key, value in table.items():
        if key not in fields:
            raise SettingsError(f"{where}: unknown setting {key!r}; {did_you_mean(key, fields)}")
        if isinstance(value, Mapping):
            _check_inside(value, fields[key], where=f"{where}: {key}")


def _fields(record: object) -> Mapping[str, Any] | None:
    """Return the types of a record's fields by name; `None` for what is no record."""
    if not isinstance(record, type):
        return None
    if issubclass(record, BaseModel):
        return {name: field.annotation for name, field in record.model_fields.items()}
    return get_type_hints(record) if hasattr(record, "_field_defaults") else None


def _check_inside(value: Mapping[str, Any], annotation: Any, *, where: str) -> None:
    if _fields(annotation) is not None:
        check_keys(value, annotation, where=where)
        return
    names, inner = (*get_args(annotation), None, None)[:2]
    if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
        return
    for name, table in value.items():
        if get_args(names) and name not in get_args(names):
            known = did_you_mean(name, get_args(names))
            raise SettingsError(f"{where}: unknown name {name!r}; {known}")
        if isinstance(table, Mapping):
            check_keys(table, inner, where=f"{where}.{name}")


_WANTED = {
    "int_parsing": "wanted a whole number",
    "int_type": "wanted a whole number",
    "int_from_float": "wanted a whole number",
    "float_parsing": "wanted a number",
    "float_type": "wanted a number",
    "bool_parsing": "wanted true or false",
    "bool_type": "wanted true or false",
    "string_type": "wanted text",
    "greater_than_equal": "wanted at least {ge:g}",
    "greater_than": "wanted more than {gt:g}",
    "less_than_equal": "wanted at most {le:g}",
}
"""What a setting wants, by pydantic's name of the error."""


def first_error(error: ValidationError) -> str:
    """Return the first complaint: the setting's dotted name, what is wrong and what came.

    A value under a name that could hold a secret is not repeated.
    """
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    came = "" if "key" in name or "api_base" in name else f", got {first['input']!r}"
    return f"{name}: {_wanted(first)}{came}"


def _wanted(error: ErrorDetails) -> str:
    plain = _WANTED.get(error["type"])
    if plain is not None:
        return plain.format_map(error.get("ctx", {}))
    return error["msg"].removeprefix("Value error, ")
