"""A table of text as terminal table, CSV, Markdown or LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Literal, NamedTuple

Format = Literal["table", "csv", "markdown", "latex", "json"]

_LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "→": r"$\to$",
        "−": r"$-$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
    }
)


class TextTable(NamedTuple):
    """Title, column names and rows; every row has one cell per column."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def to_csv(table: TextTable) -> str:
    r"""Write the rows as CSV with a header; the title is left out.

    >>> to_csv(TextTable("t", ("run", "n"), (("a, b", "3"),)))
    'run,n\n"a, b",3\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([table.header, *table.rows])
    return out.getvalue()


def to_markdown(table: TextTable) -> str:
    r"""Write a Markdown table under its title.

    >>> print(to_markdown(TextTable("Runs", ("run", "n"), (("a|b", "3"),))))
    **Runs**
    <BLANKLINE>
    | run | n |
    | --- | --- |
    | a\|b | 3 |
    """
    lines = [table.header, ("---",) * len(table.header), *table.rows]
    body = "\n".join(f"| {' | '.join(_markdown(cell) for cell in line)} |" for line in lines)
    return f"**{table.title}**\n\n{body}"


def to_latex(table: TextTable) -> str:
    r"""Write a LaTeX `table` with booktabs rules.

    >>> print(to_latex(TextTable("Runs", ("run", "acc"), (("a_b", "50 %"),))))
    \begin{table}
    \caption{Runs}
    \begin{tabular}{ll}
    \toprule
    run & acc \\
    \midrule
    a\_b & 50 \% \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    head, *body = [_latex_line(line) for line in (table.header, *table.rows)]
    begin = [r"\begin{table}", rf"\caption{{{table.title.translate(_LATEX)}}}"]
    columns = rf"\begin{{tabular}}{{{'l' * len(table.header)}}}"
    end = [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join([*begin, columns, r"\toprule", head, r"\midrule", *body, *end])


def render(tables: Iterable[TextTable], style: Literal["csv", "markdown", "latex"]) -> str:
    """Write tables one after the other, an empty line between."""
    write = {"csv": to_csv, "markdown": to_markdown, "latex": to_latex}[style]
    return "\n\n".join(write(table).rstrip("\n") for table in tables) + "\n"


def _markdown(cell: str) -> str:
    return " ".join(cell.split()).replace("|", r"\|")


def _latex_line(cells: tuple[str, ...]) -> str:
    return " & ".join(" ".join(cell.split()).translate(_LATEX) for cell in cells) + r" \\"
