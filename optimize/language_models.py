"""From settings to language models: one `dspy.LM` per role, counted on one meter.

meter = Meter(settings.budget)
with use_models(settings, meter) as roles:
    program(question=question)
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import dspy
from dspy.utils.exceptions import LMConfigurationError

from data.models import catalogue_model
from optimize.adapter import QkgramAdapter
from optimize.answer_cache import use_answer_cache
from optimize.engine import Backend, MeteredEngine
from optimize.installed import installed_file
from optimize.llama import shared_llama
from optimize.meter import Meter
from optimize.model_spec import ModelSpec, Role
from optimize.remote import RemoteBackend, remote_model_id
from optimize.role_lm import RoleLM
from optimize.settings import Settings
from signatures.errors import SettingsError

DEFAULT_LOCAL = "qwen2.5-coder-1.5b"
"""Catalogue model behind `local`: the larger of the two that run on two cores."""

MAX_TOKENS = 512
"""ReGraM B.1, the middle of its three caps; programs set their own per step."""


def build_roles(settings: Settings, meter: Meter) -> dict[str, dspy.LM]:
    """Build the model of every role. Roles with equal settings share a loaded local model.

    Raises:
        ModelNotFound: A local model's file is absent; the message holds the fetch command.
        SettingsError: A model refuses its sampling settings.
    """
    return {role: build_lm(settings.spec(role), role=role, meter=meter) for role in get_args(Role)}


def build_lm(spec: ModelSpec, *, role: str, meter: Meter) -> RoleLM:
    """Build one model. Nothing is loaded or called yet.

    Raises:
        ModelNotFound: The local model's file is absent.
        SettingsError: The model refuses its sampling settings.
    """
    engine = MeteredEngine(_backend(spec), spec=spec, role=role, meter=meter)
    try:
        return RoleLM(model_id(spec), engine=engine, cache=spec.cache, **sampling(spec))
    except LMConfigurationError as error:
        raise SettingsError(f"model {spec.model}: {error.message}") from error


def model_id(spec: ModelSpec) -> str:
    """Return what names a model in rows and in the cache.

    A local model's id ends in the first 12 digits of its file's SHA-256; a server's begins with its
    address.

    Raises:
        ModelNotFound: The local model is not in the catalogue.
    """
    if not spec.is_local:
        return remote_model_id(spec)
    model = catalogue_model(local_name(spec))
    return f"local/{model.name}@{model.sha256[:12]}"


def local_name(spec: ModelSpec) -> str:
    """Return the catalogue name of a local model.

    >>> local_name(ModelSpec(model="local:qwen2.5-coder-0.5b"))
    'qwen2.5-coder-0.5b'
    """
    return spec.model.partition(":")[2] or DEFAULT_LOCAL


def sampling(spec: ModelSpec) -> dict[str, Any]:
    """Return the request settings that every call of this model carries.

    >>> sampling(ModelSpec(temperature=0.3, top_p=0.9))
    {'temperature': 0.3, 'max_tokens': 512, 'top_p': 0.9}
    >>> sampling(ModelSpec(model="openai/o3"))
    {'temperature': None, 'max_tokens': None}
    """
    own: dict[str, Any] = {"temperature": spec.temperature, "max_tokens": spec.max_tokens}
    if not spec.is_reasoning:
        own["temperature"] = 0.0 if spec.temperature is None else spec.temperature
        own["max_tokens"] = spec.max_tokens or MAX_TOKENS
    if spec.top_p is not None:
        own["top_p"] = spec.top_p
    if spec.seed is not None:
        own["seed"] = spec.seed
    return own


def build_adapter(settings: Settings) -> dspy.Adapter:
    """Build the adapter that all programs are run with."""
    return QkgramAdapter(reasks=settings.reasks)


@contextmanager
def use_models(
    settings: Settings, meter: Meter, *, asks: bool = True
) -> Iterator[dict[str, dspy.LM]]:
    """Run what is inside with the models, the adapter and the cache of the settings.

    A program that `asks` no model needs none: no file is looked for and no role has one.

    Raises:
        ModelNotFound: A local model's file is absent.
    """
    if not asks:
        with dspy.context(lm=None, roles={}):
            yield {}
        return
    open_cache(settings.response_cache)
    roles = build_roles(settings, meter)
    adapter = build_adapter(settings)
    with dspy.context(lm=roles["reasoner"], roles=roles, adapter=adapter):
        yield roles


def open_cache(folder: Path) -> None:
    """Keep answers in `folder`; where that cannot be written, keep them in memory and warn.

    Entries are read with a restricted unpickler: ours hold plain data only. Empty answers are never
    kept: the server may be mended before the same question is asked again.
    """
    from sqlite3 import OperationalError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        use_answer_cache(folder)
    except (OSError, OperationalError) as error:
        warnings.warn(
            f"answers cannot be cached in {folder} ({error}): they are kept in memory for this run "
            "only; set response_cache to a folder on a local disk",
            stacklevel=2,
        )
        use_answer_cache(None)


def _backend(spec: ModelSpec) -> Backend:
    if not spec.is_local:
        return RemoteBackend(spec)
    file = installed_file(catalogue_model(local_name(spec)))
    return shared_llama(file, context_length=spec.context_length, threads=spec.threads)
