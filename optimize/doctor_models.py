"""Can every role reach its model: files, names, keys and, when asked for, addresses?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, get_args

from data.models import CatalogueModel, catalogue, catalogue_model
from optimize.doctor_check import Check, ok, refused, warn, wrong
from optimize.installed import file_sha256
from optimize.language_models import local_name
from optimize.model_spec import ModelSpec, Role
from optimize.settings import Settings
from retrievers.embedding import MINILM
from signatures.errors import ModelNotFound

if TYPE_CHECKING:
    import httpx

SECONDS = 5.0
"""How long a server may take to list its models."""


def model_checks(settings: Settings, *, deep: bool, ask: bool) -> Iterator[Check]:
    """Check the encoder, then the model of every role; roles of equal settings share a line.

    Args:
        settings: Say which model a role has.
        deep: Compute the SHA-256 of every model file that is here.
        ask: Ask each server for its models; else no address is touched.
    """
    needed = {MINILM} | {local_name(spec) for spec in _specs(settings) if spec.is_local}
    for model in catalogue().values():
        if model.name in needed or _here(model):
            yield _files(model, needed=model.name in needed, deep=deep)
    for spec, roles in _specs(settings).items():
        names = f"role{'s' if len(roles) > 1 else ''} {', '.join(roles)}"
        yield from _local(names, spec) if spec.is_local else _remote(names, spec, ask=ask)


def _specs(settings: Settings) -> Mapping[ModelSpec, list[str]]:
    """Group the roles by their settings, in the order of the roles."""
    groups: dict[ModelSpec, list[str]] = {}
    for role in get_args(Role):
        groups.setdefault(settings.spec(role), []).append(role)
    return groups


def _here(model: CatalogueModel) -> bool:
    return any((model.folder / file.path).is_file() for file in model.files)


def _files(model: CatalogueModel, *, needed: bool, deep: bool) -> Check:
    about, fetch = f"model {model.name}", f"qkgram models fetch {model.name}"
    missing = [file for file in model.files if not (model.folder / file.path).is_file()]
    if missing:
        found = f"{len(missing)} of {len(model.files)} files are not in {model.folder}"
        advice = f"{fetch} (add --mirror where the hub is out of reach)"
        return wrong(about, found, advice) if needed else warn(about, found, advice)
    for file in model.files:
        path = model.folder / file.path
        if path.stat().st_size != file.size:
            found = f"{path} holds {path.stat().st_size:,} bytes instead of {file.size:,}"
            return wrong(about, found, f"delete it and run {fetch}")
        if deep and file_sha256(path) != file.sha256:
            found = f"{path} has not the pinned SHA-256 {file.sha256[:12]}…"
            return wrong(about, found, f"delete it and run {fetch}")
    checked = "SHA-256 as pinned" if deep else "sizes as pinned, SHA-256 with --deep"
    return ok(about, f"{model.size / 1e6:,.0f} MB, {checked}")


def _local(names: str, spec: ModelSpec) -> Iterator[Check]:
    try:
        model = catalogue_model(local_name(spec))
    except ModelNotFound as error:
        yield refused(names, error)
        return
    if model.kind != "language model":
        advice = "name a language model of `qkgram models list`"
        yield wrong(names, f"{spec.model} is a {model.kind}", advice)
        return
    yield ok(names, f"{spec.model}: {model.name}, in this process")


def _remote(names: str, spec: ModelSpec, *, ask: bool) -> Iterator[Check]:
    at = f" at {spec.api_base}" if spec.api_base else ""
    if not spec.api_base and "/" not in spec.model:
        yield wrong(
            names,
            f"{spec.model!r} names no provider",
            "write PROVIDER/NAME, as in openai/NAME; a server of your own needs model.api_base",
        )
        return
    yield ok(names, f"{spec.model}{at}")
    yield from _key(names, spec)
    if spec.api_base:
        yield _address(names, spec) if ask else ok(names, "address not asked; --ask does")


def _key(names: str, spec: ModelSpec) -> Iterator[Check]:
    """Say whether the variable is set; its value is neither shown nor kept."""
    if spec.api_key_env:
        if os.environ.get(spec.api_key_env):
            yield ok(names, f"the key variable {spec.api_key_env} is set")
        else:
            found = f"the key variable {spec.api_key_env} is not set"
            yield wrong(names, found, f"export {spec.api_key_env}=…")
    elif not spec.api_base:
        usual = f"{spec.model.partition('/')[0].upper().replace('-', '_')}_API_KEY"
        if os.environ.get(usual):
            yield ok(names, f"{usual}, the provider's usual key variable, is set")
        else:
            found = f"no model.api_key_env, and {usual}, the usual variable, is not set"
            yield warn(names, found, f"export {usual}=…, or name the variable in model.api_key_env")


def _address(names: str, spec: ModelSpec) -> Check:
    """Ask a server for its models, without a key."""
    import httpx

    start = "start the server there, or correct model.api_base"
    try:
        answer = httpx.get(f"{spec.api_base}/models", timeout=SECONDS)
    except httpx.HTTPError as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        return wrong(names, f"nothing answers at {spec.api_base} ({reason})", start)
    if answer.status_code in (401, 403):
        return ok(names, f"{spec.api_base} answers and wants a key")
    if answer.status_code != httpx.codes.OK:
        found = f"{spec.api_base}/models answers {answer.status_code}"
        return warn(names, found, "check that the address ends where /chat/completions begins")
    known = _listed(answer)
    if known and spec.model not in known:
        found = f"{spec.api_base} answers, but lists no model {spec.model!r}"
        return warn(names, found, f"it lists {', '.join(known[:5])}")
    return ok(names, f"{spec.api_base} answers")


def _listed(answer: httpx.Response) -> list[str]:
    """Read the names of a model list; empty when it is of another shape."""
    try:
        return [str(entry["id"]) for entry in answer.json()["data"]]
    except (ValueError, KeyError, TypeError):
        return []
