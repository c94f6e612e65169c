"""The leakage audit of runs: label each revision, count classes, adjust accuracy (QKG A.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from metrics.exact_match import RIGHT
from metrics.leakage import Case, ClassCounts, Direction, LabelledCase, classify_case, count_classes
from metrics.leakage_adjusted import adjusted_paired_test, adjusted_run, flagged_keys
from metrics.leakage_report import read_report
from metrics.revisions import revision
from metrics.significance import PairedTest, paired_test
from optimize.comparing import worded
from optimize.results import ResultRow, Results
from signatures.errors import InputError
from signatures.schema import Outcome, Record


class Audit(Record):
    """One run's revisions with what they rest on, and the accuracy that follows."""

    name: str
    right: dict[str, bool]
    """Whether each question that was run is answered rightly."""
    cases: tuple[LabelledCase, ...]
    improved: ClassCounts
    """Wrong-to-correct revisions."""
    regressed: ClassCounts
    """Correct-to-wrong revisions."""
    raw: float | None
    """Final accuracy, from 0 to 1."""
    adjusted: float | None
    """Eq. 1, from 0 to 1."""
    removed: int
    """Questions that Eq. 1 leaves out."""
    odd_statuses: dict[str, int]
    """Statuses in the run's reports that are none of QKG's three, counted."""
    notes: tuple[str, ...]

    @property
    def total(self) -> int:
        """Questions that were run."""
        return len(self.right)


class AuditPair(Record):
    """Two audited runs compared, before and after the adjustment."""

    a: str
    b: str
    raw: PairedTest
    adjusted: PairedTest
    """Without the questions flagged in either run."""
    removed: int
    """Questions flagged in either run."""


def revised_cases(results: Results) -> tuple[Case, ...]:
    """Return the run's revisions whose rightness changed, with their reports.

    Raises:
        InputError: the run has no first answers, so nothing can have been revised.
    """
    if not any(row.first for row in results.once):
        raise InputError(
            f"{results.name}: no first answers in the rows; wanted a run of a program with a "
            "validator: qkg or qkgram"
        )
    return tuple(case for row in results.once if (case := _case(row)) is not None)


def audit(results: Results, cases: Iterable[LabelledCase]) -> Audit:
    """Count the classes of a run's labelled revisions and work out Eq. 1."""
    labelled = tuple(cases)
    right = {r.key: r.final.kind in RIGHT for r in results.once if r.final.kind != "not_run"}
    odd = Counter[str]()
    for row in results.once:
        odd.update(read_report(row.report).odd)
    return Audit(
        name=results.name,
        right=right,
        raw=sum(right.values()) / len(right) if right else None,
        odd_statuses=dict(sorted(odd.items())),
        notes=results.notes,
        **_counted(right, labelled),
    )


def relabelled_audit(audit: Audit, cases: Iterable[LabelledCase]) -> Audit:
    """Return the audit with other labels of its cases, everything counted again."""
    return audit.model_copy(update=_counted(audit.right, tuple(cases)))


def _counted(right: Mapping[str, bool], cases: tuple[LabelledCase, ...]) -> dict[str, Any]:
    """Return the fields of an audit that follow from its cases."""
    return {
        "cases": cases,
        "improved": count_classes(cases, "wrong_to_correct"),
        "regressed": count_classes(cases, "correct_to_wrong"),
        "adjusted": adjusted_run(right, cases),
        "removed": len(flagged_keys(cases)),
    }


def audit_run(results: Results) -> Audit:
    """Label a run's revisions by the rules of A.3 and audit it.

    Raises:
        InputError: the run has no first answers or no validation reports to judge by.
    """
    cases = revised_cases(results)
    if cases and not any(case.report for case in cases):
        raise InputError(
            f"{results.name}: {len(cases)} revisions and no validation report; wanted a run "
            "folder, a log with validation_report, or a folder with labelled cases"
        )
    return audit(results, [classify_case(case) for case in cases])


def compare_audits(audits: Sequence[Audit]) -> tuple[AuditPair, ...]:
    """Compare every pair of audited runs, raw and adjusted."""
    return tuple(_pair(a, b) for a, b in combinations(audits, 2))


def _pair(a: Audit, b: Audit) -> AuditPair:
    return AuditPair(
        a=a.name,
        b=b.name,
        raw=paired_test(a.right, b.right),
        adjusted=adjusted_paired_test(a.right, b.right, cases_a=a.cases, cases_b=b.cases),
        removed=len(flagged_keys(a.cases) | flagged_keys(b.cases)),
    )


def _case(row: ResultRow) -> Case | None:
    if row.first is None or "not_run" in (row.first.kind, row.final.kind):
        return None
    directions: Mapping[str, Direction] = {
        "wrong_to_correct": "wrong_to_correct",
        "correct_to_wrong": "correct_to_wrong",
    }
    direction = directions.get(revision(row.first, row.final))
    if direction is None:
        return None
    return Case(
        key=row.key,
        direction=direction,
        original=worded(row.first),
        final=worded(row.final),
        gold=_gold(row.final),
        report=row.report,
    )


def _gold(outcome: Outcome) -> str:
    """The gold letter; a question without a right option has abstention as its gold."""
    return outcome.gold or "abstained"
