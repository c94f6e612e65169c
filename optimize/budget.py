"""What a run may spend on language models."""

from __future__ import annotations

from pydantic import Field

from signatures.schema import Record


class Budget(Record):
    """What a run may spend. A limit that is `None` is none; the stop is clean and resumable."""

    max_calls: int | None = Field(default=None, ge=1, description="calls that reach a model")
    max_tokens: int | None = Field(
        default=None, ge=1, description="prompt and completion tokens together"
    )
    max_cost: float | None = Field(default=None, gt=0, description="US dollars")
    max_minutes: float | None = Field(default=None, gt=0, description="minutes since the start")
