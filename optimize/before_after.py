"""Test scores before and after compiling: intervals, the paired test, and how it is shown."""

from __future__ import annotations

import io

from metrics.bootstrap import bootstrap_difference
from metrics.intervals import LEVEL
from metrics.significance import paired_test
from optimize.scoring import Score
from signatures.schema import Record


class BeforeAfter(Record):
    """Two scores on the same examples. An example is right when it has the full score."""

    metric: str
    n: int
    before: float
    """Mean of the metric, from 0 to 1."""
    before_low: float
    """Ends of Wilson's interval."""
    before_high: float
    after: float
    after_low: float
    after_high: float
    difference: float
    """Share of right examples after, less the share before; from -1 to 1."""
    low: float
    """Ends of the paired bootstrap interval of `difference`."""
    high: float
    level: float = LEVEL
    breaks: int
    """Right before, wrong after."""
    fixes: int
    """Wrong before, right after."""
    words: str
    p: float
    """Exact two-sided McNemar p."""

    def __str__(self) -> str:
        """One line for the user."""
        return (
            f"test {self.metric}: {self.before:.3f} [{self.before_low:.3f}, "
            f"{self.before_high:.3f}] before, {self.after:.3f} [{self.after_low:.3f}, "
            f"{self.after_high:.3f}] after; {self.words}, p = {self.p:.3g} (n = {self.n})"
        )


def before_after(before: Score, after: Score, *, seed: int = 0) -> BeforeAfter:
    """Compare two scores on the same examples: exact McNemar and a paired bootstrap interval.

    >>> def score(*values):
    ...     kept = {str(n): v for n, v in enumerate(values)}
    ...     return Score(metric="m", value=sum(values) / len(values), n=len(values), values=kept)
    >>> found = before_after(score(0.0, 0.0, 1.0), score(1.0, 1.0, 1.0))
    >>> found.fixes, found.breaks, found.p, round(found.difference, 3)
    (2, 0, 0.5, 0.667)
    """
    test = paired_test(before.right, after.right)
    keys = test.pairing.both
    interval = bootstrap_difference(
        [before.right[key] for key in keys], [after.right[key] for key in keys], seed=seed
    )
    return BeforeAfter(
        metric=before.metric,
        n=test.total,
        before=before.value,
        before_low=before.interval.low,
        before_high=before.interval.high,
        after=after.value,
        after_low=after.interval.low,
        after_high=after.interval.high,
        difference=test.difference or 0.0,
        low=interval.low,
        high=interval.high,
        breaks=test.mcnemar.breaks,
        fixes=test.mcnemar.fixes,
        words=test.mcnemar.words.replace("B ", "after "),
        p=test.mcnemar.p,
    )


def comparison_table(found: BeforeAfter) -> str:
    """Return the comparison as a table in Markdown."""
    level = f"{found.level:.0%}"
    rows = (
        ("before", found.before, found.before_low, found.before_high),
        ("after", found.after, found.after_low, found.after_high),
        ("difference of right", found.difference, found.low, found.high),
    )
    lines = [
        f"| {found.metric}, n = {found.n} | value | {level} low | {level} high |",
        "|---|---|---|---|",
        *(f"| {name} | {value:.4f} | {low:.4f} | {high:.4f} |" for name, value, low, high in rows),
        "",
        f"{found.words}; exact two-sided McNemar p = {found.p:.4g}",
    ]
    return "\n".join(lines) + "\n"


def comparison_plot(found: BeforeAfter) -> str:
    """Draw both scores with their intervals; return the SVG. Equal scores give equal files."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "qkgram", "font.size": 9}):
        figure = Figure(figsize=(4.5, 3.2), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.subplots()
        values = [found.before, found.after]
        below = [found.before - found.before_low, found.after - found.after_low]
        above = [found.before_high - found.before, found.after_high - found.after]
        errors = [[max(0.0, end) for end in ends] for ends in (below, above)]
        axes.bar([0, 1], values, yerr=errors, capsize=4, color=("#8a9bb0", "#2a7f62"), width=0.5)
        axes.set_xticks([0, 1], ["before", "after"])
        axes.set_ylim(0, 1)
        axes.set_ylabel(f"{found.metric} on test, {found.level:.0%} interval")
        axes.set_title(f"{found.words}; p = {found.p:.3g}, n = {found.n}", loc="left")
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
