"""IS: how far answers contradict the reference (ReGraM §4.2, figure 12), or their own evidence.

The paper's IS compares answer and reference. Its second worked example is an answer that leaves its
own evidence; `evidence_inconsistency` scores that apart, and the two are never pooled.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from metrics.judged import JudgedMean, judged_mean, of_measure
from metrics.measures import Measure
from signatures.schema import Verdict

MEASURE = Measure(
    name="inconsistency",
    low=0.0,
    high=1.0,
    direction="lower",
    unit="mean score",
    source="ReGraM figure 12: factual inconsistency score between model and reference answer",
)

EVIDENCE = Measure(
    name="evidence_inconsistency",
    low=0.0,
    high=1.0,
    direction="lower",
    unit="mean score",
    source="this project, after ReGraM's second worked example: answer against its own evidence",
)


def inconsistency(
    verdicts: Iterable[Verdict],
    *,
    measure: Literal["inconsistency", "evidence_inconsistency"] = "inconsistency",
) -> JudgedMean:
    """Mean inconsistency of the scored answers; an abstention states nothing and has no score.

    >>> says = [Verdict(measure="inconsistency", kind="scored", score=s) for s in (0, 0.2, 1)]
    >>> found = inconsistency([*says, Verdict(measure="inconsistency", kind="abstained")])
    >>> round(found.value, 3), found.scored, found.abstained
    (0.4, 3, 1)
    """
    return judged_mean(of_measure(verdicts, measure))
