"""Keeping secrets out of whatever is written: stores, artefacts, cards, messages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from optimize.plain import plain

MASK = "[secret]"

SHORTEST = 8
"""Shorter values of secret-like variables are placeholders such as `none`."""

_SECRET_NAME = re.compile(
    r"(api_?key|_key$|^key$|(^|_)token$|secret|passw(or)?d|authorization|credential)", re.I
)
_SECRET_SHAPE = re.compile(
    r"\b(?:sk-[\w-]{8,}|hf_\w{16,}|gh[pousr]_\w{20,})|(?<=Bearer )[\w.~+/-]{8,}=*"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)


def is_secret_name(name: str) -> bool:
    """Say whether a setting or variable of this name holds a secret.

    A name that ends in `_env` holds the name of a variable, which is no secret.

    >>> is_secret_name("api_key"), is_secret_name("max_tokens"), is_secret_name("api_key_env")
    (True, False, False)
    """
    name = name.replace("-", "_")
    return bool(_SECRET_NAME.search(name)) and not name.lower().endswith("_env")


class Scrubber:
    """Replaces by `[secret]` the values of secret-like variables and what looks like a key."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Take the environment's secrets and those given."""
        named = (value for name, value in os.environ.items() if is_secret_name(name))
        values = {value for value in (*named, *secrets) if len(value) >= SHORTEST}
        self._values = sorted(values, key=len, reverse=True)

    def text(self, text: str) -> str:
        """Return the text without secrets.

        >>> Scrubber(["correct horse"]).text("user correct horse, sk-test-12345678")
        'user [secret], [secret]'
        """
        for value in self._values:
            text = text.replace(value, MASK)
        return _SECRET_SHAPE.sub(MASK, text)

    def value(self, value: object) -> JsonValue:
        """Return a plain value without secrets; a secret-like name keeps only the mask.

        >>> Scrubber().value({"api_key": "abc", "model": "openai/x", "max_tokens": 9})
        {'api_key': '[secret]', 'model': 'openai/x', 'max_tokens': 9}
        """
        return self._walk(plain(value))

    def mapping(self, values: Mapping[str, object]) -> dict[str, JsonValue]:
        """Return `value` of a mapping, typed as one."""
        return {key: self._named(key, plain(item)) for key, item in values.items()}

    def holds_secret(self, text: str) -> bool:
        """Say whether the text holds a secret."""
        return self.text(text) != text

    def _walk(self, value: JsonValue) -> JsonValue:
        if isinstance(value, dict):
            return {key: self._named(key, item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._walk(item) for item in value]
        return self.text(value) if isinstance(value, str) else value

    def _named(self, key: str, value: JsonValue) -> JsonValue:
        return MASK if is_secret_name(key) and value is not None else self._walk(value)
