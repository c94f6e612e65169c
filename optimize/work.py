"""One study while it runs: score, compile, score, keep the better, report on test."""

from __future__ import annotations

import contextlib
import logging
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dspy

from optimize.artefacts import Card, read_card, save_program
from optimize.before_after import BeforeAfter, before_after
from optimize.carry import carried_over, demo_counts
from optimize.dspy_metrics import Metric
from optimize.examples import check_disjoint
from optimize.journal import Journal
from optimize.judge import unprinted
from optimize.lending import make_optimizer
from optimize.planning import Sizes
from optimize.presets import plan_of
from optimize.replay import Replay
from optimize.scoring import Progress, Score, score_program
from optimize.state import apply_state, program_state
from optimize.study import Compiled, Study, components_of, student_of
from optimize.study_card import score_measures, study_card
from optimize.study_folder import forget, optimizer_folder, study_folder, study_key
from optimize.study_forecast import PROBE, Probe, forecast_study, spent_since
from optimize.tracking import Tracker
from optimize.trials import Trials
from optimize.watch import Watch
from signatures.errors import BudgetExceeded, InputError, QkgramError
from signatures.schema import Usage

if TYPE_CHECKING:
    from optimize.meter import Meter

_log = logging.getLogger(__name__)


class Work:
    """Holds what the steps of a study share; `compile_program` runs them."""

    def __init__(
        self,
        study: Study,
        metric: Metric,
        *,
        train: Sequence[dspy.Example],
        dev: Sequence[dspy.Example],
        test: Sequence[dspy.Example],
        out: Path,
        meter: Meter | None,
    ) -> None:
        """Take the examples; nothing is checked or called yet."""
        self.study, self.metric, self.out, self.meter = study, metric, out, meter
        self.train, self.dev, self.test = list(train), list(dev), list(test)
        self.watch = Watch()
        self.before: Score | None = None
        self.after: Score | None = None
        self.kept: Card | None = None
        self.reported: BeforeAfter | None = None
        self.overlap: tuple[str, ...] = study.overlap
        self.listen()
        # DSPy's few-shot optimizers have no seed: they take the examples in the order given.
        random.Random(study.seed).shuffle(self.train)  # noqa: S311

    def listen(
        self,
        *,
        progress: Progress | None = None,
        note: Callable[[str], None] | None = None,
        confirm: Callable[[Any], bool] | None = None,
    ) -> None:
        """Say who is told what happens."""
        self.progress, self.note = progress, note or _log.info
        self.confirm = confirm or (lambda forecast: True)

    def check(self, seed: dspy.Module, *, overwrite: bool) -> None:
        """Find whatever is wrong before a call is paid for, and open the journal."""
        study = self.study
        let_pass = check_disjoint(self.train, self.dev, self.test, allow=study.allow_overlap)
        self.overlap = tuple(dict.fromkeys((*self.overlap, *let_pass)))
        program_state(seed)
        if self.out.is_dir():
            raise InputError(f"--out must be a file, {self.out} is a folder; add a file name")
        if self.out.exists() and not overwrite and read_card(self.out).complete:
            raise InputError(
                f"{self.out} holds a finished program; choose another --out or pass --force"
            )
        student = student_of(seed, study.predictor)
        self.components = components_of(student, study)
        parts = {"train": self.train, "dev": self.dev, "test": self.test}
        self.folder = study_folder(self.out, study_key(study, seed, parts, self.metric))
        self.journal = Journal(self.folder)
        if not self.journal.resumed:
            forget(self.folder, study.optimizer)
        self.optimizer = make_optimizer(
            study,
            self.metric,
            watch=self.watch,
            train=self.train,
            dev=self.dev,
            components=self.components,
            folder=optimizer_folder(self.folder, study.optimizer),
            progress=self.progress,
        )
        self.replay = Replay(
            self.journal, self.metric, name=study.metric, train=self.train, dev=self.dev
        )

    def run(self, seed: dspy.Module, tracker: Tracker) -> Compiled:
        """Score, compile, score, keep the better one, report it."""
        if self.journal.resumed:
            self.note(f"going on: {self.journal.resumed} scores of an earlier call are kept")
        self._forecast(seed)
        self.before = self._score(seed, self.dev, "before")
        tracker.candidate("before", program=seed, metrics=score_measures("dev", self.before))
        self._save(seed, "before", self.before.value)
        candidate = self._learnt(seed, tracker)
        self.after = self._score_after(seed, candidate, tracker)
        better = self.after.value > self.before.value
        best, kept, score = (
            (candidate, "after", self.after) if better else (seed, "before", self.before)
        )
        self._save(best, kept, score.value)
        self._report(seed, best)
        card = self._save(best, kept, score.value, complete=True)
        self.journal.finish()
        forget(self.folder, self.study.optimizer)
        return Compiled(
            best,
            card,
            self.before,
            self.after,
            demo_counts(candidate),
            self.reported,
            self.journal.resumed,
        )

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

    def note_spent(self) -> None:
        """Keep on disk what this call has spent."""
        if self.meter is not None and self.journal.begun:
            self.journal.note_spent(self.meter.usage())

    def _forecast(self, seed: dspy.Module) -> None:
        """Answer a few dev examples, judge the rest by them, and ask whether to go on."""
        study, start, spent = self.study, time.monotonic(), self._usage()
        self._score(seed, self.dev[:PROBE], "forecast")
        used = spent_since(spent, self._usage())
        predictors = len(student_of(seed, study.predictor).named_predictors())
        sizes = Sizes(len(self.train), len(self.dev), len(self.test), predictors)
        plan = plan_of(study.optimizer, scope=study.scope, options=study.options, sizes=sizes)
        probe = Probe(min(PROBE, len(self.dev)), used, time.monotonic() - start)
        forecast = forecast_study(plan, sizes, prompts=(), probe=probe)
        if used.calls:
            self.note(f"forecast: {forecast}")
        if not self.confirm(forecast):
            self.watch.note(BudgetExceeded("the forecast was refused; the study can be resumed"))
            self.watch.check()

    def _usage(self) -> Usage:
        return Usage() if self.meter is None else self.meter.usage()

    def _score(self, program: dspy.Module, examples: Sequence[dspy.Example], stage: str) -> Score:
        return score_program(
            student_of(program, self.study.predictor),
            examples,
            self.metric,
            name=self.study.metric,
            stage=stage,
            watch=self.watch,
            threads=self.study.threads,
            progress=self.progress,
            journal=self.journal,
        )

    def _score_after(self, seed: dspy.Module, candidate: dspy.Module, tracker: Tracker) -> Score:
        if self.before is not None and program_state(candidate) == program_state(seed):
            self.note("the optimizer changed nothing")
            return self.before
        with self._unscored(candidate):
            score = self._score(candidate, self.dev, "after")
        tracker.candidate("after", program=candidate, metrics=score_measures("dev", score))
        return score

    def _report(self, seed: dspy.Module, best: dspy.Module) -> None:
        """Score both on test; the program as it was is scored once when it is the best."""
        if not self.test:
            return
        before = self._score(seed, self.test, "test before")
        after = self._score(best, self.test, "test after")
        self.reported = before_after(before, after, seed=self.study.seed)
        self.note(str(self.reported))

    def _learnt(self, seed: dspy.Module, tracker: Tracker) -> dspy.Module:
        """Return what the optimizer learns, or learnt before a call was cut off."""
        if self.journal.learnt is not None:
            candidate = seed.deepcopy()
            apply_state(candidate, self.journal.learnt)
            return candidate
        candidate = self._compile(seed, tracker)
        self.journal.note_learnt(program_state(candidate))
        return candidate

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
        self.note_spent()
        best = self.kept.score if self.kept and self.kept.score is not None else -1.0
        # Optimizers drop a prompt's own demonstrations; the score is of what was tried.
        student = student_of(program, self.study.predictor)
        as_tried = [*program_state(student).values()] == [*program_state(tried).values()]
        if as_tried and score > best:
            self._save(program, name, score)
            self.note(f"best so far: {name}, dev {score:.3f}")

    def _save(
        self, program: dspy.Module, kept: str, score: float, *, complete: bool = False
    ) -> Card:
        card = study_card(self, kept, score, complete=complete)
        self.kept = save_program(program, self.out, card=card)
        return self.kept

    @contextlib.contextmanager
    def _unscored(self, candidate: dspy.Module) -> Iterator[None]:
        """Keep a compiled candidate on disk while it is scored; it may have cost hours."""
        beside = self.out.with_name(f"{self.out.stem}.unscored{self.out.suffix}")
        save_program(candidate, beside, card=study_card(self, "after", None, complete=False))
        yield
        beside.unlink()
