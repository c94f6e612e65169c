"""From a study to its optimizer: the right judge, the roles' models, the allow-list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import dspy

from optimize.building import Optimizer, build_optimizer
from optimize.dspy_metrics import METRICS, Metric
from optimize.judge import FeedbackJudge, Judge
from optimize.presets import preset
from optimize.proposing import Surroundings
from optimize.scoring import Progress
from optimize.study import Study
from optimize.watch import Watch
from signatures.errors import InputError


def make_optimizer(
    study: Study,
    metric: Metric,
    *,
    watch: Watch,
    train: Sequence[dspy.Example],
    dev: Sequence[dspy.Example],
    components: Sequence[str],
    folder: Path,
    progress: Progress | None = None,
) -> Optimizer:
    """Make the optimizer of a study under the current models; nothing is called yet.

    Args:
        study: What is compiled and how.
        metric: What its judge measures with.
        watch: Stops it.
        train: Examples to learn from.
        dev: Examples that decide.
        components: Predictors whose instructions may be rewritten; empty: all.
        folder: Where it may keep its own state.
        progress: Told how many answers were judged.

    Raises:
        InputError: an option, the teacher or the optimizer is unknown, or no model is there.
        MissingError: a package that it needs is not installed.
    """
    roles: Mapping[str, dspy.LM] = dspy.settings.get("roles") or {}
    if study.teacher is not None and study.teacher not in roles:
        raise InputError(
            f"the teacher must be a role with a model, got {study.teacher!r}; use one of "
            f"{', '.join(roles) or 'none: no role has a model here'}"
        )
    return build_optimizer(
        study.optimizer,
        metric=_judge(study, metric, watch=watch, total=len(train), progress=progress),
        scope=study.scope,
        options=study.options,
        train=train,
        dev=dev,
        seed=study.seed,
        around=Surroundings(
            proposer=roles.get("proposer", dspy.settings.lm),
            teacher=roles[study.teacher] if study.teacher else None,
            components=tuple(components),
            folder=folder,
        ),
    )


def _judge(
    study: Study, metric: Metric, *, watch: Watch, total: int, progress: Progress | None
) -> Judge:
    common: dict[str, Any] = {
        "name": study.metric,
        "watch": watch,
        "total": total,
        "progress": progress,
    }
    if preset(study.optimizer).judge == "score":
        return Judge(metric, **common)
    field = METRICS[study.metric][0].field if study.metric in METRICS else ""
    return FeedbackJudge(metric, field=field, **common)
