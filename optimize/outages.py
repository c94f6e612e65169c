"""What a failed question is: an outage to wait for, an answer without a reading, or a bug."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import dspy
from dspy.utils.exceptions import (
    AdapterParseError,
    ContextWindowExceededError,
    LMAuthError,
    LMBillingError,
    LMNotConfiguredError,
)

from optimize.scrub import Scrubber
from signatures.errors import BudgetExceeded, ModelCallError, ParseError

Failure = Literal["unparsed", "outage"]
"""`unparsed`: the question was run and has no readable answer. `outage`: it was not run."""

MAX_REASON = 300
"""Characters of a reason that a row keeps."""

GIVE_UP_AFTER = 5
"""Questions in a row that could not be run before the whole run stops. How often and how long one
call is tried is the engine's: `model.retries`, `model.timeout` and `model.max_wait`."""

_LASTING = (LMAuthError, LMBillingError, LMNotConfiguredError)
_NOT_FOUND = 404


def failure(error: Exception) -> Failure | None:
    """Tell what an error of a program means for its question; `None` for a bug or a spent budget.

    >>> failure(ParseError("no reading")), failure(ModelCallError("down"))
    ('unparsed', 'outage')
    >>> failure(KeyError("gold")) is None
    True
    """
    chain = list(_chain(error))
    if any(isinstance(link, BudgetExceeded) for link in chain):
        return None
    if isinstance(error, ParseError | AdapterParseError):
        return "unparsed"
    if any(isinstance(link, ContextWindowExceededError) for link in chain):
        return "unparsed"
    return "outage" if isinstance(error, ModelCallError | dspy.LMError) else None


def reason(error: Exception) -> str:
    """Say in one line, without secrets, what went wrong."""
    text = " ".join(Scrubber().text(str(error)).split())
    if isinstance(error, ContextWindowExceededError):
        text = f"a prompt is longer than the model's context: {text}"
    return (text or type(error).__name__)[:MAX_REASON]


def is_lasting(error: Exception) -> bool:
    """Tell whether every other question would fail alike: a refused key, an unknown model.

    >>> is_lasting(LMAuthError("no")), is_lasting(ModelCallError("down"))
    (True, False)
    """
    return any(
        isinstance(link, _LASTING) or getattr(link, "status", None) == _NOT_FOUND
        for link in _chain(error)
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what it came from, each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
