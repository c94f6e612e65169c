"""A study as one HTML file: no request, no outside file, every text shown as text."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from optimize.report.cards import Entry, card, entries_of, index_row
from optimize.report.figures import Plots, draw
from optimize.report.packing import blocks, packed, script_json
from optimize.report.pool import Pool
from optimize.report.records import ReportData
from optimize.report.style import inline_svg, svg_of
from optimize.report.table_set import summary_tables
from optimize.report.tables import state

if TYPE_CHECKING:
    from jinja2 import Template

NOTICE = "Research software. Not for clinical use."


def report_page(data: ReportData, *, cards: int | None = None) -> str:
    """Write the page of a study.

    Args:
        data: From `collect`.
        cards: How many questions get a card, in the order of the runs; all without it. The numbers
            are of every row in any case, and the page says what was left out.
    """
    entries = entries_of(data.parts)
    shown = entries if cards is None else entries[: max(0, cards)]
    return _page(data, shown, total=len(entries), plots=draw(data), single=False)


def card_page(data: ReportData) -> str:
    """Write the page of a single question: its card alone."""
    entries = entries_of(data.parts)
    return _page(data, entries, total=len(entries), plots=Plots((), ()), single=True)


def _page(
    data: ReportData, entries: Sequence[Entry], *, total: int, plots: Plots, single: bool
) -> str:
    pool = Pool()
    found = [card(entry, pool) for entry in entries]
    script = asset("page.js")
    return _template().render(
        data=data,
        single=single,
        notice=NOTICE,
        prompts=prompt_list(data),
        unprompted=[
            part.name for part in data.parts if part.run.card.identity.prompts not in data.prompts
        ],
        states=[(part.name, part.setting, state(part)) for part in data.parts],
        tables=() if single else summary_tables(data),
        plots=[
            (plot, inline_svg(svg_of(plot.figure), prefix=f"{plot.name}-")) for plot in plots.drawn
        ],
        absent=plots.absent,
        shown=len(entries),
        total=total,
        style=asset("page.css"),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        meta=script_json(_meta(data, single=single)),
        index=packed([index_row(entry) for entry in entries]),
        pool=packed(pool.lists),
        blocks=[packed(part) for part in blocks(found)],
    )


def _meta(data: ReportData, *, single: bool) -> dict[str, object]:
    """What the page needs before it reads a block."""
    return {
        "single": single,
        "runs": [
            {
                "name": part.name,
                "program": part.run.card.identity.program,
                "setting": part.setting,
                "prompts": part.run.card.identity.prompts,
                "models": dict(part.summary.models),
            }
            for part in data.parts
        ],
        "prompts": {digest: dict(texts) for digest, texts in data.prompts.items()},
    }


@cache
def asset(name: str) -> str:
    """Read one of the page's own files."""
    return files("optimize.report").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(kind=cell_kind, moment=moment)
    return environment.from_string(asset("page.html.j2"))


def cell_kind(cell: str) -> str:
    """Say how a table's cell is set: a number, an alarm, plain text.

    >>> cell_kind("78.1"), cell_kind("INCOMPLETE: 3 of 9 not run"), cell_kind("qkg, KG")
    ('n', 'alarm', '')
    """
    if cell.startswith("INCOMPLETE"):
        return "alarm"
    if cell == "complete":
        return "ok"
    return "n" if cell[:1] in tuple("0123456789+-<$—") and len(cell) < 24 else ""


def moment(time: str) -> str:
    """Write a time in UTC for a reader.

    >>> moment("2026-11-30T08:44:12+00:00")
    '2026-11-30 08:44 UTC'
    """
    return f"{time[:10]} {time[11:16]} UTC" if len(time) > 15 else time


def prompt_list(data: ReportData) -> Mapping[str, Mapping[str, str]]:
    """Return the prompts by the name of the first run that used them."""
    names: dict[str, Mapping[str, str]] = {}
    for part in data.parts:
        texts = data.prompts.get(part.run.card.identity.prompts)
        if texts and texts not in names.values():
            names[part.name] = texts
    return names
