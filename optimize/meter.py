"""What the language models spend: calls, tokens, cost and seconds, per role and per stage.

One `Meter` goes with one run. It is asked before every call that reaches a model, so a budget stops
the run before it is exceeded; calls answered from the cache cost nothing and are never stopped.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dspy

from data.wording import counted
from optimize.budget import Budget
from optimize.call_errors import BudgetStop
from signatures.schema import Usage

UNNAMED = "unnamed"
"""Stage of calls made outside any step."""


class Tally:
    """Usage added up per (role, stage). Safe to add to from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cells: dict[tuple[str, str], Usage] = defaultdict(Usage)

    def add(self, role: str, stage: str, usage: Usage) -> None:
        """Book `usage` under a role and a stage."""
        with self._lock:
            self._cells[role, stage] += usage

    def usage(self) -> Usage:
        """Return the sum of everything booked."""
        with self._lock:
            return sum(self._cells.values(), start=Usage())

    def by_role(self) -> dict[str, Usage]:
        """Return the sum per role."""
        return self._group(0)

    def by_stage(self) -> dict[str, Usage]:
        """Return the sum per stage, in the order in which stages first called a model."""
        return self._group(1)

    def _group(self, part: int) -> dict[str, Usage]:
        groups: dict[str, Usage] = defaultdict(Usage)
        with self._lock:
            for cell, usage in self._cells.items():
                groups[cell[part]] += usage
        return dict(groups)


class Meter:
    """Counts every call of a run and refuses the one that would exceed its budget.

    The stage and, inside a step, the role come from DSPy's settings (`programs.roles.step` sets
    them), which follow a program into DSPy's worker threads.
    """

    def __init__(
        self, budget: Budget | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.budget = budget or Budget()
        self.failures: list[str] = []
        """One line per call that failed for good, oldest first: outages are never wrong answers."""
        self._total = Tally()
        self._clock = clock
        self._start = clock()
        self._lock = threading.Lock()
        self._in_flight = 0
        self._unpriced = 0

    def usage(self) -> Usage:
        """Return what has been spent so far."""
        return self._total.usage()

    def by_stage(self) -> dict[str, Usage]:
        """Return what each stage has spent."""
        return self._total.by_stage()

    def by_role(self) -> dict[str, Usage]:
        """Return what each role has spent."""
        return self._total.by_role()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Book the calls inside under `name`, unless a step inside names its own."""
        with dspy.context(stage=name):
            yield

    @contextmanager
    def tally(self) -> Iterator[Tally]:
        """Count the calls inside apart as well, for one question's row."""
        own = Tally()
        with dspy.context(tallies=(*_tallies(), own)):
            yield own

    def begin(self) -> None:
        """Take leave to make one call; every `begin` is followed by `book` or `unanswered`.

        Raises:
            BudgetExceeded: A limit is reached, counting the calls that other threads have begun.
        """
        with self._lock:
            reason = self._spent()
            if reason:
                raise BudgetStop(f"{reason}; the run is kept and can be resumed with a larger one")
            self._in_flight += 1

    def book(self, role: str, usage: Usage, *, priced: bool = True) -> None:
        """Book a call that was answered; `priced=False` when its cost is not known."""
        with self._lock:
            self._in_flight -= 1
            self._unpriced += not priced
        self._add(role, usage)

    def unanswered(self, role: str, seconds: float) -> None:
        """Give back a call that got no answer; only its time is booked."""
        with self._lock:
            self._in_flight -= 1
        self._add(role, Usage(seconds=seconds))

    def waited(self, role: str, seconds: float) -> None:
        """Book one more try after a wait."""
        self._add(role, Usage(retries=1, waited=seconds))

    def cached(self, role: str) -> None:
        """Count a call that the cache answered."""
        self._add(role, Usage(cached=1))

    def _add(self, role: str, usage: Usage) -> None:
        role = dspy.settings.get("role") or role
        stage = dspy.settings.get("stage") or UNNAMED
        for tally in (self._total, *_tallies()):
            tally.add(role, stage, usage)

    def _spent(self) -> str | None:
        """Say which limit is reached, or `None`. The lock is held."""
        limit, used = self.budget, self._total.usage()
        minutes = (self._clock() - self._start) / 60
        tokens = used.prompt_tokens + used.completion_tokens
        if limit.max_calls is not None and used.calls + self._in_flight >= limit.max_calls:
            return f"the budget of {counted(limit.max_calls, 'call')} is spent"
        if limit.max_tokens is not None and tokens >= limit.max_tokens:
            return f"the budget of {counted(limit.max_tokens, 'token')} is spent ({tokens} used)"
        if limit.max_cost is not None and (used.cost or 0.0) >= limit.max_cost:
            return f"the budget of {limit.max_cost:g} US dollars is spent ({used.cost:.4f} used)"
        if limit.max_cost is not None and self._unpriced:
            return (
                "a budget in dollars cannot be kept: the provider gives no price; set "
                "model.prompt_price and model.completion_price, or use a budget of tokens"
            )
        if limit.max_minutes is not None and minutes >= limit.max_minutes:
            return f"the budget of {counted(limit.max_minutes, 'minute')} is spent"
        return None

    def __deepcopy__(self, memo: dict[int, Any]) -> Meter:
        """Return itself: copies of a program are counted on one meter."""
        return self


def _tallies() -> tuple[Tally, ...]:
    return dspy.settings.get("tallies") or ()
