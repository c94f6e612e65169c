"""The plots of a report: accuracy, flips, modes, seconds per stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, get_args

from metrics.exact_match import Accuracy
from optimize.report.records import ReportData
from optimize.report.style import BAD, GOOD, INK, PAPER, QUIET, colour, marker, styled
from optimize.report.tables import changed
from signatures.schema import Mode

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE = 6.4
"""Inches."""


class Plot(NamedTuple):
    """A figure with the name of its file and what it shows, in words."""

    name: str
    title: str
    caption: str
    figure: Figure


def accuracy_plot(data: ReportData) -> Plot | None:
    """Accuracy of every run, first and final answers, with intervals."""
    lines = [
        (f"{part.name}, first", part.summary.first, number, False)
        for number, part in enumerate(data.parts)
        if part.summary.first is not None
    ]
    lines += [(p.name, p.summary.accuracy, n, True) for n, p in enumerate(data.parts)]
    lines = [line for line in lines if line[1] is not None and line[1].value is not None]
    lines.sort(key=lambda line: (line[2], line[3]))
    if not lines:
        return None
    figure, axes = panel(rows=len(lines))
    for place, (_, found, number, final) in enumerate(lines):
        _point(axes, place, found, number, final=final)
    axes.set_yticks(range(len(lines)), [_short(line[0]) for line in lines])
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("accuracy, % (95 % Wilson interval)")
    axes.set_xlim(0, 100)
    return Plot("accuracy", "Accuracy", "Filled: final answers. Open: first answers.", figure)


def flip_plot(data: ReportData) -> Plot | None:
    """What the final answer put right and what it spoilt, run by run."""
    found = [(part.name, revised) for part in data.parts if (revised := changed(part))]
    if not found:
        return None
    figure, axes = panel(rows=len(found))
    fixed = [revised.counts["wrong_to_correct"] for _, revised in found]
    broken = [revised.counts["correct_to_wrong"] for _, revised in found]
    for counts, sign, tone, name in (
        (broken, -1, BAD, "correct to wrong"),
        (fixed, 1, GOOD, "wrong to correct"),
    ):
        axes.barh(range(len(found)), [sign * c for c in counts], 0.55, color=tone, label=name)
        for place, count in enumerate(counts):
            axes.annotate(
                str(count),
                (sign * count, place),
                xytext=(5 * sign, 0),
                textcoords="offset points",
                ha="left" if sign > 0 else "right",
                va="center",
                color=INK,
            )
    reach = max(1, *fixed, *broken) * 1.25
    axes.set_xlim(-reach, reach)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.set_xticks([])
    _names(axes, [name for name, _ in found])
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=2)
    caption = "Left: questions that the final answer spoilt. Right: those that it put right."
    return Plot("flips", "Revisions", caption, figure)


def mode_plot(data: ReportData) -> Plot | None:
    """How the hops of every run were answered."""
    found = [part for part in data.parts if sum(part.summary.modes.values())]
    if not found:
        return None
    modes = get_args(Mode)
    shares = [
        [100 * p.summary.modes.get(m, 0) / sum(p.summary.modes.values()) for m in modes]
        for p in found
    ]
    figure, axes = panel(rows=len(found))
    _stacked(axes, shares, modes, label="{:.0f} %")
    _names(axes, [part.name for part in found])
    axes.set_xlim(0, 100)
    axes.set_xlabel("hops, %")
    return Plot("modes", "Modes", "Share of hops answered in each mode (ReGraM §3.3).", figure)


def stage_plot(data: ReportData) -> Plot | None:
    """Seconds in models per question, stage by stage."""
    found = [p for p in data.parts if any(u.seconds for u in p.summary.stages.values())]
    if not found:
        return None
    names = list(dict.fromkeys(stage for p in found for stage in p.summary.stages))
    means = [
        [
            p.summary.stages[n].seconds / p.summary.done if n in p.summary.stages else 0.0
            for n in names
        ]
        for p in found
    ]
    figure, axes = panel(rows=len(found))
    _stacked(axes, means, names, label="{:.1f}")
    _names(axes, [part.name for part in found])
    axes.set_xlabel("seconds in models per question")
    caption = "Mean seconds in the calls of each stage; cached calls take none."
    return Plot("stages", "Seconds per stage", caption, figure)


def panel(*, rows: int) -> tuple[Figure, Axes]:
    """Return a figure with one set of axes, high enough for so many rows."""
    from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=(WIDE, 1.15 + 0.36 * max(rows, 2)), layout="constrained")
        return figure, figure.subplots()


def _point(axes: Axes, place: int, found: Accuracy | None, number: int, *, final: bool) -> None:
    if found is None or found.value is None:
        return
    low, high = 100 * found.interval.low, 100 * found.interval.high
    tone = colour(number)
    axes.plot([low, high], [place, place], color=tone, linewidth=1.6, solid_capstyle="round")
    axes.plot(
        [100 * found.value],
        [place],
        marker(number),
        markersize=7,
        color=tone,
        markerfacecolor=tone if final else "none",
        markeredgewidth=1.6,
    )
    text = f"{100 * found.value:.1f}  (n = {found.counted:,})"
    right = high < 72
    axes.annotate(
        text,
        (high if right else low, place),
        xytext=(7 if right else -7, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        color=INK,
    )


def _stacked(
    axes: Axes, values: Sequence[Sequence[float]], names: Sequence[str], *, label: str
) -> None:
    """Bars of parts, each part with its number where there is room for it."""
    widest = max(sum(row) for row in values) or 1.0
    for number, name in enumerate(names):
        widths = [row[number] for row in values]
        starts = [sum(row[:number]) for row in values]
        bars = axes.barh(
            range(len(values)), widths, 0.55, left=starts, color=colour(number), label=name
        )
        texts = [label.format(w) if w > 0.07 * widest else "" for w in widths]
        axes.bar_label(bars, texts, label_type="center", color=PAPER)
    columns = 3 if len(names) != 4 else 2
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns)


def _names(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [_short(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")


def _short(name: str, length: int = 28) -> str:
    """Cut a long name, which would push the plot off the page, and drop control characters."""
    plain = "".join(letter for letter in name if letter.isprintable())
    return plain if len(plain) <= length else f"{plain[: length - 1]}…"
