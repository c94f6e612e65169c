"""Threads over tasks: every result once, and never more begun than the caller can write down."""

from __future__ import annotations

import threading
from itertools import count, islice

import pytest

from optimize.workers import work_through


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_every_task_is_done_once(threads: int) -> None:
    done = list(work_through(str, range(200), threads=threads, stop=threading.Event()))
    assert sorted(map(int, done)) == list(range(200))


@pytest.mark.parametrize("threads", [1, 3])
def test_a_fast_worker_waits_until_its_result_is_dealt_with(threads: int) -> None:
    begun, stop = count(), threading.Event()
    for dealt, _ in enumerate(
        work_through(lambda _: next(begun), count(), threads=threads, stop=stop)
    ):
        if dealt == 20:
            stop.set()
    assert 21 <= next(begun) <= 21 + threads


def test_a_caller_that_walks_away_leaves_no_thread_behind() -> None:
    before, stop = threading.active_count(), threading.Event()
    results = work_through(str, count(), threads=4, stop=stop)
    assert len(list(islice(results, 3))) == 3
    results.close()
    assert stop.is_set()
    for thread in threading.enumerate():
        if thread.name.startswith("evaluate-"):
            thread.join(timeout=5)
    assert threading.active_count() == before


def test_an_error_comes_after_the_results_that_were_paid_for() -> None:
    def work(number: int) -> int:
        if number == 5:
            raise ValueError("a bug")
        return number

    seen: list[int] = []
    with pytest.raises(ValueError, match="a bug"):
        seen.extend(work_through(work, range(100), threads=2, stop=threading.Event()))
    assert {0, 1, 2, 3, 4} <= set(seen)
    assert len(seen) <= 7
