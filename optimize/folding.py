"""Tables for the terminal that never cut a cell: what does not fit goes on a further line."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table


def folding_table(*columns: str, right: Collection[str] = (), **look: Any) -> Table:
    """Make a table whose cells and headings are folded at any width.

    Args:
        *columns: Headings, shown as they are; those in `right` are aligned to the right.
        right: Headings of columns of numbers.
        **look: What `rich.table.Table` takes: `title`, `title_justify`, `expand`, `show_header` …
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(**look)
    for name in columns:
        side: Any = "right" if name in right else "left"
        table.add_column(Text(name), justify=side, overflow="fold")
    return table
