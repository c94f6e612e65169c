"""A question as a person types it: the stem, then the options on lines of their own."""

from __future__ import annotations

import re
from hashlib import sha256

from signatures.errors import InputError
from signatures.schema import Question

_OPTION = re.compile(r"^\s*\(?([A-Ja-j])[.):]\s+(\S.*)$")


def read_typed(text: str) -> Question:
    r"""Read a typed question; trailing lines such as `B. Linagliptin` become its options.

    Raises:
        InputError: The text is blank, or its option letters do not run A, B, C …

    >>> q = read_typed("Which drug?\nA. Metformin\n(b) Linagliptin")
    >>> q.text, q.options
    ('Which drug?', {'A': 'Metformin', 'B': 'Linagliptin'})
    """
    lines = text.strip().splitlines()
    start = len(lines)
    while start and _OPTION.match(lines[start - 1]):
        start -= 1
    stem = "\n".join(lines[:start]).strip()
    if not stem:
        raise InputError('expected a question, got nothing to ask; try: qkgram ask "Which drug …?"')
    options = _read_options(lines[start:])
    digest = sha256(text.strip().encode()).hexdigest()[:12]
    return Question(id=f"typed-{digest}", source="user", text=stem, options=options)


def _read_options(lines: list[str]) -> dict[str, str]:
    found = [match for match in map(_OPTION.match, lines) if match]
    options = {match[1].upper(): match[2].strip() for match in found}
    expected = "ABCDEFGHIJ"[: len(found)]
    if "".join(options) != expected:
        raise InputError(
            f"expected options lettered {', '.join(expected)}, got {', '.join(m[1] for m in found)}"
        )
    return options
