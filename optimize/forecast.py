"""What the rest of a run will take, judged by its first questions."""

from __future__ import annotations

from collections.abc import Sequence

from data.wording import counted
from optimize.budget import Budget
from optimize.rows import Row
from signatures.schema import Record, Usage

FIRST = 3
"""Questions after which the first forecast is made, or one per thread when that is more."""


class Forecast(Record):
    """What the remaining questions are expected to take."""

    questions: int
    calls: int
    tokens: int
    cost: float | None
    """US dollars; `None` when no price is known."""
    seconds: float
    """Wall clock, at the number of threads so far."""
    within_budget: int | None = None
    """How many of the questions the budget allows; `None` when all."""

    def __str__(self) -> str:
        """One line for the user."""
        cost = "" if self.cost is None else f", ${self.cost:.2f}"
        take = counted(self.questions, "question takes", "questions take")
        line = (
            f"the remaining {take} about {duration(self.seconds)}, "
            f"{counted(self.calls, 'call')}, {counted(self.tokens, 'token')}{cost}"
        )
        if self.within_budget is None:
            return line
        return f"{line}; the budget ends the run after about {self.within_budget} of them"


def forecast(
    rows: Sequence[Row], *, seconds: float, remaining: int, budget: Budget, spent: Usage
) -> Forecast:
    """Judge the remaining questions by the ones that this call has answered.

    Args:
        rows: Rows of this call, at least one.
        seconds: Wall-clock seconds since the call began.
        remaining: Questions without a row.
        budget: Limits of the call.
        spent: What the call has spent.
    """
    each = 1 / len(rows)
    calls = sum(row.usage.calls for row in rows) * each
    tokens = sum(row.usage.prompt_tokens + row.usage.completion_tokens for row in rows) * each
    costs = [row.usage.cost for row in rows if row.usage.cost is not None]
    cost = sum(costs) * each if costs else None
    used = spent.prompt_tokens + spent.completion_tokens
    allowed = [
        (limit - done) / need
        for limit, done, need in (
            (budget.max_calls, spent.calls, calls),
            (budget.max_tokens, used, tokens),
            (budget.max_cost, spent.cost or 0.0, cost),
            (budget.max_minutes, seconds / 60, seconds * each / 60),
        )
        if limit is not None and need
    ]
    within = int(max(0.0, min(allowed, default=remaining)))
    return Forecast(
        questions=remaining,
        calls=round(calls * remaining),
        tokens=round(tokens * remaining),
        cost=None if cost is None else cost * remaining,
        seconds=seconds * each * remaining,
        within_budget=within if within < remaining else None,
    )


def duration(seconds: float) -> str:
    """Say how long, in the largest unit that fits.

    >>> duration(42), duration(600), duration(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
