"""What a study will take at most: calls before anything is paid for, the rest after a few."""

from __future__ import annotations

from typing import NamedTuple

import dspy

from data.wording import counted
from optimize.forecast import duration
from optimize.planning import Plan, Sizes
from optimize.prompts import predictor_text
from optimize.scrub import Scrubber
from signatures.schema import Record, Usage

PROBE = 3
"""Dev examples after which the forecast is made again; their scores are part of the study."""

CHARACTERS = 4
"""Characters per token of English, for a forecast without a call."""

ANSWER = 60
"""Tokens of an answer, for a forecast without a call: a short JSON object."""


class Probe(NamedTuple):
    """What the first examples took."""

    passes: int
    usage: Usage
    seconds: float
    """Wall clock."""


class StudyForecast(Record):
    """What is still to come, at most. Demonstrations make later prompts longer than the first."""

    passes: int
    """Answers of the program."""
    calls: int
    tokens: int
    cost: float | None = None
    """US dollars; `None` when no price is known."""
    seconds: float | None = None
    """Wall clock; `None` before the first call."""
    measured: bool = False
    """Whether it rests on calls that were made."""

    def __str__(self) -> str:
        """One line for the user."""
        counts = ((self.passes, "answer"), (self.calls, "call"), (self.tokens, "token"))
        parts = [counted(number, noun) for number, noun in counts]
        if self.cost is not None:
            parts.append(f"${self.cost:.2f}")
        if self.seconds is not None:
            parts.append(duration(self.seconds))
        rests = "judged by the first answers" if self.measured else "by the length of the prompts"
        return f"at most {', '.join(parts)} ({rests})"


def forecast_study(
    plan: Plan, sizes: Sizes, *, prompts: tuple[str, ...], probe: Probe | None = None
) -> StudyForecast:
    """Work out the whole study: dev before and after, the optimizer, test before and after.

    Args:
        plan: What the optimizer does at most.
        sizes: Of the splits.
        prompts: Rendered prompt of each predictor that an answer calls.
        probe: What the first dev examples took; without it, one call a predictor is assumed.

    >>> plan, sizes = Plan(passes=30), Sizes(train=30, dev=15, test=30, predictors=1)
    >>> forecast_study(plan, sizes, prompts=("x" * 400,)).calls
    120
    >>> probe = Probe(3, Usage(calls=6, prompt_tokens=300, cost=0.06), 12.0)
    >>> str(forecast_study(plan, sizes, prompts=(), probe=probe))
    'at most 117 answers, 234 calls, 11,700 tokens, $2.34, 8 min (judged by the first answers)'
    """
    passes = plan.passes + 2 * sizes.dev + 2 * sizes.test
    if probe is None:
        each = sum(len(text) // CHARACTERS + ANSWER for text in prompts)
        return StudyForecast(
            passes=passes,
            calls=passes * len(prompts) + plan.proposals,
            tokens=passes * each + plan.proposals * each,
        )
    left = max(0, passes - probe.passes)
    share = left / max(1, probe.passes)
    usage = probe.usage
    calls = usage.calls * share + plan.proposals
    per_call = calls / usage.calls if usage.calls else 0.0
    return StudyForecast(
        passes=left,
        calls=round(calls),
        tokens=round((usage.prompt_tokens + usage.completion_tokens) * per_call),
        cost=None if usage.cost is None else usage.cost * per_call,
        seconds=probe.seconds * (per_call if usage.calls else share),
        measured=True,
    )


def prompts_of(student: dspy.Module) -> tuple[str, ...]:
    """Return the rendered prompt of every predictor, without secrets."""
    scrub = Scrubber()
    return tuple(scrub.text(predictor_text(p)) for _, p in student.named_predictors())


def spent_since(before: Usage, now: Usage) -> Usage:
    """Return what was spent between two readings of a meter: calls, tokens and cost.

    >>> found = spent_since(Usage(calls=2, cost=0.5), Usage(calls=5, cost=0.75))
    >>> found.calls, found.cost
    (3, 0.25)
    """
    return Usage(
        calls=now.calls - before.calls,
        prompt_tokens=now.prompt_tokens - before.prompt_tokens,
        completion_tokens=now.completion_tokens - before.completion_tokens,
        cost=None if now.cost is None else now.cost - (before.cost or 0.0),
    )
