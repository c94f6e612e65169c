"""How a study of several runs shows that it goes on: one bar, and what is left at each variant."""

from __future__ import annotations

import time

from data.wording import counted
from optimize.forecast import duration
from optimize.progress import Progress
from signatures.schema import Usage


class Watched:
    """Progress of a whole study: one bar over all variants, and what is left at each."""

    def __init__(self, shown: Progress, *, total: int) -> None:
        """Show on `shown`; `total` counts the questions of every variant."""
        self._shown, self._total = shown, total
        self._name, self._before, self._rows = "", 0, 0
        self._begun = time.monotonic()

    def start(self, *, done: int) -> None:
        """Begin with `done` rows of an earlier call."""
        self._before = done
        self._shown.begin(self._total, done=done)

    def turn_to(self, name: str, *, number: int, of: int) -> None:
        """Say which variant comes and, once some rows are made, how long the rest takes."""
        self._name = name
        left = self._total - self._before - self._rows
        if self._rows and left > 0:
            seconds = (time.monotonic() - self._begun) / self._rows * left
            more = f"; {counted(left, 'question')} of the study left, about {duration(seconds)}"
        else:
            more = f"; {counted(left, 'question')} of the study left" if left > 0 else ""
        self._shown.note(f"variant {number} of {of}: {name}{more}")

    def overtime(self, minutes: float | None) -> str | None:
        """Say that the minutes of the study are spent, also where no model is asked."""
        if minutes is None or time.monotonic() - self._begun < 60 * minutes:
            return None
        return f"the budget of {counted(minutes, 'minute')} is spent"

    def begin(self, total: int, *, done: int) -> None:
        """Do nothing: the bar is the study's."""

    def advance(self, *, spent: Usage, right: float | None) -> None:
        """One more question of the study has a row."""
        self._rows += 1
        self._shown.advance(spent=spent, right=right)

    def note(self, line: str) -> None:
        """Show a line under the variant's name."""
        self._shown.note(f"{self._name}: {line}")
