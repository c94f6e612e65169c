"""From run folders to a page on the disk, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from optimize.report.collect import TITLE, collect
from optimize.report.page import report_page
from optimize.report.pausing import paused_collector
from optimize.report.records import ReportData
from optimize.report.writing import write_page


def write_report(
    runs: Sequence[Path],
    out: Path,
    *,
    names: Sequence[str] = (),
    title: str | None = None,
    cards: int | None = None,
    seed: int = 0,
) -> tuple[ReportData, int]:
    """Write a study as one HTML file.

    Returns:
        What the page shows, and its size in bytes.

    Raises:
        InputError: A path is no run, the names do not fit, or `out` cannot be written.
    """
    with paused_collector():
        data = collect(runs, names=names, title=title or TITLE, seed=seed)
        return data, write_page(report_page(data, cards=cards), out)
