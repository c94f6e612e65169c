"""The papers' tables in their shape, with this study's numbers; theirs are never mixed in."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from metrics.calibration import Calibration, calibration
from metrics.exact_match import RIGHT, Accuracy
from metrics.risk_coverage import area_under, risk_coverage
from optimize.compare_tables import percent
from optimize.formats import TextTable
from optimize.report.records import ReportData, RunPart
from optimize.report.tables import NONE, Shown, changed, interval
from signatures.schema import Domain, Mode

COVERAGES = (50, 70, 90, 100)
"""Per cent of the questions that are answered."""

NO_VALIDATOR = "no validator (first answers)"


def qkg_table(data: ReportData) -> Shown:
    """QKG's table 1 and figure 2: the settings, what validation revised, final accuracy."""
    header = ("Setting", "Run", "N", "W→C", "C→W", "Changed %", "Final %", "95 % interval")
    rows: list[tuple[str, ...]] = []
    for part in data.parts:
        found = changed(part)
        if found is None:
            continue
        first, final = part.summary.first, part.summary.accuracy
        if first is not None:
            rows.append((NO_VALIDATOR, part.name, *_condition(first)))
        counts = (found.counts["wrong_to_correct"], found.counts["correct_to_wrong"])
        rows.append(
            (
                part.setting,
                part.name,
                f"{final.counted:,}",
                *(f"{count:,}" for count in counts),
                percent(found.change_rate),
                percent(final.value),
                interval(final),
            )
        )
    return Shown(
        "qkg_settings",
        TextTable("Validation by the graph", header, tuple(rows)),
        "In the shape of QKG, Table 1 and figure 2. The condition without a validator is the "
        "reasoner's first answer in the same run.",
    )


def regram_table(data: ReportData) -> Shown:
    """ReGraM's table 1: accuracy by benchmark, and the mean over benchmarks."""
    return _grouped(
        data,
        "regram_sources",
        "Accuracy by benchmark",
        lambda part: part.summary.by_source,
        "In the shape of ReGraM, Table 1 (accuracy). Mean: over benchmarks, each counting once.",
    )


def domain_table(data: ReportData) -> Shown:
    """Accuracy by ReGraM's five domains (the rows of its tables 2 and 15)."""
    return _grouped(
        data,
        "regram_domains",
        "Accuracy by domain",
        lambda part: part.summary.by_domain,
        "Domain as typed by the program, else the question's own. In brackets: questions.",
        order=get_args(Domain),
    )


def mode_table(data: ReportData) -> Shown:
    """How hops were answered, and how right the answers that rest on each mode are."""
    header = ("Run", "Mode", "Hops", "Share of hops %", "Answers", "Accuracy %", "95 % interval")
    rows = []
    for part in data.parts:
        total = sum(part.summary.modes.values())
        for mode in get_args(Mode) if total else ():
            found = part.summary.by_mode.get(mode)
            hops = part.summary.modes.get(mode, 0)
            rows.append(
                (
                    part.name,
                    mode,
                    f"{hops:,}",
                    percent(hops / total),
                    f"{found.counted:,}" if found else "0",
                    percent(found.value) if found else NONE,
                    interval(found) if found else NONE,
                )
            )
    return Shown(
        "regram_modes",
        TextTable("Modes", header, tuple(rows)),
        "ReGraM §3.3: at least 10 facts KG-STRICT, 1 to 9 HYBRID, none LLM-GUESS. An answer "
        "belongs to the mode of its last hop.",
    )


def confidences(part: RunPart) -> list[tuple[float, bool]]:
    """Return confidence and rightness of every scored row that states a confidence."""
    return [
        (row.confidence, row.outcome.kind in RIGHT)
        for row in part.run.rows.values()
        if row.confidence is not None and row.outcome is not None and 0 <= row.confidence <= 1
    ]


def calibrations(data: ReportData) -> dict[str, Calibration]:
    """Work out the calibration of every run whose rows state a confidence."""
    found = {part.name: confidences(part) for part in data.parts}
    return {name: calibration(pairs) for name, pairs in found.items() if pairs}


def calibration_table(found: Mapping[str, Calibration]) -> Shown:
    """Confidence against accuracy, bin by bin, with the expected calibration error."""
    header = ("Run", "Confidence", "N", "Mean confidence %", "Accuracy %", "ECE", "Brier")
    rows = []
    for name, run in found.items():
        for part in run.bins:
            if part.count:
                ends = f"{part.low:.1f} to {part.high:.1f}"
                means = (percent(part.confidence), percent(part.accuracy))
                rows.append((name, ends, f"{part.count:,}", *means, "", ""))
        rows.append((name, "all", f"{run.total:,}", "", "", f"{run.ece:.4f}", f"{run.brier:.4f}"))
    return Shown("calibration", TextTable("Calibration", header, tuple(rows)))


def risk_table(data: ReportData) -> Shown:
    """What is risked when only the most confident answers are given."""
    header = ("Run", "N", "Area under the curve", *(f"Wrong at {c} %" for c in COVERAGES))
    rows = []
    for part in data.parts:
        steps = risk_coverage(confidences(part))
        if steps:
            at = [next(s.risk for s in steps if 100 * s.coverage >= c - 1e-9) for c in COVERAGES]
            rows.append(
                (
                    part.name,
                    f"{steps[-1].answered:,}",
                    f"{area_under(steps):.4f}",
                    *map(percent, at),
                )
            )
    return Shown(
        "risk_coverage",
        TextTable("Risk and coverage", header, tuple(rows)),
        "Share of wrong answers when at least this share is answered, the most confident first; "
        "answers of one confidence go together.",
    )


def _condition(first: Accuracy) -> tuple[str, ...]:
    return (f"{first.counted:,}", NONE, NONE, NONE, percent(first.value), interval(first))


def _grouped(
    data: ReportData,
    name: str,
    title: str,
    groups: Callable[[RunPart], Mapping[str, Accuracy]],
    caption: str,
    *,
    order: Sequence[str] = (),
) -> Shown:
    """One row per run and one column per group, the mean over groups last."""
    found = {part.name: groups(part) for part in data.parts}
    seen = {group for run in found.values() for group in run}
    columns = [*(g for g in order if g in seen), *sorted(seen - set(order))]
    rows = []
    for part in data.parts:
        cells = [found[part.name].get(column) for column in columns]
        values = [cell.value for cell in cells if cell is not None and cell.value is not None]
        if values:
            mean = percent(statistics.mean(values))
            rows.append((part.name, part.setting, *map(_cell, cells), mean))
    header = ("Run", "Setting", *(column.replace("_", " ") for column in columns), "Mean")
    return Shown(name, TextTable(title, header, tuple(rows)), caption)


def _cell(found: Accuracy | None) -> str:
    return NONE if found is None else f"{percent(found.value)} ({found.counted:,})"
