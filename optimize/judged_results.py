"""What the verdicts of a run say: measures by judge, agreement, Med-HALT, scores by domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from pydantic import ValidationError

from data.benchmark_hallucination import halt_test
from metrics.domain_coverage import (
    CoverageItem,
    DomainCoverage,
    covered_entities,
    covered_hops,
    domain_coverage,
)
from metrics.exact_match import RIGHT
from metrics.inconsistency import inconsistency
from metrics.judged import YES, JudgedMean, JudgedRate, of_measure
from metrics.kappa import Kappa, cohen_kappa
from metrics.medhallu import hallucination_rate, reasoning_error_rate
from metrics.medhalt import HaltScore, medhalt
from metrics.saq_similarity import CORRECT, SaqSimilarity, saq_similarity
from optimize.judged_answers import MEASURES, seen
from optimize.rows import Row
from optimize.run_records import Run, read_run
from optimize.verdicts import VerdictRow, read_verdicts, shown
from signatures.schema import Domain, HaltTest, JudgedMeasure, Record, Region, Verdict

THRESHOLD: dict[JudgedMeasure, float] = {
    measure: CORRECT if measure == "similarity" else YES for measure in MEASURES
}
"""Score from which two judges' verdicts are the same yes."""


class JudgeResult(Record):
    """One judge's verdicts on one run; a measure that it did not judge is `None`."""

    judge: str
    """Model id; with several prompts of one model, the prompt's digest follows a `#`."""
    similarity: SaqSimilarity | None = None
    inconsistency: JudgedMean | None = None
    evidence_inconsistency: JudgedMean | None = None
    hallucination: JudgedRate | None = None
    reasoning_error: JudgedRate | None = None


class Agreement(Record):
    """Two judges on one measure."""

    measure: JudgedMeasure
    judges: tuple[str, str]
    threshold: float
    """Scores from here on are one label, lower ones the other."""
    kappa: Kappa


class DomainTable(Record):
    """A score by domain, beside two coverages (ReGraM table 2)."""

    scored_by: str
    """What the score is: `inconsistency by MODEL`, or `accuracy`."""
    by_hops: dict[Domain, DomainCoverage]
    by_entities: dict[Domain, DomainCoverage]


class JudgedRun(Record):
    """All that the verdicts of a run say."""

    run: str
    answers: int
    """Rows of the run."""
    stale: int
    """Verdicts on other answers or references than the run's present ones; they do not count."""
    judges: tuple[JudgeResult, ...]
    agreements: tuple[Agreement, ...]
    medhalt: dict[HaltTest, HaltScore] | None
    """`None` unless every question of the run is of Med-HALT."""
    domains: DomainTable | None
    """`None` where no row has a domain and hops."""


def judged_run(path: Path, *, verdicts: Path | None = None) -> JudgedRun:
    """Read a run and its verdicts; nothing is called or changed.

    Args:
        path: Folder of the run.
        verdicts: Folder of the verdicts; the run's own without.

    Raises:
        InputError: There is no run at `path`.
    """
    run = read_run(path)
    return sum_up(run, read_verdicts(verdicts or path))


def sum_up(run: Run, rows: Iterable[VerdictRow]) -> JudgedRun:
    """Work out every measure from the verdicts that are of the run's present answers."""
    given = tuple(rows)
    current = current_verdicts(run, given)
    named = _by_judge(current)
    return JudgedRun(
        run=str(run.path),
        answers=len(run.rows),
        stale=len(given) - len(current),
        judges=tuple(_result(name, part) for name, part in named.items()),
        agreements=tuple(_agreements(named)),
        medhalt=_medhalt(run),
        domains=_domains(run, named),
    )


def current_verdicts(run: Run, rows: Iterable[VerdictRow]) -> tuple[VerdictRow, ...]:
    """Keep the verdicts on what the run's rows and questions say today."""
    questions = {task.key: task.question for task in run.tasks}
    looks = {key: seen(row, questions[key]) for key, row in run.rows.items()}

    def holds(row: VerdictRow) -> bool:
        look = looks.get(row.row)
        return look is not None and row.shown == shown(
            look.answer, row.measure, abstained=look.abstained
        )

    return tuple(filter(holds, rows))


def _by_judge(rows: Sequence[VerdictRow]) -> dict[str, tuple[VerdictRow, ...]]:
    """Group by judge; the prompts of one model and measure are told apart where there are two."""
    prompts: dict[tuple[str, JudgedMeasure], dict[str, None]] = {}
    for row in rows:
        prompts.setdefault((row.judge, row.measure), {})[row.prompt] = None
    groups: dict[str, list[VerdictRow]] = {}
    for row in rows:
        several = len(prompts[row.judge, row.measure]) > 1
        groups.setdefault(f"{row.judge}#{row.prompt[:8]}" if several else row.judge, []).append(row)
    return {name: tuple(part) for name, part in groups.items()}


def _result(name: str, rows: Sequence[VerdictRow]) -> JudgeResult:
    said = [row.verdict for row in rows if row.verdict is not None]
    own = {measure for measure in MEASURES if of_measure(said, measure)}
    return JudgeResult(
        judge=name,
        similarity=saq_similarity(said) if "similarity" in own else None,
        inconsistency=inconsistency(said) if "inconsistency" in own else None,
        evidence_inconsistency=inconsistency(said, measure="evidence_inconsistency")
        if "evidence_inconsistency" in own
        else None,
        hallucination=hallucination_rate(said) if "hallucination" in own else None,
        reasoning_error=reasoning_error_rate(said) if "reasoning_error" in own else None,
    )


def _agreements(named: dict[str, tuple[VerdictRow, ...]]) -> Iterable[Agreement]:
    for measure in MEASURES:
        labels = {name: _labels(rows, measure) for name, rows in named.items()}
        judged = [name for name in labels if labels[name]]
        for one, other in combinations(judged, 2):
            yield Agreement(
                measure=measure,
                judges=(one, other),
                threshold=THRESHOLD[measure],
                kappa=cohen_kappa(labels[one], labels[other]),
            )


def _labels(rows: Iterable[VerdictRow], measure: JudgedMeasure) -> dict[str, bool]:
    return {
        row.row: score >= THRESHOLD[measure]
        for row in rows
        if row.measure == measure and (score := _score(row.verdict)) is not None
    }


def _score(verdict: Verdict | None) -> float | None:
    return None if verdict is None else verdict.score


def _medhalt(run: Run) -> dict[HaltTest, HaltScore] | None:
    tests = {task.key: halt_test(task.question) for task in run.tasks}
    if not tests or None in tests.values():
        return None
    found = {**run.failed, **run.rows}
    return medhalt(
        (test, row.outcome)
        for key, test in tests.items()
        if test is not None and (row := found.get(key)) is not None and row.outcome is not None
    )


def _domains(run: Run, named: dict[str, tuple[VerdictRow, ...]]) -> DomainTable | None:
    rows = [row for row in run.rows.values() if row.domain is not None and row.modes]
    if not rows:
        return None
    judged = {
        name: {r.row: _score(r.verdict) for r in part if r.measure == "inconsistency"}
        for name, part in named.items()
    }
    judge = next((name for name, scores in judged.items() if scores), None)
    scores = {row.key: _right(row) for row in rows} if judge is None else judged[judge]
    hops, entities = [], []
    for row in rows:
        if row.domain is not None:
            score = scores.get(row.key)
            hops.append(CoverageItem(row.domain, covered_hops(row.modes), score))
            entities.append(CoverageItem(row.domain, covered_entities(_regions(row)), score))
    return DomainTable(
        scored_by="accuracy" if judge is None else f"inconsistency by {judge}",
        by_hops=dict(domain_coverage(hops)),
        by_entities=dict(domain_coverage(entities)),
    )


def _right(row: Row) -> float | None:
    return None if row.outcome is None else float(row.outcome.kind in RIGHT)


def _regions(row: Row) -> Iterable[Region]:
    hops = row.trace.get("hops")
    for hop in hops if isinstance(hops, list) else ():
        if isinstance(hop, dict) and hop.get("region") is not None:
            with suppress(ValidationError):  # a run of an older version: its regions do not count
                yield Region.model_validate(hop["region"])
