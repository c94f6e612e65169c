"""Values as plain JSON, without loss: what a record becomes in a saved program."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from pydantic import BaseModel, JsonValue

from signatures.errors import ProgramStateError


def plain(value: object) -> JsonValue:
    """Return lists, dicts and scalars only; infinite floats stay infinite.

    `Quantity` holds infinite ends (`< 30`); JSON writers that turn them into `null` would change
    the prompt that the saved demonstration renders to.

    Raises:
        ProgramStateError: the value has no JSON form that reads back as the same prompt.

    >>> plain({"ids": ("e1", "e2"), "low": float("-inf")})
    {'ids': ['e1', 'e2'], 'low': -inf}
    """
    if value is None or isinstance(value, bool | int | float | str) and not isinstance(value, Enum):
        return value
    if isinstance(value, BaseModel):
        return plain(value.model_dump(mode="json"))
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise ProgramStateError(
        f"a saved value must be text, a number, a list, a mapping or a record, "
        f"got {type(value).__name__}; give the predictor a plain field"
    )
