"""What must stop a study: an outage or a spent budget. Neither is a bad prompt.

Every optimizer of DSPy catches `Exception` and scores the example 0, so a dead server reads as a
program that knows nothing. `Halt` is no `Exception`: it leaves any optimizer at once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import dspy
from dspy.utils.callback import BaseCallback

from optimize.scrub import Scrubber
from signatures.errors import ModelCallError, ParseError, QkgramError


class Halt(BaseException):
    """Leaves an optimizer; the reason is the watch's `error`."""


class Watch(BaseCallback):
    """Sees every model call and every module, also those whose errors a program swallows."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.error: QkgramError | None = None
        self._lock = threading.Lock()

    def note(self, exception: BaseException | None) -> None:
        """Keep the first error that must stop the study."""
        reason = fatal(exception)
        if reason is not None:
            with self._lock:
                self.error = self.error or reason

    def check(self) -> None:
        """Raise `Halt` when the study must stop."""
        if self.error is not None:
            raise Halt(str(self.error))

    def on_lm_start(self, call_id, instance, inputs) -> None:  # type: ignore[no-untyped-def]
        """Pay for no call after the first fatal one."""
        self.check()

    def on_lm_end(self, call_id, outputs, exception=None) -> None:  # type: ignore[no-untyped-def]
        """Note a failed call, and leave."""
        self.note(exception)
        self.check()

    def on_module_end(self, call_id, outputs, exception=None) -> None:  # type: ignore[no-untyped-def]
        """Note an error that a program raised on purpose, and leave."""
        self.note(exception)
        self.check()


def fatal(exception: BaseException | None) -> QkgramError | None:
    """Return the error that must stop a study, `None` when the exception is the example's own.

    An answer without a reading and a prompt too long for the model belong to the example. A spent
    budget, a missing file and a model that cannot be reached or refuses the call do not.

    >>> fatal(ParseError("no letter")) is None
    True
    >>> fatal(dspy.ContextWindowExceededError(message="too long")) is None
    True
    >>> fatal(dspy.LMServerError("503")).args[0].startswith("the language model failed: 503")
    True
    """
    for error in _chain(exception):
        if isinstance(error, QkgramError) and not isinstance(error, ParseError):
            return error
    for error in _chain(exception):
        if isinstance(error, dspy.ContextWindowExceededError):
            return None
        if isinstance(error, dspy.LMError):
            first = Scrubber().text(str(error).strip().splitlines()[0] if str(error) else "")
            return ModelCallError(
                f"the language model failed: {first or type(error).__name__}; the study stopped, "
                "no example was counted as wrong; start it again when the model answers"
            )
    return None


def _chain(exception: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while exception is not None and id(exception) not in seen:
        seen.add(id(exception))
        yield exception
        exception = exception.__cause__ or exception.__context__
