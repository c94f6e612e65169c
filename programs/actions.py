"""Read an agent's action as data: one call with plain arguments, never executed.

The released code of QKG hands the text to `eval`; here it is parsed and taken apart, and whatever
is more than a name with literal arguments is refused with a line that the model can act on.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 400
"""Characters of an action; a call with two names is far shorter."""
_PREFIX = re.compile(r"^[\s`*>]*(?:ACTION|Action|action)\s*:\s*")
_NAMED = re.compile(
    r"(?P<name>type|relation|name|entity|other)\s*=\s*[\"']?(?P<value>[^\"']*)[\"']?"
)
_HINT = 'write one call with texts in double quotes, as in search_entities("Crohn\'s disease")'


class ToolError(Exception):
    """A model's call is wrong; the message is one short line for the model."""


class Action(NamedTuple):
    """A call: the tool's name and its arguments as texts."""

    tool: str
    args: tuple[str, ...]
    options: dict[str, str]


def parse_action(text: str) -> Action:
    r"""Read one action.

    Raises:
        ToolError: It is no call of a name with literal arguments.

    >>> parse_action("ACTION: search_entity(\"Crohn's disease\", type='disease')")
    Action(tool='search_entity', args=("Crohn's disease",), options={'type': 'disease'})
    >>> parse_action("finish")
    Action(tool='finish', args=(), options={})
    """
    plain = _PREFIX.sub("", text).strip().strip("`").strip()
    if re.fullmatch(r"\w+", plain):
        return Action(plain, (), {})
    if len(plain) > LONGEST:
        raise ToolError(f"the action has {len(plain)} characters, at most {LONGEST} are read")
    try:
        call = ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ToolError(f"cannot read the action {plain[:80]!r}: {_HINT}") from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ToolError(f"{plain[:80]!r} is no call of a tool: {_HINT}")
    options = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise ToolError(f"** is not read: {_HINT}")
        options[keyword.arg] = _literal(keyword.value)
    return Action(call.func.id, tuple(_literal(arg) for arg in call.args), options)


def read_action(tool: str, arguments: Sequence[str]) -> Action:
    """Read a tool and its arguments, or a whole call that was written as the tool.

    Raises:
        ToolError: It is no call of a name with literal arguments.

    >>> read_action("search_entities", ["Crohn's disease", "type=disease"])
    Action(tool='search_entities', args=("Crohn's disease",), options={'type': 'disease'})
    >>> read_action('search_entities("aspirin")', [])
    Action(tool='search_entities', args=('aspirin',), options={})
    """
    if "(" in tool:
        return parse_action(tool)
    if sum(map(len, (tool, *arguments))) > LONGEST:
        raise ToolError(f"the action is longer than the {LONGEST} characters that are read")
    named = [match for text in arguments if (match := _NAMED.fullmatch(text.strip()))]
    plain = tuple(text.strip() for text in arguments if not _NAMED.fullmatch(text.strip()))
    return Action(tool.strip(), plain, {match["name"]: match["value"] for match in named})


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float):
        return str(node.value)
    if isinstance(node, ast.Constant) and node.value is None:
        return ""
    if isinstance(node, ast.Name):
        return node.id
    raise ToolError(f"an argument is no plain text: {_HINT}")
