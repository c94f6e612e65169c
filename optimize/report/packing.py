"""How data lies in the page: JSON that no text can break out of, and compressed parts of it.

A page of thousands of cards stays small because only the list is read when it opens; the cards lie
in compressed blocks, and a block is read when one of its cards is opened.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")

BLOCK = 48
"""Cards in one compressed block."""

_UNSAFE = "<>&\u2028\u2029"
"""Letters that a JSON text in a script element must not hold as they are."""


def script_json(value: object) -> str:
    r"""Write a value as JSON that may stand inside a script element.

    Every `<`, `>`, `&` and line separator is escaped, so no text can end the element.

    >>> print(script_json({"q": "</script><!--"}))
    {"q":"\u003c/script\u003e\u003c!--"}
    """
    text = _json(value).decode()
    for letter in _UNSAFE:
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def packed(value: object) -> str:
    """Compress a value: JSON, gzip, base64. The same value always gives the same text.

    >>> import base64, gzip
    >>> gzip.decompress(base64.b64decode(packed([1, "a"])))
    b'[1,"a"]'
    """
    raw = gzip.compress(_json(value), compresslevel=6, mtime=0)
    return base64.b64encode(raw).decode()


def blocks(items: Iterable[Item], size: int = BLOCK) -> Iterator[Sequence[Item]]:
    """Cut a sequence into parts of `size`.

    >>> list(blocks([1, 2, 3], 2))
    [(1, 2), (3,)]
    """
    source = iter(items)
    while part := tuple(islice(source, size)):
        yield part


def _json(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # A lone surrogate is valid JSON as an escape, and is no valid UTF-8.
    return text.encode("utf-8", "backslashreplace")
