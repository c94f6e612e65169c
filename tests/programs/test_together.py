"""Steps that run at once: order, context, trace and errors are those of running them in turn."""

from __future__ import annotations

import threading

import dspy
import pytest

from programs.together import both, together


def test_the_steps_really_run_at_once() -> None:
    met = threading.Barrier(3, timeout=5)
    assert together([met.wait, met.wait, met.wait]) is not None


def test_results_and_trace_keep_the_order_of_the_steps() -> None:
    gate = threading.Event()

    def slow() -> str:
        gate.wait(5)
        dspy.settings.trace.append("slow")
        return "slow"

    def fast() -> str:
        dspy.settings.trace.append("fast")
        gate.set()
        return "fast"

    with dspy.context(trace=[]):
        assert both(slow, fast) == ("slow", "fast")
        assert dspy.settings.trace == ["slow", "fast"]


def test_every_step_sees_the_context() -> None:
    with dspy.context(stage="here"):
        assert together([lambda: dspy.settings.stage] * 3) == ["here"] * 3


def test_the_first_error_is_raised_once_all_have_ended() -> None:
    ended = threading.Event()

    def bad() -> None:
        raise ValueError("bad")

    def late() -> None:
        threading.Event().wait(0.05)
        ended.set()

    with pytest.raises(ValueError, match="bad"):
        both(bad, late)
    assert ended.is_set()


def test_no_steps_give_no_results() -> None:
    assert together([]) == []
