"""The verdicts of a run as tables of text, in the shape of ReGraM's tables 2, 3 and 5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from metrics.intervals import Interval
from metrics.judged import JudgedMean, JudgedRate
from optimize.compare_tables import percent
from optimize.formats import TextTable
from optimize.judged_results import DomainTable, JudgedRun, JudgeResult

HEADER = (
    "judge", "measure", "value", "95 % interval", "if unscored", "scored", "unscored", "abstained"
)  # fmt: skip
"""Columns of `measure_table`."""


def judged_tables(found: JudgedRun) -> tuple[TextTable, ...]:
    """Return every table that has something to say."""
    tables = (
        measure_table(found.judges),
        agreement_table(found),
        halt_table(found),
        domain_table(found.domains),
    )
    return tuple(table for table in tables if table.rows)


def measure_table(judges: Iterable[JudgeResult]) -> TextTable:
    """One row per judge and measure; shares and means times 100, as the paper prints them."""
    rows = tuple(
        (judge.judge, name, *_cells(value)) for judge in judges for name, value in _measures(judge)
    )
    return TextTable("Judged measures (%)", HEADER, rows)


def agreement_table(found: JudgedRun) -> TextTable:
    """Cohen's kappa of every two judges, or why there is none."""
    header = ("measure", "judges", "yes from", "shared", "agreed", "kappa", "95 % interval")
    rows = tuple(
        (
            agreement.measure,
            " / ".join(agreement.judges),
            f"{agreement.threshold:g}",
            str(agreement.kappa.shared),
            str(agreement.kappa.agreed),
            _number(agreement.kappa.value),
            agreement.kappa.reason or _span(agreement.kappa.interval, scale=1),
        )
        for agreement in found.agreements
    )
    return TextTable("Agreement of two judges", header, rows)


def halt_table(found: JudgedRun) -> TextTable:
    """Med-HALT's tests, without a judge (ReGraM table 5)."""
    header = ("test", "questions", "accuracy", "95 %", "hallucination", "95 %", "neither")
    rows = tuple(
        (
            test,
            str(score.counted),
            percent(score.accuracy),
            _span(score.accuracy_interval),
            percent(score.hallucination),
            _span(score.hallucination_interval),
            str(score.silent),
        )
        for test, score in (found.medhalt or {}).items()
    )
    return TextTable("Med-HALT (%)", header, rows)


def domain_table(table: DomainTable | None) -> TextTable:
    """A score by domain beside the graph's coverage (ReGraM table 2)."""
    header = ("domain", "questions", "hops covered", "entities covered", "score", "scored")
    if table is None:
        return TextTable("", header, ())
    rows = tuple(
        (
            domain,
            str(hops.questions),
            percent(hops.coverage),
            percent(table.by_entities[domain].coverage),
            percent(hops.score),
            str(hops.scored),
        )
        for domain, hops in table.by_hops.items()
    )
    return TextTable(f"Domains (%), score: {table.scored_by}", header, rows)


def _measures(judge: JudgeResult) -> Iterator[tuple[str, JudgedRate | JudgedMean]]:
    if judge.similarity is not None:
        yield "correct (similarity ≥ 0.8)", judge.similarity.accuracy
        yield "similarity, mean", judge.similarity.similarity
    for name, value in (
        ("inconsistency, mean", judge.inconsistency),
        ("inconsistency with own evidence, mean", judge.evidence_inconsistency),
        ("hallucination", judge.hallucination),
        ("reasoning error", judge.reasoning_error),
    ):
        if value is not None:
            yield name, value


def _cells(value: JudgedRate | JudgedMean) -> tuple[str, ...]:
    bounds = ""
    if isinstance(value, JudgedRate) and value.unscored:
        bounds = f"{percent(value.low)} to {percent(value.high)}"
    counts = (str(value.scored), str(value.unscored), str(value.abstained))
    return (percent(value.value), _span(value.interval), bounds, *counts)


def _span(interval: Interval | None, *, scale: float = 100) -> str:
    """Write both ends.

    >>> _span(Interval(0.1, 0.25)), _span(None)
    ('10.0 to 25.0', '—')
    """
    if interval is None:
        return "—"
    digits = 1 if scale == 100 else 2
    return f"{scale * interval.low:.{digits}f} to {scale * interval.high:.{digits}f}"


def _number(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"
