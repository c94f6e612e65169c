"""What becomes of the rows of a call: to the disk, to the user, and whether to go on."""

from __future__ import annotations

import time
from collections import Counter

from data.wording import counted
from metrics.exact_match import RIGHT
from optimize.forecast import FIRST, forecast
from optimize.meter import Meter
from optimize.outages import GIVE_UP_AFTER
from optimize.progress import Progress
from optimize.rows import Row
from optimize.runs import RunDirectory

BLANK = "the question's text is blank"
"""Why a question without a text is not run."""


class Book:
    """Enters rows into the run, and decides whether to go on."""

    def __init__(self, run: RunDirectory, meter: Meter, show: Progress, *, threads: int) -> None:
        self.stopped: str | None = None
        self._run, self._meter, self._show = run, meter, show
        self._rows: list[Row] = []
        self._counts: Counter[bool] = Counter()
        self._outages = 0
        self._first = max(FIRST, threads)
        self._begun = time.monotonic()

    def enter(self, row: Row) -> None:
        """Write a row to the disk and tell the user."""
        self._run.append(row)
        if row.was_run:
            self._outages = 0
            self._rows.append(row.model_copy(update={"trace": {}}))
            if row.outcome is not None:
                self._counts[row.outcome.kind in RIGHT] += 1
            self._show.advance(spent=self._meter.usage(), right=self._share())
            if len(self._rows) == self._first:
                self._forecast()
            self._check_time()
        else:
            self._not_run(row)

    def stopped_by(self, why: str, *, say: str | None = None) -> None:
        """Remember why the run stops; the first reason counts."""
        if self.stopped is None:
            self.stopped = why
            self._show.note(say or f"stopped: {why}")

    def _not_run(self, row: Row) -> None:
        self._show.note(f"question {row.question!r} was not run: {row.reason}")
        self._outages += row.reason != BLANK
        if row.lasting:
            say = "stopped: no other question could be run either"
            self.stopped_by(row.reason or "", say=say)
        elif self._outages >= GIVE_UP_AFTER:
            failed = counted(self._outages, "question")
            self.stopped_by(f"{failed} in a row could not be run: {row.reason}")

    def _check_time(self) -> None:
        """Keep a budget of minutes also for a program that calls no model."""
        limit = self._meter.budget.max_minutes
        if limit is not None and time.monotonic() - self._begun >= 60 * limit:
            self.stopped_by(f"the budget of {counted(limit, 'minute')} is spent")

    def _share(self) -> float | None:
        counted = sum(self._counts.values())
        return self._counts[True] / counted if counted else None

    def _forecast(self) -> None:
        remaining = sum(1 for _ in self._run.todo())
        if remaining:
            found = forecast(
                self._rows,
                seconds=time.monotonic() - self._begun,
                remaining=remaining,
                budget=self._meter.budget,
                spent=self._meter.usage(),
            )
            self._show.note(str(found))
