"""Studies in an MLflow store: runs, prompts as text and as registered versions.

Every run is named by its id, never by MLflow's "active run", which belongs to one thread:
optimizers evaluate candidates in threads.
"""

from __future__ import annotations

import json
import logging
import math
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dspy

from optimize.mlflow_client import first_line, mlflow_errors, one_process, open_client
from optimize.prompts import prompt_sha, prompt_texts, safe_name
from optimize.scrub import Scrubber
from optimize.store_uri import artifact_root, tracking_uri
from optimize.traces import TraceSample
from optimize.tracking import NOTHING, Status
from signatures.errors import InputError

LONGEST_PARAM = 500
"""Characters kept of a parameter; MLflow refuses more than 6000, a table shows far fewer."""

_EXPERIMENTS_OF_PROMPT = "_mlflow_experiment_ids"
"""Tag by which MLflow's own pages list an experiment's prompts."""

_log = logging.getLogger(__name__)


class MlflowTracker:
    """Writes to an MLflow store: SQLite in the current folder unless another is named.

    Secrets are masked in whatever is written. After `start`, a store that fails costs a logged
    warning, not the study.
    """

    def __init__(
        self, uri: str | None = None, *, experiment: str = "qkgram", secrets: Iterable[str] = ()
    ) -> None:
        """Keep the names; the store is opened by `start`.

        Raises:
            InputError: the address is one that MLflow no longer writes to, or none at all.
        """
        self.uri = tracking_uri(uri)
        self.experiment = experiment
        self.parent: str | None = None
        self._scrub = Scrubber(secrets)
        self._lock = threading.RLock()
        self._prompt_prefix = "qkgram"

    def start(self, study: str, *, params: Mapping[str, object] = NOTHING) -> None:
        """Open the store, the experiment and the parent run.

        Raises:
            InputError: the store or the experiment cannot be used.
        """
        errors = mlflow_errors()
        try:
            self._client = open_client(self.uri)
            with one_process(self.uri):
                self._experiment_id = self._ensure_experiment()
            self.parent = self._new_run(study, params=params, parent=None)
        except errors as error:
            raise InputError(
                f"the tracking store {self._scrub.text(self.uri)} must be writable, it answered: "
                f"{self._scrub.text(first_line(error))}; name another, or leave --experiment out"
            ) from error
        self._prompt_prefix = f"qkgram.{safe_name(str(params.get('program', 'program')))}"

    def candidate(
        self,
        name: str,
        *,
        program: dspy.Module | None = None,
        params: Mapping[str, object] = NOTHING,
        metrics: Mapping[str, float | None] = NOTHING,
        texts: Mapping[str, str] = NOTHING,
    ) -> None:
        """Write a child run; each prompt also becomes a version of a registered prompt."""
        with self._writing("candidate " + name):
            run = self._new_run(name, params=params, parent=self._parent())
            if program is not None:
                self._prompts(run, prompt_texts(program), variant=name)
            self._metrics(run, metrics)
            self._texts(run, texts)
            self._client.set_terminated(run, "FINISHED")

    def attach(self, folders: Mapping[str, Path], *, names: Sequence[str]) -> None:
        """Attach the named text files of each folder to the study, without secrets."""
        with self._writing("attached files"):
            for key, folder in folders.items():
                found = (folder / name for name in names)
                texts = {f"{key}/{p.name}": p.read_text("utf-8") for p in found if p.is_file()}
                self._texts(self._parent(), texts)

    def trace(self, sample: TraceSample) -> None:
        """Write what became of one question, linked to the study."""
        from optimize.mlflow_traces import write_trace

        with self._writing(sample.name):
            write_trace(
                sample,
                uri=self.uri,
                experiment=self._experiment_id,
                run=self._parent(),
                scrub=self._scrub,
            )

    def finish(
        self,
        *,
        status: Status,
        metrics: Mapping[str, float | None] = NOTHING,
        texts: Mapping[str, str] = NOTHING,
    ) -> None:
        """Write the study's own measures and close its run."""
        with self._writing("the study's end"):
            self._metrics(self._parent(), metrics)
            self._texts(self._parent(), texts)
            self._client.set_terminated(self._parent(), status)

    def _parent(self) -> str:
        if self.parent is None:
            raise InputError("a study must be started before it is written to: call start first")
        return self.parent

    @contextmanager
    def _writing(self, what: str) -> Iterator[None]:
        self._parent()
        with self._lock:
            try:
                yield
            except mlflow_errors() as error:
                reason = self._scrub.text(first_line(error))
                _log.warning("tracking: %s was not written: %s", what, reason)

    def _ensure_experiment(self) -> str:
        found = self._client.get_experiment_by_name(self.experiment)
        if found is None:
            location = artifact_root(self.uri, self.experiment)
            return str(self._client.create_experiment(self.experiment, artifact_location=location))
        if found.lifecycle_stage != "active":
            raise InputError(
                f"experiment {self.experiment!r} was deleted; choose another name, or restore it "
                f"with: mlflow experiments restore --experiment-id {found.experiment_id}"
            )
        return str(found.experiment_id)

    def _new_run(self, name: str, *, params: Mapping[str, object], parent: str | None) -> str:
        tags = {} if parent is None else {"mlflow.parentRunId": parent}
        run = self._client.create_run(
            self._experiment_id, run_name=self._scrub.text(name), tags=tags
        )
        run_id = str(run.info.run_id)
        for key, value in self._scrub.mapping(params).items():
            self._param(run_id, _key(key), value if isinstance(value, str) else json.dumps(value))
        return run_id

    def _param(self, run: str, key: str, text: str) -> None:
        if len(text) > LONGEST_PARAM:
            artifact = f"params/{safe_name(key)}.txt"
            self._client.log_text(run, text, artifact)
            head = text[: LONGEST_PARAM - 100]
            text = f"{head}… sha256:{prompt_sha(text)}, whole text in {artifact}"
        self._client.log_param(run, key, text)

    def _metrics(self, run: str, metrics: Mapping[str, float | None]) -> None:
        from mlflow.entities import Metric

        now = int(time.time() * 1000)
        known = {k: v for k, v in metrics.items() if v is not None and math.isfinite(v)}
        rows = [Metric(_key(key), float(value), now, 0) for key, value in known.items()]
        if rows:
            self._client.log_batch(run, metrics=rows)

    def _texts(self, run: str, texts: Mapping[str, str]) -> None:
        for name, text in texts.items():
            self._client.log_text(run, self._scrub.text(text), name)

    def _prompts(self, run: str, prompts: Mapping[str, str], *, variant: str) -> None:
        for predictor, text in prompts.items():
            clean = self._scrub.text(text)
            self._client.log_text(run, clean, f"prompts/{safe_name(predictor)}.md")
            with one_process(self.uri):
                version = self._register(predictor, clean, variant=self._scrub.text(variant))
            self._client.set_tag(run, f"prompt.{safe_name(predictor)}", version)

    def _register(self, predictor: str, text: str, *, variant: str) -> str:
        """Register a prompt text once and return `name/version`."""
        name = f"{self._prompt_prefix}.{safe_name(predictor)}"
        sha = prompt_sha(text)
        self._ensure_prompt(name)
        for known in self._versions(name):
            if known.tags.get("sha") == sha:
                return f"{name}/{known.version}"
        made = self._client.create_prompt_version(
            name, text, description=variant, tags={"sha": sha, "variant": variant}
        )
        return f"{name}/{made.version}"

    def _ensure_prompt(self, name: str) -> None:
        known = self._client.get_prompt(name)
        listed = known.tags.get(_EXPERIMENTS_OF_PROMPT, "") if known else ""
        ids = [i for i in listed.split(",") if i]
        if known is None:
            self._client.create_prompt(name)
        if self._experiment_id not in ids:
            value = f",{','.join([*ids, self._experiment_id])},"
            self._client.set_prompt_tag(name, _EXPERIMENTS_OF_PROMPT, value)

    def _versions(self, name: str) -> Iterator[Any]:
        token: str | None = None
        while True:
            page = self._client.search_prompt_versions(name, max_results=100, page_token=token)
            yield from page
            token = page.token
            if not token:
                return


def _key(name: str) -> str:
    return re.sub(r"[^\w.\-/ ]+", "_", name)[:250]
