"""One task of a ledger before a model: what came of it, or why nothing did, and what it cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Generic, NamedTuple, TypeVar

import dspy
from dspy.utils.exceptions import AdapterParseError

from optimize.meter import Meter
from optimize.outages import failure, is_lasting, reason
from signatures.errors import ModelCallError, ParseError

V = TypeVar("V")


class Attempt(NamedTuple, Generic[V]):
    """What came of a task."""

    found: V | None
    """`None` when a model could not be reached or read; then `booked` says why."""
    booked: dict[str, Any]
    """The fields of a `KeyedRow` but its key."""


def attempt(
    ask: Callable[[], V],
    *,
    meter: Meter,
    unread: Callable[[str], V] | None = None,
) -> Attempt[V]:
    """Ask; a model that fails is noted, a bug is raised.

    Args:
        ask: Runs the program.
        meter: Counts its calls.
        unread: Makes a result of why a reply has no reading; without, that is a failure too.

    Raises:
        BudgetExceeded: The budget does not allow the next call.
        Exception: A bug of the program.
    """
    begun, found, failed, lasting = time.monotonic(), None, None, False
    with meter.tally() as tally:
        try:
            found = ask()
        except (ParseError, AdapterParseError, ModelCallError, dspy.LMError) as error:
            kind, why = failure(error), reason(error)
            if kind is None:
                raise
            if kind == "unparsed" and unread is not None:
                found = unread(why)
            else:
                failed, lasting = why, is_lasting(error)
    booked = {
        "failure": failed,
        "lasting": lasting,
        "usage": tally.usage(),
        "seconds": round(time.monotonic() - begun, 3),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return Attempt(found, booked)
