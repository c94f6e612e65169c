"""The layers of the settings, as tables: a file, a preset over or under it, single values."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from optimize.model_spec import CONNECTION, ModelSpec
from signatures.errors import SettingsError

Table = dict[str, Any]


def lay(upper: Mapping[str, Any], lower: Mapping[str, Any]) -> Table:
    """Return `lower` with the values of `upper` over it, table by table.

    >>> lay({"region": {"k": 5}}, {"region": {"k": 15, "trade_off": 0.7}})
    {'region': {'k': 5, 'trade_off': 0.7}}
    """
    table = copy.deepcopy(dict(lower))
    for key, value in upper.items():
        inside = table.get(key)
        both = isinstance(value, Mapping) and isinstance(inside, Mapping)
        table[key] = lay(value, inside) if both else copy.deepcopy(value)  # type: ignore[arg-type]
    return table


def pin(preset: Mapping[str, Any], table: Mapping[str, Any]) -> Table:
    """Lay a preset over a table; what it says of every model holds for each role as well.

    >>> pin({"model": {"temperature": 0.3}}, {"roles": {"validator": {"temperature": 1}}})
    {'roles': {'validator': {}}, 'model': {'temperature': 0.3}}
    """
    pinned = preset.get("model", {}).keys()
    roles = {
        role: {key: value for key, value in own.items() if key not in pinned}
        for role, own in table.get("roles", {}).items()
    }
    return lay(preset, {**table, **({"roles": roles} if roles else {})})


def put(table: Table, key: str, value: Any, *, source: str) -> None:
    """Set one dotted key, whose name is known; naming a model does it for every role.

    Raises:
        SettingsError: The key reaches inside a value that is no table.
    """
    if key == "model" and isinstance(value, str):
        _replace_model(table, value)
        return
    *parents, last = key.split(".")
    for parent in parents:
        table = table.setdefault(parent, {})
        if not isinstance(table, dict):
            raise SettingsError(f"{source}: {key!r} reaches inside {parent!r}, which is one value")
    table[last] = value


def nested(key: str, value: Any) -> Table:
    """Return a dotted key as tables.

    >>> nested("program.caps.reasoning", 512)
    {'program': {'caps': {'reasoning': 512}}}
    """
    for name in reversed(key.split(".")):
        value = {name: value}
    table: Table = value
    return table


def leaves(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value of a table with its dotted name.

    >>> list(leaves({"region": {"k": 15}, "reasks": 2}))
    [('region.k', 15), ('reasks', 2)]
    """
    for key, value in table.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, Mapping):
            yield from leaves(value, name)
        else:
            yield name, value


def inherit(model: Mapping[str, Any], roles: Mapping[str, Mapping[str, Any]]) -> Table:
    """Complete each role from the common model; a model's connection is never lent to another."""
    complete = {}
    for role, own in roles.items():
        other = own.keys() & {"model", "api_base"}
        base = {k: v for k, v in model.items() if not (other and k in CONNECTION)}
        complete[role] = {**base, **own}
    return complete


def _replace_model(table: Table, name: str) -> None:
    """Name the model of every role; a server's address stays unless the model is in-process."""
    common = table.setdefault("model", {})
    in_process = ModelSpec(model=name).is_local
    for spec in (*table.get("roles", {}).values(), *([common] if in_process else [])):
        for field in CONNECTION & spec.keys():
            del spec[field]
    common["model"] = name
