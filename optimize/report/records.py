"""What a report is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from optimize.comparing import Comparison
from optimize.judged_results import JudgedRun
from optimize.results import Results
from optimize.runs import Run
from optimize.summary import Summary

WITHHELD_NOTE = "questions of the train or dev split are among them: no p-value is reported"
"""DESIGN, Splits: only test yields a p-value."""


class RunPart(NamedTuple):
    """One run of the study."""

    name: str
    """Tells the runs of a report apart."""
    setting: str
    """What the run does, in words: `qkg, KG with patient context`."""
    run: Run
    summary: Summary
    results: Results
    judged: JudgedRun | None = None
    """What judges said of its answers; `None` where its folder holds no verdict."""


class ReportData(NamedTuple):
    """A study: its runs, compared pairwise."""

    title: str
    made: str
    """When the latest row was written, in UTC; empty without rows."""
    parts: tuple[RunPart, ...]
    comparisons: tuple[Comparison, ...]
    notes: tuple[str, ...]
    """What a reader of the numbers must know, run by run."""
    prompts: Mapping[str, Mapping[str, str]]
    """Digest of a program's prompts to predictor name to prompt; without those not to be had."""

    @property
    def incomplete(self) -> bool:
        """True when a run has questions without a row."""
        return any(part.run.incomplete for part in self.parts)
