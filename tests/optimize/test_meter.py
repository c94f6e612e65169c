from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import dspy
import pytest

from optimize.budget import Budget
from optimize.meter import Meter
from optimize.scripted import ScriptedLM
from signatures.errors import BudgetExceeded
from signatures.schema import Usage
from tests.support.cache import memory_cache


def test_usage_per_role_and_stage() -> None:
    meter = Meter()
    reasoner = ScriptedLM(lambda call: "one two", meter=meter)
    judge = ScriptedLM(lambda call: "three", meter=meter, role="judge")
    with meter.stage("answer"):
        reasoner("a b c")
    judge("d")
    assert meter.usage().calls == 2
    assert meter.by_stage()["answer"].prompt_tokens == 3
    assert meter.by_stage()["answer"].completion_tokens == 2
    assert meter.by_role()["judge"].calls == 1
    assert meter.usage().cost == 0.0


def test_a_step_names_role_and_stage_also_in_worker_threads() -> None:
    meter = Meter()
    lm = ScriptedLM(lambda call: "x", meter=meter)
    with dspy.context(lm=lm, stage="hop", role="validator"):
        dspy.Parallel(num_threads=2, disable_progress_bar=True)(
            [(lambda question: lm(question), {"question": str(n)}) for n in range(4)]
        )
    assert meter.by_stage()["hop"].calls == 4
    assert meter.by_role() == {"validator": meter.usage()}


def test_the_budget_stops_before_the_call_and_never_a_cached_one() -> None:
    meter = Meter(Budget(max_calls=1))
    with memory_cache():
        lm = ScriptedLM(lambda call: "x", meter=meter, cache=True)
        lm("a")
        lm("a")
        with pytest.raises(BudgetExceeded, match="budget of 1 call is spent") as caught:
            lm("b")
    assert caught.value.exit_code == 2
    assert len(lm.asked) == 1
    assert (meter.usage().calls, meter.usage().cached) == (1, 1)
    assert meter.failures == []


def test_parallel_calls_cannot_slip_past_the_budget() -> None:
    meter = Meter(Budget(max_calls=5))
    lm = ScriptedLM(lambda call: "x", meter=meter)

    def ask(number: int) -> bool:
        try:
            lm(str(number))
        except BudgetExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        answered = list(pool.map(ask, range(40)))
    assert sum(answered) == 5
    assert len(lm.asked) == 5


def test_token_cost_and_time_budgets() -> None:
    now = [0.0]
    meter = Meter(Budget(max_tokens=4, max_cost=2.0, max_minutes=1.0), clock=lambda: now[0])
    meter.begin()
    meter.book("r", Usage(calls=1, prompt_tokens=3, completion_tokens=1))
    with pytest.raises(BudgetExceeded, match="4 tokens is spent"):
        meter.begin()
    priced = Meter(Budget(max_cost=2.0))
    priced.begin()
    priced.book("r", Usage(calls=1, cost=2.5))
    with pytest.raises(BudgetExceeded, match="2 US dollars is spent .2.5000 used"):
        priced.begin()
    timed = Meter(Budget(max_minutes=1.0), clock=lambda: now[0])
    timed.begin()
    now[0] = 61.0
    with pytest.raises(BudgetExceeded, match="1 minute is spent"):
        timed.begin()


def test_a_dollar_budget_without_a_price_stops_after_one_call() -> None:
    meter = Meter(Budget(max_cost=2.0))
    meter.begin()
    meter.book("r", Usage(calls=1), priced=False)
    with pytest.raises(BudgetExceeded, match="the provider gives no price"):
        meter.begin()


def test_tally_counts_one_question_apart() -> None:
    meter = Meter()
    lm = ScriptedLM(lambda call: "x", meter=meter)
    lm("before")
    with meter.tally() as tally, meter.stage("s"):
        lm("inside")
    assert tally.usage().calls == 1
    assert list(tally.by_stage()) == ["s"]
    assert meter.usage().calls == 2


def test_an_unanswered_call_is_given_back() -> None:
    meter = Meter(Budget(max_calls=1))
    lm = ScriptedLM([KeyError("a bug"), "x"], meter=meter)
    with pytest.raises(dspy.LMError):
        lm("a")
    assert lm("a") == ["x"]
