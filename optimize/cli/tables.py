"""Plain tables for the terminal: a name on the left, numbers on the right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def count_table(
    title: str, header: tuple[str, ...], rows: Iterable[tuple[str | int, ...]]
) -> Table:
    """Make a table; names may hold brackets, so no cell is read as markup.

    Args:
        title: stands above it.
        header: names of the columns; the first one and `direction` are aligned to the left.
        rows: cells; numbers get separators for thousands.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left")
    for position, name in enumerate(header):
        left = position == 0 or name == "direction"
        table.add_column(name, justify="left" if left else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell if isinstance(cell, str) else f"{cell:,}") for cell in row))
    return table
