"""A comparison as tables of text: what is unmatched first, then the tests, then the flips."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from optimize.comparing import Comparison, Flip
from optimize.formats import TextTable

_FLIP = ("question", "change", "gold", "answer A", "answer B")

NAMED = 10
"""Unmatched keys named in a table; the JSON has them all."""


def p_text(p: float | None) -> str:
    """Write a p-value to four significant digits, never as 0.

    >>> p_text(0.03962), p_text(3.753e-06), p_text(1.0), p_text(0.0), p_text(None)
    ('0.03962', '3.753e-06', '1', '< 1e-300', 'withheld')
    """
    if p is None:
        return "withheld"
    return "< 1e-300" if p == 0 else f"{p:.4g}"


def percent(share: float | None) -> str:
    """Write a share as per cent with two decimals.

    >>> percent(0.7811), percent(None)
    ('78.11', '—')
    """
    return "—" if share is None else f"{100 * share:.2f}"


def points(share: float | None) -> str:
    """Write a difference of shares in percentage points, with its sign.

    >>> points(0.0061), points(-0.002), points(0.0)
    ('+0.61', '-0.20', '+0.00')
    """
    return "—" if share is None else f"{100 * share:+.2f}"


def unmatched_table(comparisons: Iterable[Comparison]) -> TextTable:
    """Name the questions that only one side answered; empty when there are none."""
    rows = [
        (side, other, str(len(keys)), _named(keys))
        for c in comparisons
        for side, other, keys in ((c.a, c.b, c.only_a), (c.b, c.a, c.only_b))
        if keys
    ]
    header = ("answered by", "not answered by", "questions", "keys")
    return TextTable("Unmatched questions, left out of the tests", header, tuple(rows))


def comparison_table(comparisons: Sequence[Comparison]) -> TextTable:
    """One row per comparison, with accuracies, interval, direction in words and p-values."""
    level = f"{100 * comparisons[0].level:g}" if comparisons else "95"
    header = (
        "A",
        "B",
        "only A",
        "only B",
        "N",
        "A %",
        "B %",
        "B-A pp",
        f"{level} % interval",
        "direction",
        "p",
        "p Holm",
        "detectable pp",
    )
    return TextTable("Paired comparison", header, tuple(_row(c) for c in comparisons))


def flip_tables(comparisons: Iterable[Comparison]) -> tuple[TextTable, ...]:
    """One table per comparison: questions right under one side only, with both rows' numbers."""
    header = (*_FLIP, "line A", "line B")
    return tuple(
        TextTable(
            f"Flips: A = {c.a}, B = {c.b}",
            header,
            tuple((*_flip(f), _line(f.place_a), _line(f.place_b)) for f in c.flips),
        )
        for c in comparisons
    )


def flips_table(comparisons: Iterable[Comparison]) -> TextTable:
    """All flips as one table, for a file."""
    rows = tuple((c.a, c.b, *_flip(f), f.place_a, f.place_b) for c in comparisons for f in c.flips)
    return TextTable("Flips", ("A", "B", *_FLIP, "row A", "row B"), rows)


def _named(keys: tuple[str, ...]) -> str:
    more = len(keys) - NAMED
    return ", ".join(keys[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _row(c: Comparison) -> tuple[str, ...]:
    return (
        c.a,
        c.b,
        str(len(c.only_a)),
        str(len(c.only_b)),
        str(c.total),
        percent(c.accuracy_a),
        percent(c.accuracy_b),
        points(c.difference),
        f"{points(c.low)} to {points(c.high)}",
        c.words,
        p_text(c.p),
        p_text(c.p_holm),
        percent(c.detectable),
    )


def _flip(flip: Flip) -> tuple[str, ...]:
    return (
        flip.key,
        flip.change,
        flip.gold or "none",
        flip.answer_a,
        flip.answer_b,
    )


def _line(place: str) -> str:
    """Return the line of a place in a rows file; the file is the run's."""
    return place.rpartition(":")[2]
