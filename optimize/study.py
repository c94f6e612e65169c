"""What is compiled, and how: the study, its metric and its student."""

from __future__ import annotations

from typing import NamedTuple

import dspy
from pydantic import JsonValue

from data.wording import choices
from optimize.artefacts import Card
from optimize.before_after import BeforeAfter
from optimize.dspy_metrics import METRICS, Metric
from optimize.presets import Scope, preset
from optimize.proposing import tool_users
from optimize.scoring import Score
from optimize.state import thaw, thawed
from signatures.errors import InputError
from signatures.schema import Record


class Study(Record):
    """What is compiled, and how. Two equal studies on equal answers make equal programs."""

    program: str
    """Name in the program registry."""
    predictor: str | None = None
    """Predictor to compile alone, such as `type_domain.predict`; `None` compiles all."""
    optimizer: str = "bootstrap"
    options: dict[str, JsonValue] = {}
    """Options of the optimizer that differ from its preset."""
    metric: str = "exact_match"
    seed: int = 0
    """Order of the training examples."""
    threads: int = 1
    """Examples scored at a time."""
    settings: dict[str, JsonValue] = {}
    """Settings of the program, for the card."""
    models: dict[str, str] = {}
    """Language model per role, for the card."""
    graph: str | None = None
    """Fingerprint of the graph store; `None` when none was opened."""
    splits: str | None = None
    """Fingerprint of the splits of the question set."""
    components: tuple[str, ...] = ()
    """Predictors whose instructions may be rewritten; empty: all but an agent's own."""
    teacher: str | None = None
    """Role whose model answers while bootstrapping, such as `proposer`; `None`: the student's."""
    allow_overlap: bool = False
    """Compile although parts share questions, or hold test questions; the card says so."""
    overlap: tuple[str, ...] = ()
    """What `allow_overlap` let pass when the questions were read."""

    @property
    def scope(self) -> Scope:
        """Whether one predictor or the whole program is compiled."""
        return "program" if self.predictor is None else "predictor"


class Compiled(NamedTuple):
    """The result: the better program, its card, and both scores."""

    program: dspy.Module
    card: Card
    before: Score
    after: Score
    demos: dict[str, int]
    """Demonstrations per predictor in the candidate, those it began with included."""
    test: BeforeAfter | None = None
    """The program as it was against the one that is kept, on test; `None` without test."""
    resumed: int = 0
    """Scores that an earlier, unfinished call left and that were not paid for again."""


def find_predictor(program: dspy.Module, name: str) -> str:
    """Return the full name of a predictor, given it or the start of it (`type_domain`).

    Raises:
        InputError: none or several predictors have that name.
    """
    with thawed(program):
        names = [str(known) for known, _ in program.named_predictors()]
    found = [n for n in names if n == name] or [n for n in names if n.startswith(f"{name}.")]
    if len(found) != 1:
        known = f"is the start of {len(found)} predictors" if found else "is unknown here"
        raise InputError(f"predictor {name!r} {known}; {choices(name, names)}")
    return found[0]


def study_metric(study: Study) -> Metric:
    """Return the metric that a study names; `InputError` when it judges another thing."""
    if study.metric not in METRICS:
        raise InputError(f"metric {study.metric!r} is unknown; {choices(study.metric, METRICS)}")
    spec, metric = METRICS[study.metric]
    if spec.of != study.scope:
        raise InputError(
            f"metric {study.metric} judges a {spec.of}, this study compiles a {study.scope}; use "
            + ", ".join(name for name, (s, _) in METRICS.items() if s.of == study.scope)
        )
    return metric


def seed_program(program: dspy.Module, study: Study) -> dspy.Module:
    """Copy the program with every predictor in sight; optimizers refuse or skip compiled ones."""
    seed = program.deepcopy()
    thaw(seed)
    if study.predictor is not None and study.predictor != find_predictor(seed, study.predictor):
        raise InputError(
            f"predictor {study.predictor!r} must be a full name: "
            f"use {find_predictor(seed, study.predictor)}"
        )
    return seed


def student_of(program: dspy.Module, predictor: str | None) -> dspy.Module:
    """Return what is compiled: the predictor of this name, or the program.

    Raises:
        InputError: the program asks no model.
    """
    if not program.predictors():
        raise InputError(
            "a program is compiled by its predictors, this one asks no model; compile another"
        )
    return program if predictor is None else dict(program.named_predictors())[predictor]


def components_of(student: dspy.Module, study: Study) -> tuple[str, ...]:
    """Return the predictors whose instructions may be rewritten, as the student names them.

    Raises:
        InputError: one is unknown or holds an agent's list of tools, or the optimizer would rewrite
            such a list.
    """
    rewrites = preset(study.optimizer).rewrites
    names = [name for name, _ in student.named_predictors()]
    tools = tool_users(student)
    if study.predictor is not None or rewrites == "nothing":
        return ()
    if rewrites == "all" and (tools or study.components):
        why = f"{', '.join(sorted(tools))} holds a list of tools" if tools else "it rewrites all"
        raise InputError(
            f"optimizer {study.optimizer} rewrites every instruction: {why}; use gepa with "
            "--component, or --predictor"
        )
    chosen = [find_predictor(student, name) for name in study.components]
    held = sorted(tools.intersection(chosen))
    if held:
        raise InputError(
            f"the instructions of {held[0]} hold an agent's list of tools and may not be "
            "rewritten; leave it out of --component"
        )
    return tuple(chosen or (name for name in names if name not in tools))
