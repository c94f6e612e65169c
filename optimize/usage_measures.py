"""What was spent, as numbers of a tracked run: in all, per stage and per role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from signatures.schema import Usage

if TYPE_CHECKING:
    from optimize.meter import Meter


def spent_measures(meter: Meter) -> dict[str, float | None]:
    """Return calls, tokens, cost and seconds of a meter by name."""
    return {
        **named("usage", meter.usage()),
        **stage_measures("stage", meter.by_stage()),
        **stage_measures("role", meter.by_role()),
    }


def stage_measures(prefix: str, stages: Mapping[str, Usage]) -> dict[str, float | None]:
    """Return cost and latency of each stage; `latency` is seconds per call.

    >>> found = stage_measures("stage", {"decompose": Usage(calls=2, seconds=3.0)})
    >>> found["stage.decompose.calls"], found["stage.decompose.latency"]
    (2, 1.5)
    """
    found: dict[str, float | None] = {}
    for name, usage in stages.items():
        found |= named(f"{prefix}.{name}", usage)
        found[f"{prefix}.{name}.latency"] = usage.seconds / usage.calls if usage.calls else None
    return found


def named(prefix: str, usage: Usage) -> dict[str, float | None]:
    """Return every field of a usage under its name; an unknown cost is `None`."""
    return {f"{prefix}.{field}": value for field, value in usage.model_dump().items()}
