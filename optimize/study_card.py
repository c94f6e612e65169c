"""What is written of a study: the card of its program, and the numbers of a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import dspy

from optimize.artefacts import Card, SplitCard
from optimize.examples import fingerprint
from optimize.scoring import Score

if TYPE_CHECKING:
    from optimize.work import Work


def study_card(work: Work, kept: str, score: float | None, *, complete: bool) -> Card:
    """Return the card of a candidate: `kept` is its name, `score` its dev score."""
    study = work.study
    return Card(
        program=study.program,
        predictor=study.predictor,
        settings=study.settings,
        optimizer=study.optimizer,
        options=work.optimizer.options,
        seed=study.seed,
        train=split_card(work.train),
        dev=split_card(work.dev),
        test=split_card(work.test) if work.test else None,
        splits=study.splits,
        overlap=work.overlap,
        metric=study.metric,
        baseline=work.before.value if work.before else None,
        score=score,
        kept=kept,
        complete=complete,
        models=study.models,
        graph=study.graph,
        teacher=study.teacher,
        components=work.components,
        reported=work.reported,
        usage=work.journal.spent(work.meter.usage()) if work.meter else None,
    )


def split_card(examples: Sequence[dspy.Example]) -> SplitCard:
    """Return how many examples there are, and which."""
    return SplitCard(n=len(examples), fingerprint=fingerprint(examples))


def score_measures(stage: str, score: Score) -> dict[str, float | None]:
    """Return a score with its interval, under the name of a stage."""
    return {
        f"{stage}.score": score.value,
        f"{stage}.low": score.interval.low,
        f"{stage}.high": score.interval.high,
        f"{stage}.n": score.n,
        f"{stage}.failed": score.failed,
    }
