"""How a study shows that it goes on, and what it came to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from data.wording import counted
from optimize.folding import folding_table
from optimize.plain_progress import PlainLines
from optimize.progress import spent_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as RichBars
    from rich.progress import TaskID

    from optimize.study import Compiled
    from signatures.schema import Usage


class StudyBars:
    """A bar per stage on standard error, with lines above them; nothing when it has no bars."""

    def __init__(
        self,
        bars: RichBars | None,
        console: Console | None,
        *,
        spent: Callable[[], Usage] | None = None,
    ) -> None:
        """Show on `bars`, or as plain lines on a console that is no terminal; notes go there too.

        Args:
            bars: `None` for a console that is no terminal.
            console: `None` shows nothing at all.
            spent: Gives what the study has spent, for the plain lines.
        """
        self._bars, self._console, self._spent = bars, console, spent
        self._tasks: dict[str, TaskID] = {}
        self._lines: dict[str, PlainLines] = {}

    def advance(self, stage: str, done: int, total: int) -> None:
        """Move the bar of a stage, or write its line when one is due."""
        if self._bars is None:
            if self._console is not None:
                self._plain(stage, done, total)
            return
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage)
        self._bars.update(self._tasks[stage], completed=done, total=total)

    def _plain(self, stage: str, done: int, total: int) -> None:
        if stage not in self._lines:
            self._lines[stage] = PlainLines(
                self.note, what=stage, total=total, done=max(0, done - 1)
            )
        self._lines[stage].reach(done, spent_text(self._spent()) if self._spent else "")

    def note(self, line: str) -> None:
        """Print a line above the bars."""
        if self._console is not None:
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def ask(self, question: str) -> bool:
        """Ask on the terminal; the bars wait."""
        if self._bars is not None:
            self._bars.stop()
        said = typer.confirm(question, err=True)
        if self._bars is not None:
            self._bars.start()
        return said


@contextmanager
def study_bars(*, show: bool, spent: Callable[[], Usage] | None = None) -> Iterator[StudyBars]:
    """Show bars and notes on standard error while the block runs, or nothing.

    Args:
        show: Whether anything is shown.
        spent: Gives what the study has spent, for the lines where no bar can be drawn.
    """
    if not show:
        yield StudyBars(None, None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    # The stream is named: what optimizers print to standard error is caught, this is not.
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield StudyBars(None, console, spent=spent)
        return
    columns = (TextColumn("{task.description:11}"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, TimeElapsedColumn(), console=console) as bars:
        yield StudyBars(bars, console)


def show_compiled(compiled: Compiled, out: Path, usage: Usage) -> None:
    """Print both dev scores, the comparison on test, and what was kept."""
    from rich.console import Console
    from rich.text import Text

    table = folding_table(
        "",
        "dev score",
        "95 % interval",
        "questions",
        "unreadable",
        title="Compiled",
        title_justify="left",
    )
    for name, score in (("before", compiled.before), ("after", compiled.after)):
        ends = f"{score.interval.low:.3f} to {score.interval.high:.3f}"
        table.add_row(name, f"{score.value:.3f}", ends, str(score.n), str(score.failed))
    console = Console()
    console.print(table)
    if compiled.test is not None:
        console.print(Text(str(compiled.test)))
    learnt = ", ".join(f"{name} {n}" for name, n in compiled.demos.items() if n)
    console.print(Text(f"demonstrations: {learnt or 'none'}"))
    for line in compiled.card.overlap:
        console.print(Text(f"overlap allowed: {line}"))
    console.print(
        Text(f"kept: {compiled.card.kept}, saved at {out}; {counted(usage.calls, 'call')}")
    )
