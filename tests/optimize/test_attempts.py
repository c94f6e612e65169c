"""One task before a model: its result, or one line of why there is none; never a hidden bug."""

from __future__ import annotations

from collections.abc import Callable

import dspy
import pytest

from optimize.attempts import Attempt, attempt
from optimize.meter import Meter
from optimize.scripted import ScriptedLM
from signatures.errors import BudgetExceeded, ModelCallError, ParseError


def tried(ask: Callable[[], str], *, unread: Callable[[str], str] | None = None) -> Attempt[str]:
    return attempt(ask, meter=Meter(), unread=unread)


def failing(error: Exception) -> Callable[[], str]:
    def ask() -> str:
        raise error

    return ask


def test_a_result_comes_with_what_it_cost() -> None:
    meter = Meter()
    lm = ScriptedLM(["two words"], meter=meter)
    found, booked = attempt(lambda: lm("x")[0], meter=meter)
    assert (found, booked["failure"], booked["usage"].completion_tokens) == ("two words", None, 2)


@pytest.mark.parametrize(
    ("error", "lasting"), [(ModelCallError("down"), False), (dspy.LMAuthError("no key"), True)]
)
def test_an_outage_is_noted_and_no_result(error: Exception, lasting: bool) -> None:
    found, booked = tried(failing(error), unread=lambda why: "unscored")
    assert (found, booked["failure"], booked["lasting"]) == (None, str(error), lasting)


def test_a_reply_without_a_reading_is_a_failure_or_a_result_of_its_own() -> None:
    ask = failing(ParseError("no reading"))
    assert tried(ask).booked["failure"] == "no reading"
    found, booked = tried(ask, unread=lambda why: f"unscored: {why}")
    assert (found, booked["failure"]) == ("unscored: no reading", None)


@pytest.mark.parametrize("error", [KeyError("gold"), BudgetExceeded("spent")])
def test_a_bug_and_a_spent_budget_are_raised(error: Exception) -> None:
    with pytest.raises(type(error)):
        tried(failing(error))
