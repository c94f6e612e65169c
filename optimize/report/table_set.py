"""Which tables a report has, in their order, and how they are written to files."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from optimize.formats import to_csv, to_latex, to_markdown
from optimize.report.figures import draw
from optimize.report.judged import judged_table
from optimize.report.paper_tables import (
    calibration_table,
    calibrations,
    domain_table,
    mode_table,
    qkg_table,
    regram_table,
    risk_table,
)
from optimize.report.records import ReportData
from optimize.report.style import png_of, svg_of
from optimize.report.tables import (
    Shown,
    efficiency,
    flips,
    headline,
    made_of,
    outcomes,
    paired,
    stages,
    with_rows,
)

TABLES = (
    "headline",
    "paired",
    "qkg_settings",
    "regram_sources",
    "regram_domains",
    "regram_modes",
    "outcomes",
    "judged",
    "risk_coverage",
    "calibration",
    "efficiency",
    "stages",
    "runs",
    "flips",
)
"""Every table that a report may write."""

PLOTS = ("accuracy", "flips", "modes", "risk_coverage", "calibration", "stages")
"""Every plot that a report may write."""

_TABLE_ENDINGS, _PLOT_ENDINGS = (".csv", ".md", ".tex"), (".svg", ".png")


def summary_tables(data: ReportData) -> tuple[Shown, ...]:
    """Return the tables of the page; those without a row are left out."""
    return with_rows(
        (
            headline(data),
            paired(data),
            qkg_table(data),
            regram_table(data),
            domain_table(data),
            mode_table(data),
            outcomes(data),
            judged_table(data),
            risk_table(data),
            calibration_table(calibrations(data)),
            efficiency(data),
            stages(data),
            made_of(data),
        )
    )


def write_files(data: ReportData, folder: Path) -> tuple[Path, ...]:
    """Write every table as CSV, Markdown and LaTeX and every plot as SVG and PNG.

    Returns:
        The files, in the order they were written. Files there of the same names are replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for shown in (*summary_tables(data), *with_rows((flips(data),))):
        for ending, text in (
            (".csv", to_csv(shown.table)),
            (".md", to_markdown(shown.table) + "\n"),
            (".tex", to_latex(shown.table) + "\n"),
        ):
            made.append(folder / f"{shown.name}{ending}")
            made[-1].write_text(text, encoding="utf-8")
    for plot in draw(data).drawn:
        for ending, content in (
            (".svg", svg_of(plot.figure).encode()),
            (".png", png_of(plot.figure)),
        ):
            made.append(folder / f"{plot.name}{ending}")
            made[-1].write_bytes(content)
    return tuple(made)


def remove_older(folder: Path, written: Collection[Path]) -> tuple[Path, ...]:
    """Remove what an older report left in `folder`: files of ours that are not in `written`.

    Returns:
        What was removed. A file whose name no report writes is not touched.
    """
    ours = [f"{name}{ending}" for name in TABLES for ending in _TABLE_ENDINGS]
    ours += [f"{name}{ending}" for name in PLOTS for ending in _PLOT_ENDINGS]
    left = [path for name in ours if (path := folder / name).is_file() and path not in written]
    for path in left:
        path.unlink()
    return tuple(left)
