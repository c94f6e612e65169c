"""Following a study: a parent run with one child run per candidate.

tracker = open_tracker("type-domain")
tracker.start("bootstrap type_domain", params={"optimizer": "bootstrap"})
tracker.candidate("before", program=program, metrics={"dev.score": 0.4})
tracker.candidate("after", program=compiled, metrics={"dev.score": 0.7})
tracker.finish(status="FINISHED", metrics={"after.score": 0.7})
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol

import dspy

from optimize.traces import TraceSample

Status = Literal["FINISHED", "FAILED", "KILLED"]
"""How a study ended; KILLED is a spent budget or an interrupt."""

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""The empty mapping, as a default."""


class Tracker(Protocol):
    """Where a study is written down."""

    def start(self, study: str, *, params: Mapping[str, object] = NOTHING) -> None:
        """Open the study."""

    def candidate(
        self,
        name: str,
        *,
        program: dspy.Module | None = None,
        params: Mapping[str, object] = NOTHING,
        metrics: Mapping[str, float | None] = NOTHING,
        texts: Mapping[str, str] = NOTHING,
    ) -> None:
        """Write one candidate: its prompts, parameters, measures and texts."""

    def attach(self, folders: Mapping[str, Path], *, names: Sequence[str]) -> None:
        """Attach the named text files of each folder to the study, under the folder's key."""

    def trace(self, sample: TraceSample) -> None:
        """Write what became of one question, linked to the study."""

    def finish(
        self,
        *,
        status: Status,
        metrics: Mapping[str, float | None] = NOTHING,
        texts: Mapping[str, str] = NOTHING,
    ) -> None:
        """Close the study."""


class NullTracker:
    """Writes nothing."""

    def _nothing(self, *told: object, **more: object) -> None:
        """Do nothing, whatever is told."""

    start = candidate = attach = trace = finish = _nothing


def open_tracker(
    experiment: str | None, *, uri: str | None = None, secrets: Iterable[str] = ()
) -> Tracker:
    """Return a tracker for the experiment, one that writes nothing when it is `None`.

    Args:
        experiment: Name of the MLflow experiment.
        uri: Tracking address; `None` takes `MLFLOW_TRACKING_URI`, else `./mlflow.db`.
        secrets: Texts to mask beside those found in the environment.

    Raises:
        InputError: the address is one that MLflow no longer writes to.
    """
    if experiment is None:
        return NullTracker()
    from optimize.mlflow_tracker import MlflowTracker

    address = uri or os.environ.get("MLFLOW_TRACKING_URI")
    return MlflowTracker(address, experiment=experiment, secrets=secrets)
