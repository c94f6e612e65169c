"""A type in as few tokens as a model can read: the short notation shown in prompts.

    claims: [{option: string, head: string, predicate: "treats"|"causes", supports: bool}]

Descriptions follow their field after a `#`. A JSON schema of the same type is several times longer.
"""

from __future__ import annotations

import types
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

_PLAIN: dict[Any, str] = {
    str: "string",
    int: "int",
    float: "number",
    bool: "bool",
    type(None): "null",
    Any: "any",
}


def notation(annotation: Any) -> str:
    """Return a type in short notation.

    >>> notation(list[str]), notation(Literal["yes", "no"]), notation(int | None)
    ('[string]', '"yes"|"no"', 'int|null')
    >>> class Pair(BaseModel):
    ...     left: str
    ...     right: float
    >>> notation(list[Pair])
    '[{left: string, right: number}]'
    """
    return _render(annotation, ())


def _render(annotation: Any, inside: tuple[type, ...]) -> str:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _render(args[0], inside)
    if origin is Literal:
        return "|".join(_literal(value) for value in args)
    if origin in (Union, types.UnionType):
        return "|".join(_render(arg, inside) for arg in args)
    if origin in (list, set, frozenset, tuple):
        return f"[{_render(args[0], inside)}]" if args else "[any]"
    if origin is dict:
        return f"{{string: {_render(args[1], inside)}}}"
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "|".join(_literal(member.value) for member in annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _record(annotation, inside)
    return _PLAIN.get(annotation) or str(getattr(annotation, "__name__", annotation))


def _record(model: type[BaseModel], inside: tuple[type, ...]) -> str:
    if model in inside:
        return model.__name__
    fields = (
        (name, _render(field.annotation, (*inside, model)), field.description)
        for name, field in model.model_fields.items()
    )
    described = [(f"{name}: {kind}", about) for name, kind, about in fields]
    if not any(about for _, about in described):
        return "{" + ", ".join(text for text, _ in described) + "}"
    lines = [f"{text} # {about}" if about else text for text, about in described]
    return "{\n" + "\n".join(lines) + "\n}"


def _literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f'"{value}"' if isinstance(value, str) else str(value)
