"""What a failed question is: an outage to wait for, an answer without a reading, or a bug."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

import dspy
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError
from pydantic import Field

from optimize.scrub import Scrubber
from signatures.errors import BudgetExceeded, ModelCallError, ParseError, QkgramError
from signatures.schema import Record

Failure = Literal["unparsed", "outage"]
"""`unparsed`: the question was run and has no readable answer. `outage`: it was not run."""

MAX_REASON = 300
"""Characters of a reason that a row keeps."""

T = TypeVar("T")


class Patience(Record):
    """How long a run waits for a model that does not answer, besides the engine's own tries."""

    tries: int = Field(default=3, ge=1)
    """Tries per question."""
    first_pause: float = Field(default=5.0, ge=0)
    """Seconds before the second try; each pause is three times the one before."""
    longest_pause: float = Field(default=120.0, ge=0)
    give_up_after: int = Field(default=5, ge=1)
    """Questions in a row that could not be run before the whole run stops."""

    def pause(self, tried: int) -> float:
        """Seconds to wait after the n-th try, counted from 1.

        >>> [Patience().pause(n) for n in (1, 2, 3, 4)]
        [5.0, 15.0, 45.0, 120.0]
        """
        return min(self.longest_pause, self.first_pause * 3.0 ** (tried - 1))


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


def is_passing(error: Exception) -> bool:
    """Tell whether an outage may pass: a refused key or an unknown model will not."""
    errors = [link for link in _chain(error) if isinstance(link, dspy.LMError)]
    kinds = [link for link in errors if not isinstance(link, QkgramError)]
    return any(map(dspy.is_retryable_lm_error, kinds)) if kinds else True


def with_patience(call: Callable[[], T], patience: Patience, *, stop: threading.Event) -> T:
    """Call, and call again after an outage that may pass, until it answers or patience ends.

    Raises:
        Exception: What the last try raised.
    """
    tried = 0
    while True:
        tried += 1
        try:
            return call()
        except (ModelCallError, dspy.LMError) as error:
            last = tried == patience.tries or failure(error) != "outage" or not is_passing(error)
            if last or stop.wait(patience.pause(tried)):
                raise


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what it came from, each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
