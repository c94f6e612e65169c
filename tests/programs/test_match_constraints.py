"""Groups left to the model: matched by id, asked again once, then unjudged (known_failures C23)."""

from __future__ import annotations

import re
from typing import Any

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.call_errors import CallFailed
from optimize.scripted import ScriptedLM
from programs.match_constraints import BATCH, MatchConstraints
from signatures.errors import ModelCallError
from signatures.schema import ConstraintItem, ConstraintVerdict


def groups(count: int) -> list[ConstraintVerdict]:
    found = []
    for number in range(count):
        item = ConstraintItem(
            patient_characteristics=f"group {number}",
            applicability="Decreased Likelihood",
            evidence="",
        )
        found.append(
            ConstraintVerdict(
                id=f"e{number}.0", item=item, match="UNJUDGED", decided_by="nobody", audit=()
            )
        )
    return found


def ask(script: Any, count: int) -> tuple[dict[str, str], ScriptedLM]:
    model = ScriptedLM(script)
    roles = {"validator": model}
    with dspy.context(lm=ScriptedLM([]), roles=roles, adapter=QkgramAdapter(reasks=0)):
        return MatchConstraints()("A man.", groups(count)), model


def verdicts(call: Any, *, without: str) -> dict[str, Any]:
    ids = re.findall(r"\b(e\d+\.0):", call.user)
    return {"verdicts": [{"id": i, "verdict": "MET"} for i in reversed(ids) if i != without]}


def test_a_skipped_verdict_is_asked_once_more_and_then_unjudged() -> None:
    found, model = ask(lambda call: verdicts(call, without="e5.0"), 15)
    assert found["e5.0"] == "UNJUDGED"
    assert sum(match == "MET" for match in found.values()) == 14
    assert len(model.asked) == 2 + 1
    assert "group 5" in model.asked[1].user
    assert "group 4" not in model.asked[1].user


def test_a_second_answer_counts() -> None:
    answers = iter(["e1.0", "none"])
    found, _ = ask(lambda call: verdicts(call, without=next(answers)), 3)
    assert set(found.values()) == {"MET"}


def test_batches_fit_the_smallest_cap() -> None:
    _, model = ask(lambda call: verdicts(call, without=""), 3 * BATCH)
    assert len(model.asked) == 3


def test_an_outage_is_no_verdict() -> None:
    with pytest.raises(ModelCallError):
        ask(lambda call: CallFailed("away"), 2)
