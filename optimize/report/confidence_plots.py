"""What a stated confidence is worth: risk against coverage, and calibration."""

from __future__ import annotations

from metrics.risk_coverage import area_under, risk_coverage
from optimize.report.paper_tables import calibrations, confidences
from optimize.report.plots import Plot, panel
from optimize.report.records import ReportData
from optimize.report.style import QUIET, colour, marker

_SQUARE = 5
"""Rows of a plot that is no list."""

_MARKED = 25
"""Steps that are marked one by one; more would hide the line."""


def calibration_plot(data: ReportData) -> Plot | None:
    """Accuracy against confidence, bin by bin; on the line a confidence means what it says."""
    found = calibrations(data)
    if not found:
        return None
    figure, axes = panel(rows=_SQUARE)
    axes.plot([0, 100], [0, 100], color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)))
    for number, part in enumerate(data.parts):
        if part.name not in found:
            continue
        bins = [b for b in found[part.name].bins if b.confidence is not None]
        axes.plot(
            [100 * (b.confidence or 0) for b in bins],
            [100 * (b.accuracy or 0) for b in bins],
            marker=marker(number),
            markersize=5,
            linewidth=1.4,
            color=colour(number),
            label=f"{part.name}, ECE {found[part.name].ece:.3f}",
        )
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.set_xlabel("mean confidence of a bin, %")
    axes.set_ylabel("accuracy, %")
    axes.legend(loc="lower right")
    caption = "Ten bins of equal width. On the dashed line a confidence means what it says."
    return Plot("calibration", "Calibration", caption, figure)


def risk_coverage_plot(data: ReportData) -> Plot | None:
    """Share of wrong answers among the most confident ones, as more of them are answered."""
    found = [(n, p, confidences(p)) for n, p in enumerate(data.parts)]
    found = [item for item in found if item[2]]
    if not found:
        return None
    figure, axes = panel(rows=_SQUARE)
    for number, part, pairs in found:
        steps = risk_coverage(pairs)
        axes.plot(
            [100 * step.coverage for step in steps],
            [100 * step.risk for step in steps],
            marker=marker(number) if len(steps) <= _MARKED else None,
            markersize=4,
            linewidth=1.6,
            color=colour(number),
            label=f"{part.name}, area {area_under(steps):.3f}",
        )
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.set_xlabel("coverage: questions answered, most confident first, %")
    axes.set_ylabel("wrong among them, %")
    axes.legend(loc="best")
    caption = "What is gained by leaving the least certain questions open."
    return Plot("risk_coverage", "Risk and coverage", caption, figure)
