"""All plots of a report, and what is not drawn and why."""

from __future__ import annotations

from typing import NamedTuple

from optimize.report.confidence_plots import calibration_plot, risk_coverage_plot
from optimize.report.plots import Plot, accuracy_plot, flip_plot, mode_plot, stage_plot
from optimize.report.records import ReportData
from optimize.report.style import styled

_DRAWN = (
    (accuracy_plot, "accuracy: no question was run"),
    (flip_plot, "revisions: no program gives a first answer"),
    (mode_plot, "modes: no program answers hop by hop"),
    (risk_coverage_plot, "risk and coverage: no row states a confidence"),
    (calibration_plot, "calibration: no row states a confidence"),
    (stage_plot, "seconds per stage: no stage called a model"),
)


class Plots(NamedTuple):
    """What was drawn, and what could not be."""

    drawn: tuple[Plot, ...]
    absent: tuple[str, ...]


def draw(data: ReportData) -> Plots:
    """Draw every plot that the rows allow."""
    with styled():
        made = [(draw_one(data), why) for draw_one, why in _DRAWN]
    return Plots(
        tuple(plot for plot, _ in made if plot is not None),
        tuple(why for plot, why in made if plot is None),
    )
