"""What a measure is: a name with its range, its direction, its unit and where it comes from."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from signatures.schema import Record


class Measure(Record):
    """How to read a number: every measure of `metrics` declares one of these."""

    name: str
    """Short name, unique among the measures: `accuracy`."""
    low: float
    high: float
    """The least and the greatest value that can occur, both inclusive."""
    direction: Literal["higher", "lower", "neither"]
    """Which way is better."""
    unit: str
    """What one is: `proportion`, `US dollars`, `calls per question` …"""
    source: str
    """Where the definition stands: paper and section, or this project's design."""

    @model_validator(mode="after")
    def _ordered(self) -> Measure:
        if not self.low < self.high:
            raise ValueError(f"measure {self.name}: low {self.low} is not below high {self.high}")
        return self

    def holds(self, value: float) -> bool:
        """Tell whether a value lies in the range.

        >>> proportion = Measure(
        ...     name="p", low=0, high=1, direction="higher", unit="proportion", source="-"
        ... )
        >>> proportion.holds(0.5), proportion.holds(54.2)
        (True, False)
        """
        return self.low <= value <= self.high
