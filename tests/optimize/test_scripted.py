from __future__ import annotations

from typing import Literal

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from signatures.errors import ModelCallError


class Label(dspy.Signature):
    """Label the number."""

    number: int = dspy.InputField()
    label: Literal["even", "odd"] = dspy.OutputField()


def test_a_list_is_answered_in_order_through_the_whole_way() -> None:
    lm = ScriptedLM([{"label": "odd"}, '{"label": "even"}'])
    with dspy.context(lm=lm, adapter=QkgramAdapter()):
        predict = dspy.Predict(Label)
        assert [predict(number=n).label for n in (1, 2)] == ["odd", "even"]
    assert lm.asked[0].fields == ("label",)
    assert lm.asked[1].user == "number: 2"


def test_a_function_sees_what_was_asked() -> None:
    lm = ScriptedLM(lambda call: {"label": "odd" if call.user.endswith("3") else "even"})
    with dspy.context(lm=lm, adapter=QkgramAdapter()):
        assert dspy.Predict(Label)(number=3).label == "odd"
        assert dspy.Predict(Label)(number=4).label == "even"


def test_a_short_script_says_so() -> None:
    with pytest.raises(ModelCallError, match="the script holds 0 answers, call 1 wants free text"):
        ScriptedLM([])("hello")


def test_copies_share_the_script_and_the_meter() -> None:
    lm = ScriptedLM(["a", "b"])
    program = dspy.Predict("question -> answer")
    program.set_lm(lm)
    copied = program.deepcopy()
    assert (lm("x"), copied.lm("x")) == (["a"], ["b"])
    assert lm.meter.usage().calls == 2


async def _ask(lm: ScriptedLM) -> list[str]:
    return list(await lm.acall("x"))


def test_asynchronous_calls_are_counted_too() -> None:
    import asyncio

    lm = ScriptedLM(["a"])
    assert asyncio.run(_ask(lm)) == ["a"]
    assert (lm.meter.usage().calls, lm.meter.usage().cached) == (1, 0)


def test_an_outage_in_the_script_is_tried_again() -> None:
    from dspy.utils.exceptions import LMServerError

    lm = ScriptedLM([LMServerError("busy"), "a"], retries=1)
    assert lm("x") == ["a"]
    assert (lm.meter.usage().retries, lm.meter.usage().waited) == (1, 1.0)
