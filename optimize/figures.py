"""QKG's figures 2 and 4: final accuracy of the settings, and what validation revised."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metrics.exact_match import accuracy
from metrics.revisions import revisions
from optimize.results import Results
from signatures.errors import InputError
from signatures.schema import Outcome, Record

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")

_IMPROVED, _REGRESSED, _PLAIN = "#2a7f62", "#b5483a", "#5b7ea4"
"""Green and red that a colour-blind reader can tell apart by lightness; blue for accuracy."""


class Setting(Record):
    """One bar of the figure."""

    name: str
    accuracy: float
    """From 0 to 1."""
    low: float
    """Ends of Wilson's 95 % interval."""
    high: float
    total: int
    wrong_to_correct: int
    correct_to_wrong: int


def settings_of(runs: Sequence[Results]) -> tuple[Setting, ...]:
    """Return the *no validator* bar, from the first run's first answers, then one bar per run.

    Raises:
        InputError: a run has no answer.
    """
    bars = [_setting(results.name, _finals(results), results) for results in runs]
    firsts = [row.first for row in runs[0].once if row.first is not None] if runs else []
    return (_setting("No validator", firsts, None), *bars) if firsts else tuple(bars)


def draw_validation(settings: Sequence[Setting], path: Path, *, title: str) -> Path:
    """Draw panel (a) accuracy and panel (b) revisions as SVG or PNG, by the name's ending.

    The same settings always give the same file.

    Raises:
        InputError: the name ends in neither, or there is nothing to draw.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: wanted a name that ends in {' or '.join(SUFFIXES)}")
    if not settings:
        raise InputError("wanted at least one run to draw, got none")
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context(
        {
            "svg.hashsalt": "qkgram",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    ):
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        FigureCanvasAgg(figure)
        _fill(figure, settings, title)
        path.parent.mkdir(parents=True, exist_ok=True)
        unstamped: dict[str, Any] = {"Date": None} if path.suffix.lower() == ".svg" else {}
        figure.savefig(path, dpi=200, metadata=unstamped)
    return path


def _fill(figure: Figure, settings: Sequence[Setting], title: str) -> None:
    figure.suptitle(title)
    left, right = figure.subplots(1, 2)
    _accuracy_panel(left, settings)
    _revision_panel(right, [s for s in settings if s.name != "No validator"])


def _accuracy_panel(axes: Axes, settings: Sequence[Setting]) -> None:
    values = [100 * s.accuracy for s in settings]
    below = [100 * (s.accuracy - s.low) for s in settings]
    above = [100 * (s.high - s.accuracy) for s in settings]
    places = list(range(len(settings)))
    axes.bar(places, values, yerr=[below, above], capsize=3, color=_PLAIN, width=0.6)
    least = min(v - b for v, b in zip(values, below, strict=True))
    floor = max(0, int(least) - 5)
    axes.set_ylim(floor, min(100.0, max(v + a for v, a in zip(values, above, strict=True)) + 2))
    for place, value in zip(places, values, strict=True):
        axes.text(place, floor + 0.3, f"{value:.2f}", ha="center", va="bottom", color="white")
    axes.set_xticks(places, [f"{s.name}\nN={s.total:,}" for s in settings])
    axes.set_ylabel("final accuracy (%), 95 % interval")
    axes.set_title(f"(a) accuracy; axis starts at {floor} %", loc="left")


def _revision_panel(axes: Axes, settings: Sequence[Setting]) -> None:
    places = list(range(len(settings)))
    improved = [s.wrong_to_correct for s in settings]
    regressed = [s.correct_to_wrong for s in settings]
    for shift, counts, colour, name in (
        (-0.2, improved, _IMPROVED, "wrong to correct"),
        (0.2, regressed, _REGRESSED, "correct to wrong"),
    ):
        bars = axes.bar([p + shift for p in places], counts, 0.4, color=colour, label=name)
        axes.bar_label(bars)
    axes.set_xticks(places, [s.name for s in settings])
    axes.set_ylabel("answers revised")
    axes.set_title("(b) revisions by validation", loc="left")
    axes.margins(y=0.1)
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2)


def _finals(results: Results) -> list[Outcome]:
    return [row.final for row in results.once]


def _setting(name: str, outcomes: Sequence[Outcome], results: Results | None) -> Setting:
    found = accuracy(outcomes)
    if found.value is None:
        raise InputError(f"{name}: wanted at least one answered question, got none")
    changed = revisions((row.first, row.final) for row in results.once) if results else None
    return Setting(
        name=name,
        accuracy=found.value,
        low=found.interval.low,
        high=found.interval.high,
        total=found.counted,
        wrong_to_correct=changed.counts["wrong_to_correct"] if changed else 0,
        correct_to_wrong=changed.counts["correct_to_wrong"] if changed else 0,
    )
