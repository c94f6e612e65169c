"""What judges said of the runs' answers, where a run's folder holds their verdicts."""

from __future__ import annotations

from pathlib import Path

from optimize.formats import TextTable
from optimize.judged_results import JudgedRun, sum_up
from optimize.judged_tables import HEADER, measure_table
from optimize.report.records import ReportData
from optimize.report.tables import Shown
from optimize.run_records import Run
from optimize.verdicts import read_verdicts


def judged_of(run: Run, folder: Path) -> JudgedRun | None:
    """Sum up the verdicts beside a run; `None` where there are none."""
    verdicts = read_verdicts(folder)
    return sum_up(run, verdicts) if verdicts else None


def judged_table(data: ReportData) -> Shown:
    """One row per run, judge and measure."""
    rows = [
        (part.name, f"{part.judged.answers:,}", *row)
        for part in data.parts
        if part.judged is not None
        for row in measure_table(part.judged.judges).rows
    ]
    header = ("Run", "Answers", *(name[0].upper() + name[1:] for name in HEADER))
    return Shown(
        "judged",
        TextTable("Judged measures (%)", header, tuple(rows)),
        "A language model's verdicts on the present answers, from `qkgram judge`; values times "
        "100. Unscored: the judge's reply had no reading, in no numerator and no denominator; if "
        "unscored: the share if none of them counted, and if all did. Answers in none of the last "
        "three columns were not judged.",
    )


def left_out(stale: int) -> str:
    """Say that verdicts on former answers do not count.

    >>> left_out(1)
    '1 verdict of a judge is left out: its answer has changed since'
    >>> left_out(2)
    '2 verdicts of a judge are left out: their answers have changed since'
    """
    if stale == 1:
        return "1 verdict of a judge is left out: its answer has changed since"
    return f"{stale} verdicts of a judge are left out: their answers have changed since"
