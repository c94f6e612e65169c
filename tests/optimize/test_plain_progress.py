from __future__ import annotations

import io
from contextlib import redirect_stderr

from optimize.plain_progress import PlainLines
from optimize.progress import Bar
from signatures.schema import Usage


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def lines_of(total: int, *, seconds: float, done: int = 0) -> list[str]:
    said: list[str] = []
    clock = Clock()
    shown = PlainLines(said.append, what="questions", total=total, done=done, clock=clock)
    for _ in range(total - done):
        clock.now += seconds
        shown.advance("1 call")
    return said


def test_every_tenth_item_when_they_are_quick() -> None:
    said = lines_of(25, seconds=1)
    assert [line.split(",")[0] for line in said] == [
        "questions: 0 of 25 done",
        "questions: 10 of 25",
        "questions: 20 of 25",
        "questions: 25 of 25",
    ]
    assert said[1] == "questions: 10 of 25, 1 call, about 15 s left"
    assert said[-1] == "questions: 25 of 25, 1 call"


def test_every_thirty_seconds_when_they_are_slow() -> None:
    assert len(lines_of(6, seconds=40)) == 1 + 6
    assert [line.split()[1] for line in lines_of(6, seconds=15)] == ["0", "2", "4", "6"]


def test_many_quick_items_do_not_flood() -> None:
    assert len(lines_of(1000, seconds=0.001)) == 1 + 20


def test_a_resumed_run_counts_from_where_it_stands() -> None:
    said = lines_of(30, seconds=2, done=20)
    assert said[0] == "questions: 20 of 30 done, begins"
    assert said[-1].startswith("questions: 30 of 30")
    assert lines_of(30, seconds=2, done=30) == []


def test_the_bar_writes_plain_lines_where_no_terminal_is() -> None:
    stream = io.StringIO()
    with redirect_stderr(stream), Bar("triplets") as progress:
        progress.begin(1, done=0)
        progress.advance(spent=Usage(calls=1, cost=0.25), right=None)
        progress.note("a note")
    assert stream.getvalue().splitlines() == [
        "triplets: 0 of 1 done, begins",
        "triplets: 1 of 1, 1 call, $0.25",
        "a note",
    ]


def test_a_study_writes_a_line_per_stage_with_what_it_spent() -> None:
    from optimize.cli.study_bars import study_bars

    stream = io.StringIO()
    with (
        redirect_stderr(stream),
        study_bars(show=True, spent=lambda: Usage(calls=2)) as bars,
    ):
        bars.note("forecast: few")
        bars.advance("dev before", 1, 2)
        bars.advance("dev before", 2, 2)
    assert stream.getvalue().splitlines()[0] == "forecast: few"
    assert stream.getvalue().splitlines()[-1] == "dev before: 2 of 2, 2 calls"
