"""How plots look: one small palette, told apart by lightness too, quiet axes.

In the page every colour becomes a CSS variable of the same name, so that plots follow light and
dark; in files they are as written here.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, QUIET, RULE, PAPER = "#22262b", "#667080", "#d5dae0", "#fdfdfc"
GOOD, BAD = "#2d7561", "#b14a3b"
SERIES = (
    *("#2f5f8f", "#b8742a", "#6f5a96", "#72822f"),
    *("#3f7f89", "#a34d74", "#5d6b78", "#8a5a44"),
)
"""Lines and bars of runs, in their order."""

VARIABLES: Mapping[str, str] = {
    INK: "--ink",
    QUIET: "--quiet",
    RULE: "--rule",
    PAPER: "--paper",
    GOOD: "--good",
    BAD: "--bad",
    **{colour: f"--s{number}" for number, colour in enumerate(SERIES)},
}

MARKERS = "osD^vP"
"""So that runs differ by more than colour."""

_OPTIONS: Mapping[str, Any] = {
    "svg.hashsalt": "qkgram",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": RULE,
    "axes.labelcolor": QUIET,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": RULE,
    "grid.linewidth": 0.5,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": QUIET,
    "ytick.labelcolor": QUIET,
    "legend.frameon": False,
    "figure.facecolor": "none",
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the report's style."""
    from matplotlib import rc_context

    with rc_context(cast(Any, _OPTIONS)):
        yield


def colour(number: int) -> str:
    """Return the colour of the n-th run, from 0; runs past the palette begin it again."""
    return SERIES[number % len(SERIES)]


def marker(number: int) -> str:
    """Return the marker of the n-th run, from 0."""
    return MARKERS[number % len(MARKERS)]


def svg_of(figure: Figure) -> str:
    """Return a figure as SVG; the same figure always gives the same text."""
    out = io.StringIO()
    with styled(), warnings.catch_warnings():
        # A name may hold letters that the plot's font lacks: the browser has them.
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def png_of(figure: Figure) -> bytes:
    """Return a figure as PNG on the colour of paper, 200 dots per inch."""
    out = io.BytesIO()
    with styled(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(out, format="png", dpi=200, facecolor=PAPER, metadata={"Software": None})
    return out.getvalue()


def inline_svg(svg: str, *, prefix: str) -> str:
    """Make an SVG fit to stand in the page: colours as variables, ids that are its own.

    Args:
        svg: As `svg_of` returned it.
        prefix: Put before every id, so that two plots of a page never share one.

    >>> inline_svg('<?xml?><svg id="a" width="1pt" height="2pt" style="fill: #22262b"/>',
    ...     prefix="p-")
    '<svg id="p-a" style="fill: var(--ink)"/>'
    """
    found = svg[svg.index("<svg") :]
    found = re.sub(r"<metadata>.*?</metadata>", "", found, flags=re.DOTALL)
    found = re.sub(r' (?:width|height)="[\d.]+pt"', "", found, count=2)
    found = re.sub(r'\bid="', f'id="{prefix}', found)
    found = re.sub(r'((?:xlink:)?href="#|url\(#)', rf"\1{prefix}", found)
    for written, name in VARIABLES.items():
        found = found.replace(written, f"var({name})")
    return found
