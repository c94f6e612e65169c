"""An ablation study as tables of text: accuracy with paired tests, cost, and the 2 by 2."""

from __future__ import annotations

from optimize.ablation_records import StudyReport, VariantResult
from optimize.ablation_studies import GRID
from optimize.compare_tables import p_text, percent, points
from optimize.formats import TextTable, to_markdown
from optimize.summary import Summary
from optimize.summary_text import accuracy_text

_ACCURACY = (
    "variant",
    "accuracy [95 %]",
    "Δ pp [95 %]",
    "W→C",
    "C→W",
    "p",
    "p Holm",
    "detectable pp",
)
_COST = ("variant", "calls", "cached", "tokens", "s per item", "modes of hops", "not run", "state")


def study_tables(report: StudyReport) -> tuple[TextTable, ...]:
    """Return the tables of a study; the 2 by 2 only where both its switches were asked for."""
    title = f"{report.program}: ablation {report.study}"
    found = (
        TextTable(
            f"{title}; Δ, W→C and C→W against the full program",
            _ACCURACY,
            tuple(_accuracy(variant) for variant in report.variants),
        ),
        TextTable(f"{title}; cost", _COST, tuple(_cost(variant) for variant in report.variants)),
        grid_table(report),
    )
    return tuple(table for table in found if table.rows)


def grid_table(report: StudyReport) -> TextTable:
    """Return domain prior against multi-hop reasoning (ReGraM table 14); empty without all four."""
    header = ("accuracy", "multi-hop", "no multi-hop")
    cells = [[report.named(name) for name in names] for _, *names in GRID]
    rows = (
        tuple(
            (label, *(_grid_cell(variant) for variant in line if variant is not None))
            for (label, *_), line in zip(GRID, cells, strict=True)
        )
        if all(variant is not None for line in cells for variant in line)
        else ()
    )
    return TextTable("Domain prior × multi-hop (ReGraM table 14)", header, rows)


def study_markdown(report: StudyReport) -> str:
    """Write a study as a Markdown page."""
    about = [
        f"# Ablation {report.study} of {report.program}",
        f"Preset: {report.preset or 'none'}. Calls answered from the cache cost nothing and are "
        "counted apart. A variant that is not complete is not compared.",
        *(f"- {line}" for line in report.notes),
    ]
    changes = TextTable("Variants", ("variant", "changes", "reported in"), _changes(report))
    pages = [to_markdown(table) for table in (*study_tables(report), changes)]
    return "\n\n".join([*about, *pages]) + "\n"


def _accuracy(variant: VariantResult) -> tuple[str, ...]:
    name = _name(variant)
    if variant.summary is None or not variant.complete:
        return (name, variant.state, *("—",) * (len(_ACCURACY) - 2))
    found, right = variant.comparison, _right(variant.summary)
    if variant.same_as or found is None:
        return (name, right, *("—",) * (len(_ACCURACY) - 2))
    return (
        name,
        right,
        f"{points(found.difference)} [{points(found.low)}, {points(found.high)}]",
        str(found.fixes),
        str(found.breaks),
        p_text(found.p),
        p_text(found.p_holm),
        percent(found.detectable),
    )


def _cost(variant: VariantResult) -> tuple[str, ...]:
    summary = variant.summary
    if summary is None:
        return (_name(variant), *("—",) * (len(_COST) - 2), variant.state)
    usage = summary.usage
    seconds = summary.seconds_per_item
    return (
        _name(variant),
        f"{usage.calls:,}",
        f"{usage.cached:,}",
        f"{usage.prompt_tokens + usage.completion_tokens:,}",
        "—" if seconds is None else f"{seconds:.2f}",
        ", ".join(f"{count} {mode}" for mode, count in sorted(summary.modes.items())) or "—",
        str(summary.planned - summary.done),
        variant.state,
    )


def _changes(report: StudyReport) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            variant.name,
            ", ".join(f"{name}={value}" for name, value in variant.changes.items()) or "nothing",
            variant.source,
        )
        for variant in report.variants
    )


def _grid_cell(variant: VariantResult) -> str:
    if variant.summary is None or not variant.complete:
        return variant.state
    return _right(variant.summary)


def _right(summary: Summary) -> str:
    """Say an accuracy, or that the questions have no gold to score against."""
    unscored = summary.done > 0 and summary.unscored == summary.done
    return "no gold" if unscored else accuracy_text(summary.accuracy)


def _name(variant: VariantResult) -> str:
    return f"{variant.name} (= {variant.same_as})" if variant.same_as else variant.name
