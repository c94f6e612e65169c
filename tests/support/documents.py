"""The README and the guides as code: blocks, commands, and a stand-in for the language model."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parents[2]
README = REPO / "README.md"
GUIDES = tuple(sorted((REPO / "data" / "guide").glob("*.md")))
DOCUMENTS = (README, *GUIDES)


def blocks(document: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language, in order."""
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def lines(document: Path) -> list[str]:
    """Return the commands of the bash blocks, in order, as they are typed."""
    return [text for block in blocks(document, "bash") for text in _texts(block) if text.strip()]


def words_of(line: str) -> list[str]:
    """Split a command as a shell does, its comment left out."""
    return shlex.split(line, comments=True)


def _texts(block: str) -> list[str]:
    """Split a block into commands: a command goes on while a quote is open."""
    texts: list[str] = []
    for line in block.splitlines():
        if texts and texts[-1].count('"') % 2:
            texts[-1] += "\n" + line
        else:
            texts.append(line)
    return texts


def any_answer(body: Mapping[str, Any]) -> str:
    """Answer a chat request with the first value that its JSON schema allows."""
    asked = body.get("response_format") or {}
    schema = asked.get("json_schema", {}).get("schema", {"type": "object"})
    return json.dumps(_value(schema, schema.get("$defs", {})))


def _value(schema: Mapping[str, Any], kinds: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        return _value(kinds[schema["$ref"].rpartition("/")[2]], kinds)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if "anyOf" in schema:
        return _value(schema["anyOf"][0], kinds)
    if schema.get("type") == "object" or "properties" in schema:
        return {name: _value(part, kinds) for name, part in schema.get("properties", {}).items()}
    if schema.get("type") == "array":
        return [_value(schema["items"], kinds)] * schema.get("minItems", 0)
    plain = {"string": "A", "boolean": False, "null": None}
    return plain.get(schema.get("type", "string"), schema.get("minimum", 0))


def links(document: Path) -> Iterator[str]:
    """Yield the targets of links and pictures that are no web addresses."""
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            yield target


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
