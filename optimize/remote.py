"""Models behind an address: any DSPy/LiteLLM model string, or an OpenAI-compatible server."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import dspy
from dspy.lm15 import (
    AccessPolicy,
    ModelSupport,
    OpenAIChatCompat,
    ProviderDefinition,
    Request,
    register_provider,
)
from dspy.utils.exceptions import LMServerError

from optimize.call_errors import CallFailed
from optimize.engine import Reply
from optimize.model_spec import ModelSpec

_REASONING_TOKENS = 16_000
"""Fewest completion tokens that DSPy allows OpenAI's reasoning models: they think inside them."""

_MILLION = 1_000_000


def remote_model_id(spec: ModelSpec) -> str:
    """Return the model string that DSPy routes by and that keys the cache.

    The address is part of it, because DSPy's cache ignores addresses: two servers that call their
    models alike must not share answers.

    >>> remote_model_id(ModelSpec(model="qwen2.5", api_base="http://127.0.0.1:8080/v1"))
    'server-127.0.0.1-8080/qwen2.5'
    >>> remote_model_id(ModelSpec(model="openai/gpt-4o"))
    'openai/gpt-4o'
    """
    return f"{_provider_id(spec.api_base)}/{spec.model}" if spec.api_base else spec.model


def declare_server(spec: ModelSpec) -> None:
    """Declare the server at `spec.api_base` to DSPy, with what it can do.

    To a plain `openai/NAME` with an address DSPy sends no JSON schema, because it does not know the
    model; a declared provider says so itself. DSPy reads the key from the variable at each call.
    """
    if spec.api_base is None:
        return
    keys = (spec.api_key_env,) if spec.api_key_env else ()
    access = AccessPolicy(
        provider=_provider_id(spec.api_base), env_keys=keys, base_url=spec.api_base
    )
    placeholder = None if keys else "none"
    definition = ProviderDefinition.chat(
        access, compat=OpenAIChatCompat.preset("vllm"), placeholder_key=placeholder
    )
    supports = ModelSupport(function_calling=spec.tools, response_schema=spec.structured)
    register_provider(definition, supports=supports, replace=True)


def _provider_id(api_base: str) -> str:
    parts = urlsplit(api_base)
    path = parts.path.strip("/").replace("/", "-").replace("_", "-")
    tail = "" if path in ("", "v1") else f"-{path}"
    # DSPy routes by the part before the first slash and reads a colon in it as a tag.
    host = parts.netloc.replace("_", "-").replace(":", "-")
    return f"server-{host}{tail}"


class _Inner(dspy.LM):
    """The `dspy.LM` that makes the call; it hands its history entry, with the price, to us."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.last = threading.local()

    def update_history(self, entry: dict[str, Any]) -> None:
        """Keep the price of the call that this thread just made, and nothing else."""
        self.last.cost = entry.get("cost")


class RemoteBackend:
    """Calls a provider through DSPy, once: no cache and no tries of DSPy's own."""

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self.id = remote_model_id(spec)
        self._lock = threading.Lock()
        self._lm: _Inner | None = None

    @property
    def supports_response_schema(self) -> bool:
        """Whether the provider enforces a JSON schema, as declared or as DSPy knows."""
        return bool(self._inner().supports_response_schema)

    @property
    def supports_function_calling(self) -> bool:
        """Whether the provider takes tools."""
        return bool(self._inner().supports_function_calling)

    @property
    def supported_params(self) -> frozenset[str]:
        """The request parameters that the provider obeys."""
        return frozenset(self._inner().supported_params)

    def complete(self, request: Request) -> Reply:
        """Answer one request.

        Raises:
            ModelCallError: The variable that should hold the key is not set.
            LMError: The provider did not answer, or refused (DSPy's own error).
        """
        inner = self._inner()
        # The outer model reports the call; the inner one must not report it again.
        quiet: dict[str, Any] = {"callbacks": [], "usage_tracker": None, "send_stream": None}
        with dspy.context(**quiet, disable_history=False):
            response = inner(self._fit(request))
        if (response.provider_data or {}).get("choices") == []:
            # An empty text is the model's own; no choice at all is nobody's answer.
            raise LMServerError("the reply holds no choice", model=self.id)
        price = getattr(inner.last, "cost", None)
        return Reply(response, price if price is not None else self._price(response.usage))

    def _inner(self) -> _Inner:
        with self._lock:
            if self._lm is None:
                declare_server(self.spec)
                options: dict[str, Any] = {"timeout": self.spec.timeout}
                if self.spec.api_key_env and not self.spec.api_base:
                    options["api_key"] = _read_key(self.spec)
                self._lm = _Inner(self.id, cache=False, num_retries=0, **options)
            return self._lm

    def _fit(self, request: Request) -> Request:
        """Give a reasoning model the room that it thinks in; programs cap the visible answer."""
        asked = request.config.max_tokens
        if not self.spec.is_reasoning or asked is None or asked >= _REASONING_TOKENS:
            return request
        return replace(request, config=replace(request.config, max_tokens=_REASONING_TOKENS))

    def _price(self, usage: Any) -> float | None:
        prices = (self.spec.prompt_price, self.spec.completion_price)
        counts = (usage.input_tokens, usage.output_tokens)
        if None in prices or None in counts:
            return None
        return float(sum(p * n for p, n in zip(prices, counts, strict=True)) / _MILLION)


def _read_key(spec: ModelSpec) -> str:
    key = os.environ.get(spec.api_key_env or "")
    if not key:
        raise CallFailed(f"{spec.address} needs a key: set {spec.api_key_env} in the environment")
    return key
