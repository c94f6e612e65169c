"""Compile a program, or one predictor of it, and keep the better of before and after.

The dev score is taken before and after, on exactly the state that is saved. A model that cannot be
reached and a spent budget stop the study; neither counts as a wrong answer. The best program so far
is on disk from the first score on.
"""

from __future__ import annotations

import contextlib
import logging
import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import dspy

from optimize.artefacts import Card, SplitCard, read_card, save_program
from optimize.carry import carried_over, demo_counts
from optimize.dspy_metrics import Metric
from optimize.examples import check_disjoint, fingerprint
from optimize.judge import Judge, unprinted
from optimize.presets import Optimizer, build_optimizer
from optimize.scoring import Progress, Score, score_program
from optimize.state import program_state
from optimize.study import Compiled, Study, seed_program, student_of, study_metric
from optimize.tracking import NullTracker, Status, Tracker
from optimize.trials import Trials
from optimize.watch import Halt, Watch
from signatures.errors import BudgetExceeded, InputError, QkgramError

if TYPE_CHECKING:
    from optimize.meter import Meter

_log = logging.getLogger(__name__)


def compile_program(
    program: dspy.Module,
    study: Study,
    *,
    train: Sequence[dspy.Example],
    dev: Sequence[dspy.Example],
    out: Path,
    metric: Metric | None = None,
    tracker: Tracker | None = None,
    meter: Meter | None = None,
    progress: Progress | None = None,
    overwrite: bool = False,
) -> Compiled:
    """Compile `program` under the current `dspy.context` and save the better state at `out`.

    Args:
        program: The program to compile; it is copied, never changed.
        study: What is compiled and how.
        train: Examples that demonstrations may come from.
        dev: Examples that decide; none of them may be in `train`.
        out: File of the saved program. An unfinished one is replaced, a finished one only with
            `overwrite`.
        metric: Replaces the metric that the study names.
        tracker: Where the study is written down; nowhere by default.
        meter: Counts the calls; its budget ends the study.
        progress: Called with stage, done and total.
        overwrite: Replace a finished program at `out`.

    Raises:
        InputError: examples, options or `out` cannot be used; found before any call.
        ModelCallError: a model could not be reached or refused a call.
        BudgetExceeded: the budget is spent; the best so far is saved.
        ProgramStateError: a predictor holds what may not be saved.
    """
    judge = metric or study_metric(study)
    work = _Work(study, judge, train=train, dev=dev, out=out, meter=meter, progress=progress)
    seed = seed_program(program, study)
    work.check(seed, overwrite=overwrite)
    tracker = tracker or NullTracker()
    tracker.start(_title(study), params=_params(study, work))
    status: Status = "FAILED"
    try:
        with dspy.context(
            callbacks=[*(dspy.settings.callbacks or []), work.watch], stage="compile"
        ):
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
        tracker.finish(status=status, metrics=work.measures(), texts=work.saved_text())


class _Work:
    """One study while it runs."""

    def __init__(
        self,
        study: Study,
        metric: Metric,
        *,
        train: Sequence[dspy.Example],
        dev: Sequence[dspy.Example],
        out: Path,
        meter: Meter | None,
        progress: Progress | None,
    ) -> None:
        self.study, self.metric, self.out = study, metric, out
        self.train, self.dev = list(train), list(dev)
        self.meter, self.progress = meter, progress
        self.watch = Watch()
        self.before: Score | None = None
        self.after: Score | None = None
        self.kept: Card | None = None
        # DSPy's few-shot optimizers have no seed: they take the examples in the order given.
        random.Random(study.seed).shuffle(self.train)  # noqa: S311

    def check(self, seed: dspy.Module, *, overwrite: bool) -> None:
        """Find whatever is wrong before a call is paid for."""
        check_disjoint(self.train, self.dev)
        program_state(seed)
        self.optimizer = self._optimizer()
        if self.out.is_dir():
            raise InputError(f"--out must be a file, {self.out} is a folder; add a file name")
        if self.out.exists() and not overwrite and _is_finished(self.out):
            raise InputError(
                f"{self.out} holds a finished program; choose another --out or pass --force"
            )

    def run(self, seed: dspy.Module, tracker: Tracker) -> Compiled:
        """Score, compile, score, keep the better one."""
        self.before = self._score(seed, "before")
        tracker.candidate("before", program=seed, metrics=_measures("dev", self.before))
        self._save(seed, "before", self.before.value)
        candidate = self._compile(seed, tracker)
        if program_state(candidate) == program_state(seed):
            _log.info("the optimizer changed nothing: no training example was answered right")
            self.after = self.before
        else:
            with self._unscored(candidate):
                self.after = self._score(candidate, "after")
            tracker.candidate("after", program=candidate, metrics=_measures("dev", self.after))
        better = self.after.value > self.before.value
        best, kept, score = (
            (candidate, "after", self.after) if better else (seed, "before", self.before)
        )
        card = self._save(best, kept, score.value, complete=True)
        return Compiled(best, card, self.before, self.after, demo_counts(candidate))

    def stopped(self) -> QkgramError:
        """Return the error that ends the study early, saying what is on disk."""
        error = self.watch.error or QkgramError("the study stopped without a reason")
        if not isinstance(error, BudgetExceeded):
            return error
        if self.kept is None:
            return BudgetExceeded(f"{error}; nothing was scored yet, nothing is saved")
        return BudgetExceeded(
            f"{error}; the best so far ({self.kept.kept}, dev {self.kept.score:.3f}) is saved at "
            f"{self.out}"
        )

    def measures(self) -> dict[str, float | None]:
        """Return both dev scores and what was spent, for the study's own run."""
        spent = {} if self.meter is None else self.meter.usage().model_dump()
        before = {} if self.before is None else _measures("before", self.before)
        after = {} if self.after is None else _measures("after", self.after)
        return {**before, **after, **{f"usage.{k}": v for k, v in spent.items()}}

    def saved_text(self) -> dict[str, str]:
        """Return the saved program as an artifact."""
        if self.kept is None:
            return {}
        return {"program.json": self.out.read_text(encoding="utf-8")}

    def _score(self, program: dspy.Module, stage: str) -> Score:
        return score_program(
            student_of(program, self.study.predictor),
            self.dev,
            self.metric,
            name=self.study.metric,
            stage=stage,
            watch=self.watch,
            threads=self.study.threads,
            progress=self.progress,
        )

    def _optimizer(self) -> Optimizer:
        return build_optimizer(
            self.study.optimizer,
            metric=Judge(
                self.metric,
                name=self.study.metric,
                watch=self.watch,
                total=len(self.train),
                progress=self.progress,
            ),
            scope=self.study.scope,
            options=self.study.options,
            train=self.train,
            dev=self.dev,
            seed=self.study.seed,
        )

    def _compile(self, seed: dspy.Module, tracker: Tracker) -> dspy.Module:
        student = student_of(seed, self.study.predictor).deepcopy()
        trials = Trials(partial(self._trial, seed, tracker), dev=len(self.dev))
        with unprinted(), dspy.context(callbacks=[*dspy.settings.callbacks, trials]):
            compiled = self.optimizer.teleprompter.compile(
                student, trainset=self.train, **self.optimizer.compile_options
            )
        self.watch.check()
        return carried_over(seed, compiled, self.study)

    def _trial(
        self, seed: dspy.Module, tracker: Tracker, number: int, tried: dspy.Module, score: float
    ) -> None:
        """Follow a candidate that the optimizer evaluated; save it when it is the best so far."""
        name = f"trial {number:03}"
        program = carried_over(seed, tried.deepcopy(), self.study)
        tracker.candidate(name, program=program, metrics={"dev.score": score})
        best = self.kept.score if self.kept and self.kept.score is not None else -1.0
        # Optimizers drop a prompt's own demonstrations; the score is of what was tried.
        student = student_of(program, self.study.predictor)
        as_tried = [*program_state(student).values()] == [*program_state(tried).values()]
        if as_tried and score > best:
            self._save(program, name, score)

    def _save(
        self, program: dspy.Module, kept: str, score: float, *, complete: bool = False
    ) -> Card:
        card = self._card(kept, score, complete=complete)
        self.kept = save_program(program, self.out, card=card)
        return self.kept

    @contextlib.contextmanager
    def _unscored(self, candidate: dspy.Module) -> Iterator[None]:
        """Keep a compiled candidate on disk while it is scored; it may have cost hours."""
        beside = self.out.with_name(f"{self.out.stem}.unscored{self.out.suffix}")
        save_program(candidate, beside, card=self._card("after", None, complete=False))
        yield
        beside.unlink()

    def _card(self, kept: str, score: float | None, *, complete: bool) -> Card:
        study = self.study
        return Card(
            program=study.program,
            predictor=study.predictor,
            settings=study.settings,
            optimizer=study.optimizer,
            options=self.optimizer.options,
            seed=study.seed,
            train=SplitCard(n=len(self.train), fingerprint=fingerprint(self.train)),
            dev=SplitCard(n=len(self.dev), fingerprint=fingerprint(self.dev)),
            metric=study.metric,
            baseline=self.before.value if self.before else None,
            score=score,
            kept=kept,
            complete=complete,
            models=study.models,
            usage=self.meter.usage() if self.meter else None,
        )


def _is_finished(path: Path) -> bool:
    return read_card(path).complete


def _measures(stage: str, score: Score) -> dict[str, float | None]:
    return {f"{stage}.score": score.value, f"{stage}.n": score.n, f"{stage}.failed": score.failed}


def _title(study: Study) -> str:
    return f"{study.optimizer} {study.predictor or study.program}"


def _params(study: Study, work: _Work) -> dict[str, object]:
    return {
        **study.model_dump(exclude={"options"}, mode="json"),
        "options": work.optimizer.options,
        "train": len(work.train),
        "dev": len(work.dev),
        "train_sha": fingerprint(work.train)[:16],
        "dev_sha": fingerprint(work.dev)[:16],
        "dspy": Card.model_fields["dspy"].default,
    }
