"""Compile a program, or one predictor of it, and keep the better of before and after.

Scores are taken on exactly the state that is saved. A model that cannot be reached and a spent
budget stop the study; neither counts as a wrong answer. The best program so far is on disk from the
first score on, and every score is in a journal beside it: the same call goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import dspy

from optimize.artefacts import Card
from optimize.dspy_metrics import Metric
from optimize.examples import fingerprint
from optimize.lone_predictor import model_of
from optimize.planning import Sizes
from optimize.presets import plan_of
from optimize.scoring import Progress
from optimize.study import Compiled, Study, seed_program, student_of, study_metric
from optimize.study_card import study_measures, study_texts
from optimize.study_forecast import StudyForecast, forecast_study, prompts_of
from optimize.tracking import NullTracker, Status, Tracker
from optimize.watch import Halt
from optimize.work import Work
from signatures.errors import BudgetExceeded

if TYPE_CHECKING:
    from optimize.meter import Meter

Confirm = Callable[[StudyForecast], bool]
"""Shown the forecast after the first answers; false ends the study, which can be gone on with."""


def compile_program(
    program: dspy.Module,
    study: Study,
    *,
    train: Sequence[dspy.Example],
    dev: Sequence[dspy.Example],
    test: Sequence[dspy.Example] = (),
    out: Path,
    metric: Metric | None = None,
    tracker: Tracker | None = None,
    meter: Meter | None = None,
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
    confirm: Confirm | None = None,
    overwrite: bool = False,
) -> Compiled:
    """Compile `program` under the current `dspy.context` and save the better state at `out`.

    Args:
        program: The program to compile; it is copied, never changed.
        study: What is compiled and how.
        train: Examples that demonstrations and feedback may come from.
        dev: Examples that decide; none of them may be in `train`.
        test: Examples that are reported, before and after; none may be in the others.
        out: File of the saved program. An unfinished one is gone on with, a finished one replaced
            only with `overwrite`.
        metric: Replaces the metric that the study names.
        tracker: Where the study is written down; nowhere by default.
        meter: Counts the calls; its budget ends the study.
        progress: Called with stage, done and total.
        note: Told a line that the user should read: a forecast, a better candidate.
        confirm: See `Confirm`; without it the study goes on.
        overwrite: Replace a finished program at `out`.

    Raises:
        InputError: examples, options or `out` cannot be used; found before any call.
        ModelCallError: a model could not be reached or refused a call; resumable.
        BudgetExceeded: the budget is spent, or the forecast was refused; the best so far is saved.
        ProgramStateError: a predictor holds what may not be saved.
    """
    judge = metric or study_metric(study)
    work = Work(study, judge, train=train, dev=dev, test=test, out=out, meter=meter)
    work.listen(progress=progress, note=note, confirm=confirm)
    seed = seed_program(program, study)
    # Outside its program a predictor has no step that gives it its role's model.
    with dspy.context(lm=model_of(study.predictor)):
        work.check(seed, overwrite=overwrite)
        tracker = tracker or NullTracker()
        tracker.start(_title(study), params=_params(study, work))
        return _follow(work, seed, tracker)


def _follow(work: Work, seed: dspy.Module, tracker: Tracker) -> Compiled:
    status: Status = "FAILED"
    try:
        callbacks = [*(dspy.settings.callbacks or []), work.watch, work.replay]
        with dspy.context(callbacks=callbacks, stage="compile"):
            compiled = work.run(seed, tracker)
        status = "FINISHED"
        return compiled
    except Halt as halt:
        status = "KILLED" if isinstance(work.watch.error, BudgetExceeded) else "FAILED"
        raise work.stopped() from halt
    except KeyboardInterrupt:
        status = "KILLED"
        raise
    finally:
        work.note_spent()
        tracker.finish(status=status, metrics=study_measures(work), texts=study_texts(work))


def forecast_calls(
    program: dspy.Module, study: Study, *, train: int, dev: int, test: int
) -> StudyForecast:
    """Forecast a study without a call: one call per predictor and answer is assumed.

    Raises:
        InputError: The optimizer, a predictor or an option is unknown.
    """
    student = student_of(seed_program(program, study), study.predictor)
    prompts = prompts_of(student)
    sizes = Sizes(train, dev, test, len(prompts))
    plan = plan_of(study.optimizer, scope=study.scope, options=study.options, sizes=sizes)
    return forecast_study(plan, sizes, prompts=prompts)


def _title(study: Study) -> str:
    return f"{study.optimizer} {study.predictor or study.program}"


def _params(study: Study, work: Work) -> dict[str, object]:
    parts = {"train": work.train, "dev": work.dev, "test": work.test}
    return {
        **study.model_dump(exclude={"options", "overlap"}, mode="json"),
        "options": work.optimizer.options,
        "overlap": "; ".join(work.overlap),
        **{part: len(held) for part, held in parts.items()},
        **{f"{part}_sha": fingerprint(held)[:16] for part, held in parts.items() if held},
        "dspy": Card.model_fields["dspy"].default,
    }
