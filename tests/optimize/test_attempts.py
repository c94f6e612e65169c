"""One task before a model: its result, or one line of why there is none; never a hidden bug."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from optimize.attempts import Attempt, attempt
from optimize.meter import Meter
from optimize.outages import Patience
from optimize.scripted import ScriptedLM
from signatures.errors import BudgetExceeded, ModelCallError, ParseError


def tried(ask: Callable[[], str], *, unread: Callable[[str], str] | None = None) -> Attempt[str]:
    patience, stop = Patience(tries=2, first_pause=0.0), threading.Event()
    return attempt(ask, meter=Meter(), patience=patience, stop=stop, unread=unread)


def failing(error: Exception) -> Callable[[], str]:
    def ask() -> str:
        raise error

    return ask


def test_a_result_comes_with_what_it_cost() -> None:
    meter = Meter()
    lm = ScriptedLM(["two words"], meter=meter)
    found, booked = attempt(
        lambda: lm("x")[0], meter=meter, patience=Patience(), stop=threading.Event()
    )
    assert (found, booked["failure"], booked["usage"].completion_tokens) == ("two words", None, 2)


def test_an_outage_is_waited_for_and_then_noted() -> None:
    errors: list[Exception] = [ModelCallError("down"), ModelCallError("still down")]

    def ask() -> str:
        raise errors.pop(0)

    found, booked = tried(ask, unread=lambda why: "unscored")
    assert (found, booked["failure"], errors) == (None, "still down", [])


def test_a_reply_without_a_reading_is_a_failure_or_a_result_of_its_own() -> None:
    ask = failing(ParseError("no reading"))
    assert tried(ask).booked["failure"] == "no reading"
    found, booked = tried(ask, unread=lambda why: f"unscored: {why}")
    assert (found, booked["failure"]) == ("unscored: no reading", None)


@pytest.mark.parametrize("error", [KeyError("gold"), BudgetExceeded("spent")])
def test_a_bug_and_a_spent_budget_are_raised(error: Exception) -> None:
    with pytest.raises(type(error)):
        tried(failing(error))
