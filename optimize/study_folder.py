"""Where an unfinished study keeps what it has paid for, named by everything that changes it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import dspy

from optimize.dspy_metrics import Metric
from optimize.examples import fingerprint
from optimize.journal import candidate_key
from optimize.rows import digest
from optimize.study import Study

SAMPLING = ("temperature", "top_p", "max_tokens", "seed")
"""Request options that change an answer."""


def study_key(
    study: Study, seed: dspy.Module, examples: Mapping[str, Sequence[dspy.Example]], metric: Metric
) -> str:
    """Return what names a study: program, data, optimizer, metric, models, but no budget.

    Args:
        study: What is compiled and how.
        seed: The program that it starts from.
        examples: Examples of each part.
        metric: The metric in use.
    """
    roles: Mapping[str, dspy.LM] = dspy.settings.get("roles") or {}
    named = [("", dspy.settings.lm), *sorted(roles.items())]
    return digest(
        {
            "study": study.model_dump(mode="json", exclude={"threads"}),
            "program": [f"{type(seed).__module__}.{type(seed).__qualname__}", candidate_key(seed)],
            "examples": {part: fingerprint(held) for part, held in examples.items()},
            "metric": [study.metric, getattr(metric, "__qualname__", type(metric).__qualname__)],
            "models": {role: _sampling(lm) for role, lm in named if lm is not None},
            "adapter": type(dspy.settings.adapter).__qualname__,
            "dspy": dspy.__version__,
        }
    )


def study_folder(out: Path, key: str) -> Path:
    """Return the folder of a study that writes its program to `out`.

    >>> study_folder(Path("runs/x.json"), "ab12").as_posix()
    'runs/x.study/ab12'
    """
    return out.with_name(f"{out.stem}.study") / key


def optimizer_folder(folder: Path, name: str) -> Path:
    """Return where an optimizer that goes on by itself keeps its state.

    Its program and data are in the study's own name: it refuses a folder of another program. The
    state may be a pickle, of GEPA's making; like the program beside it, it is for its owner only.
    """
    return folder / name


def forget(folder: Path, name: str) -> None:
    """Drop an optimizer's state: a study that begins anew must not go on from it."""
    shutil.rmtree(optimizer_folder(folder, name), ignore_errors=True)


def _sampling(lm: dspy.LM) -> list[object]:
    return [lm.model, {key: lm.kwargs.get(key) for key in SAMPLING}]
