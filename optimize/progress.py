"""How a run shows that it goes on: a bar or plain lines, with cost so far and time left."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from data.wording import counted
from optimize.plain_progress import PlainLines
from signatures.schema import Usage

if TYPE_CHECKING:
    from rich.progress import Progress as RichBar
    from rich.progress import TaskID


class Progress(Protocol):
    """Told what happens, from the thread that writes the rows."""

    def begin(self, total: int, *, done: int) -> None:
        """The run begins: of `total` questions `done` have a row."""

    def advance(self, *, spent: Usage, right: float | None) -> None:
        """One more question has a row; `right` is the share of right answers so far."""

    def note(self, line: str) -> None:
        """One line that the user should read."""


class Silence:
    """Shows nothing."""

    def begin(self, total: int, *, done: int) -> None:
        """Do nothing."""

    def advance(self, *, spent: Usage, right: float | None) -> None:
        """Do nothing."""

    def note(self, line: str) -> None:
        """Do nothing."""


class Bar:
    """A bar on standard error; where that is no terminal, a plain line now and then, and the notes.

    with Bar() as progress:
        evaluate(..., progress=progress)
    """

    def __init__(self, what: str = "questions") -> None:
        """Count `what`, in the plural."""
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._what = what
        self._lines: PlainLines | None = None
        self._console = Console(stderr=True)
        self._bar: RichBar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[spent]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task: TaskID | None = None

    def begin(self, total: int, *, done: int) -> None:
        """Show the bar, or write the first line."""
        if self._console.is_terminal:
            self._task = self._bar.add_task(self._what, total=total, completed=done, spent="")
        else:
            self._lines = PlainLines(self.note, what=self._what, total=total, done=done)

    def advance(self, *, spent: Usage, right: float | None) -> None:
        """Move the bar by one question."""
        if self._lines is not None:
            self._lines.advance(spent_text(spent, right))
        if self._task is not None:
            self._bar.update(self._task, advance=1, spent=spent_text(spent, right))

    def note(self, line: str) -> None:
        """Print a line above the bar."""
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()


def spent_text(spent: Usage, right: float | None = None) -> str:
    """Accuracy and cost so far.

    >>> spent_text(Usage(calls=12, cost=0.5), 0.75)
    '75 % right, 12 calls, $0.50'
    """
    parts = [] if right is None else [f"{right:.0%} right".replace("%", " %")]
    parts.append(counted(spent.calls, "call"))
    if spent.cost:
        parts.append(f"${spent.cost:.2f}")
    return ", ".join(parts)
