"""What is written of a study: the card of its program, its numbers, and its files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import dspy

from optimize.artefacts import Card, SplitCard
from optimize.before_after import comparison_plot, comparison_table
from optimize.examples import fingerprint
from optimize.scoring import Score
from optimize.usage_measures import spent_measures

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


def study_measures(work: Work) -> dict[str, float | None]:
    """Return the scores and what was spent, for the study's own run."""
    scores = {"before": work.before, "after": work.after}
    found: dict[str, float | None] = {}
    for stage, score in scores.items():
        found |= {} if score is None else score_measures(stage, score)
    if work.reported is not None:
        numbers = work.reported.model_dump(exclude={"metric", "words", "level"})
        found |= {f"test.{name}": float(value) for name, value in numbers.items()}
    return found | ({} if work.meter is None else spent_measures(work.meter))


def study_texts(work: Work) -> dict[str, str]:
    """Return the saved program, and the comparison on test, as artifacts."""
    found = {}
    if work.kept is not None:
        found["program.json"] = work.out.read_text(encoding="utf-8")
    if work.reported is not None:
        found["comparison.md"] = comparison_table(work.reported)
        found["comparison.json"] = work.reported.model_dump_json(indent=2)
        found["comparison.svg"] = comparison_plot(work.reported)
    return found
