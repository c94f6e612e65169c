"""The Validator's search: at most so many tool turns, every failure bounded and counted.

A turn that cannot be read, or a call that is wrong, costs its turn and tells the model why. A
prompt that outgrows the model's context loses its oldest observations. A model that is away, or a
spent budget, ends the question at once: an outage is no verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import dspy
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError

from programs.actions import ToolError, read_action
from programs.agent_tools import AgentTools
from programs.roles import step
from programs.wording import one_line
from signatures.errors import ParseError
from signatures.validation import ToolCall

MAX_TURNS = 20
"""Tool turns per round (QKG §3.2); the release's scripts use 20 and 40."""
MAX_ERRORS = 5
"""Wrong calls after which the question fails: its verdicts would rest on nothing."""
MAX_IDLE = 3
"""Turns in a row that bring nothing, unread or asked before, after which the search ends."""
WRONG = "ERROR: "
"""How the observation of a wrong call begins."""
NOTHING = frozenset({"", "none", "nothing", "null", "n/a", "-"})
"""What small models write in an argument that they leave empty."""
REPEATED = "asked before, see above: ask something else or finish"


class Turn(NamedTuple):
    """One action and what it returned."""

    action: str
    observation: str


class Search(NamedTuple):
    """What the search came to."""

    turns: tuple[Turn, ...]
    errors: int
    """Wrong calls."""
    unread: int
    """Turns whose text had no reading."""
    repeated: int
    """Calls that had been made before."""
    trimmed: int
    """Observations that were left out because the context was full."""
    finished: bool
    """False when the turns ran out."""


def search(
    ask: Callable[[str], dspy.Prediction],
    tools: AgentTools,
    *,
    turns: int = MAX_TURNS,
    max_errors: int = MAX_ERRORS,
) -> Search:
    """Let the model look things up.

    Args:
        ask: asks for the next action, given what was seen so far.
        tools: the tools of this question.
        turns: tool turns at most.
        max_errors: wrong calls at most.

    Raises:
        ParseError: more wrong calls than `max_errors`; the question has no readable answer.
    """
    seen: list[Turn] = []
    errors = unread = repeated = idle = trimmed = 0
    finished = False
    for _ in range(turns):
        if idle == MAX_IDLE:
            break
        try:
            said, left_out = fitting(ask, seen)
        except (AdapterParseError, ParseError):
            unread, idle = unread + 1, idle + 1
            seen.append(Turn("?", f"{WRONG}your last turn could not be read"))
            continue
        except ContextWindowExceededError:
            break
        trimmed += left_out
        del seen[:left_out]
        text = _wording(said.call)
        if any(t.action == text and not t.observation.startswith(WRONG) for t in seen):
            repeated, idle = repeated + 1, idle + 1
            seen.append(Turn(text, REPEATED))
            continue
        idle = 0
        turn, wrong, finished = _take(said.call, text, tools)
        if finished:
            break
        errors += wrong
        if errors > max_errors:
            raise ParseError(
                f"the validator made {errors} wrong calls, the last: {turn.observation}"
            )
        seen.append(turn)
    return Search(tuple(seen), errors, unread, repeated, trimmed, finished)


def fitting(ask: Callable[[str], dspy.Prediction], seen: list[Turn]) -> tuple[dspy.Prediction, int]:
    """Ask with as many of the latest observations as the model's context holds.

    Returns:
        The answer, and how many of the oldest were left out.

    Raises:
        ContextWindowExceededError: Even without observations the prompt is too long.
    """
    left_out = 0
    while True:
        try:
            return ask(seen_lines(seen[left_out:])), left_out
        except ContextWindowExceededError:
            if left_out == len(seen):
                raise
            left_out += max(1, (len(seen) - left_out) // 2)


def seen_lines(turns: list[Turn] | tuple[Turn, ...]) -> str:
    """Word the search so far."""
    return "\n".join(f"> {one_line(t.action)}\n{t.observation}" for t in turns) or "nothing yet"


def _take(call: ToolCall, text: str, tools: AgentTools) -> tuple[Turn, bool, bool]:
    """Run one action: the turn, whether it was wrong, whether the search is finished."""
    try:
        action = read_action(call.tool, _arguments(call))
        if action.tool == "finish":
            return Turn(text, "finished"), False, True
        return Turn(text, tools.run(action)), False, False
    except ToolError as error:
        return Turn(text[:200], f"{WRONG}{error}"), True, False


def _wording(call: ToolCall) -> str:
    return f"{call.tool} {', '.join(_arguments(call))}".strip()


def _arguments(call: ToolCall) -> list[str]:
    """Return what was filled in; small models write `none` for what they leave empty."""
    entity, other, relation = (
        "" if text.strip().casefold() in NOTHING else text
        for text in (call.entity, call.other, call.relation)
    )
    if call.tool == "search_entities":
        return [entity] if entity else []
    given = [entity, other] if other else [entity] if entity else []
    return [*given, f"relation={relation}"] if relation else given


def ask_with(
    predict: dspy.Predict, *, patient: str, claims: Callable[[], str]
) -> Callable[[str], dspy.Prediction]:
    """Return a function from what was seen to the predictor's answer, asked as the validator."""

    def ask(seen: str) -> dspy.Prediction:
        with step("validate_agent", role="validator"):
            return predict(patient=patient, claims=claims(), seen=seen)

    return ask
