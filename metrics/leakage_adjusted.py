"""Accuracy and paired test without revisions that are not the graph's doing (QKG A.3, Eq. 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from metrics.leakage import LabelledCase
from metrics.measures import Measure
from metrics.significance import PairedTest, paired_test

MEASURE = Measure(
    name="leakage_adjusted_accuracy",
    low=0,
    high=1,
    direction="higher",
    unit="proportion",
    source="QKG A.3, Eq. 1",
)


def is_leaked(case: LabelledCase) -> bool:
    """True for a wrong-to-correct revision that is likely leakage: credit that is taken away."""
    return case.direction == "wrong_to_correct" and case.label == "LIKELY_LEAKAGE"


def is_context_regression(case: LabelledCase) -> bool:
    """True for a KG-supported correct-to-wrong revision that cites an applicability label.

    The graph ruled the option out for this patient and the benchmark's gold rewards it anyway
    (QKG §5.2): no fault of the graph.
    """
    return (
        case.direction == "correct_to_wrong"
        and case.label == "LIKELY_KG_SUPPORTED"
        and case.context_driven
    )


def flagged_keys(cases: Iterable[LabelledCase]) -> frozenset[str]:
    """Return the keys that the adjustment removes (QKG §3.3, last paragraph)."""
    return frozenset(case.key for case in cases if is_leaked(case) or is_context_regression(case))


def adjusted_accuracy(right: int, total: int, *, leaked: int, context: int) -> float | None:
    """Eq. 1: (right - leaked) / (total - leaked - context), from 0 to 1.

    Args:
        right: Questions whose final answer is right.
        total: N, all questions.
        leaked: n_leak, wrong-to-correct revisions labelled LIKELY_LEAKAGE; part of `right`.
        context: n_ctx, context-driven correct-to-wrong revisions; not part of `right`.

    >>> round(100 * adjusted_accuracy(2321, 2788, leaked=60, context=0), 2)
    82.88
    >>> round(100 * adjusted_accuracy(2327, 2788, leaked=55, context=20), 2)
    83.74

    Raises:
        ValueError: the counts cannot be of one run.
    """
    if not (0 <= leaked <= right and 0 <= context <= total - right):
        raise ValueError(
            "wanted 0 <= leaked <= right and 0 <= context <= total - right; got "
            f"right={right}, total={total}, leaked={leaked}, context={context}"
        )
    left = total - leaked - context
    return (right - leaked) / left if left else None


def adjusted_run(right: Mapping[str, bool], cases: Iterable[LabelledCase]) -> float | None:
    """Return Eq. 1 for one run: rightness by key, and its labelled revisions."""
    labelled = [case for case in cases if case.key in right]
    return adjusted_accuracy(
        sum(right.values()),
        len(right),
        leaked=sum(is_leaked(case) for case in labelled),
        context=sum(is_context_regression(case) for case in labelled),
    )


def adjusted_paired_test(
    a: Mapping[str, bool],
    b: Mapping[str, bool],
    *,
    cases_a: Iterable[LabelledCase],
    cases_b: Iterable[LabelledCase],
) -> PairedTest:
    """Compare two runs without the questions that are flagged in either (QKG §3.3)."""
    return paired_test(a, b, without=flagged_keys(cases_a) | flagged_keys(cases_b))
