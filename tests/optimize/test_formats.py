from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from optimize.formats import TextTable, render, to_csv, to_latex, to_markdown

CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_csv_reads_back(rows: list[tuple[str, str]]) -> None:
    table = TextTable("t", ("a", "b"), tuple(rows))
    assert [tuple(r) for r in csv.reader(io.StringIO(to_csv(table)))] == [("a", "b"), *rows]


@given(CELLS)
def test_a_cell_never_makes_a_second_column_or_line(cell: str) -> None:
    table = TextTable("t", ("a",), ((cell,),))
    line = to_markdown(table).splitlines()[-1]
    assert line.replace(r"\|", "").count("|") == 2
    assert to_latex(table).count(r"\\") == 2


def test_latex_escapes_what_is_special() -> None:
    assert r"a\&b \% \$ \# \_ \{ \} W$\to$C" in to_latex(
        TextTable("t", ("x",), (("a&b % $ # _ { } W→C",),))
    )


def test_tables_are_apart_by_one_empty_line() -> None:
    table = TextTable("t", ("a",), (("1",),))
    assert render([table, table], "csv") == "a\n1\n\na\n1\n"
