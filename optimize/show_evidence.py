"""Evidence on the terminal: options with what joins them, triplets that a model proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from optimize.folding import folding_table
from programs.adjacency import join_line
from signatures.schema import OptionScore, ReviewedTriplet

PROPOSED = "proposed by a model, stated by no file"


def options_table(scores: Iterable[OptionScore], options: Mapping[str, str]) -> Table:
    """Show each option's score and the triplets that join it to the question, with their audit."""
    columns = ("", "option", "score", "what joins it to the question")
    table = folding_table(
        *columns, right=("score",), title="Options", title_justify="left", expand=True
    )
    for one in scores:
        nothing = "nothing" if one.known else "the graph does not know it"
        joins = "\n".join(join_line(join) for join in one.joins) or nothing
        row = (one.option, options.get(one.option, ""), f"{one.score:+.2f}", joins)
        table.add_row(*(Text(cell) for cell in row))
    return table


def proposed_table(triplets: Iterable[tuple[str, ReviewedTriplet]], *, title: str) -> Table:
    """Show triplets that a model proposed, each with a name, used or not."""
    table = folding_table(
        "", "triplet", "verdict", "why", title=title, title_justify="left", expand=True
    )
    for name, one in triplets:
        said = one.hypothesis
        row = (name, f"{said.head} | {said.relation} | {said.tail}", one.kind, one.reason)
        table.add_row(*(Text(cell) for cell in row), style="" if one.used else "dim")
    return table
