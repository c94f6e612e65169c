"""A language model inside this process: llama.cpp through xllamacpp.

A JSON schema becomes a grammar, so the reply always has the signature's shape. One model is loaded
once and answers one request at a time; llama.cpp keeps the prompts it has read, so a step's system
message is read once.
"""

from __future__ import annotations

import os
import threading
from functools import cache
from pathlib import Path
from typing import Any

from dspy.lm15 import Message, Request, Response, TextPart, Usage
from dspy.utils.exceptions import ContextWindowExceededError, LMInvalidRequestError

from optimize.call_errors import CallFailed
from optimize.engine import Reply

PROMPT_CACHE_MIB = 1024
"""Memory for prompts already read: about forty steps of a program at 1.5 billion parameters."""

_OVERFLOW = "exceed_context_size_error"
_COMPACT = {"whitespace_flexible": False, "item_separator": ",", "key_separator": ":"}
"""Read by llguidance, the grammar engine of xllamacpp's wheels; other builds ignore it."""


@cache
def shared_llama(file: Path, *, context_length: int, threads: int | None) -> LlamaBackend:
    """Return the one backend of this process for these settings; nothing is loaded yet."""
    return LlamaBackend(file, context_length=context_length, threads=threads)


class LlamaBackend:
    """One GGUF file. It is loaded at the first request and shared by every copy.

    Args:
        file: The GGUF file; its SHA-256 is checked by whoever names it.
        context_length: Tokens of prompt and answer together.
        threads: Threads of llama.cpp; `None` takes one per core.
    """

    supports_response_schema = True
    supports_function_calling = False
    supported_params = frozenset(
        {"temperature", "top_p", "max_tokens", "stop", "seed", "response_format"}
    )

    def __init__(
        self, file: Path, *, context_length: int = 8192, threads: int | None = None
    ) -> None:
        self.file, self.context_length = file, context_length
        self.threads = threads or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._server: Any = None

    def complete(self, request: Request) -> Reply:
        """Answer one request; others wait.

        Raises:
            ContextWindowExceededError: The prompt is longer than the context.
            ModelCallError: The file cannot be loaded, or llama.cpp refuses the request.
        """
        asked = _chat_request(request)
        with self._lock:
            if self._server is None:
                self._server = self._load()
            try:
                raw = self._server.handle_chat_completions(asked)
            except (ValueError, RuntimeError) as error:
                raise CallFailed(f"llama.cpp refuses the request: {error}") from error
        _check(raw, request)
        return Reply(_response(raw, request), cost=0.0)

    def _load(self) -> Any:
        xllamacpp = _library()
        params = xllamacpp.CommonParams()
        params.model.path = str(self.file)
        params.n_ctx, params.n_parallel = self.context_length, 1
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self.threads
        params.cache_ram_mib = PROMPT_CACHE_MIB
        params.warmup, params.ui, params.verbosity = False, False, 0
        try:
            return xllamacpp.Server(params)
        except RuntimeError as error:
            raise CallFailed(
                f"llama.cpp cannot load {self.file}: {error}; fetch the model again, or set a "
                "smaller model.context_length if memory is short"
            ) from error

    def __deepcopy__(self, memo: dict[int, Any]) -> LlamaBackend:
        """Return itself: a copied program shares the loaded model."""
        return self


def _library() -> Any:
    """Import llama.cpp. Its OpenMP runtime reads the policy when it is loaded, not later."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import xllamacpp

    return xllamacpp


def _chat_request(request: Request) -> dict[str, Any]:
    """Return the request in OpenAI's chat form, as llama.cpp takes it."""
    config = request.config
    asked: dict[str, Any] = {"messages": _messages(request)}
    for name in ("temperature", "top_p", "max_tokens", "seed"):
        value = getattr(config, name)
        if value is not None:
            asked[name] = value
    if config.stop:
        asked["stop"] = list(config.stop)
    if config.response_format:
        asked.update(_constraint(config.response_format))
    return asked


def _messages(request: Request) -> list[dict[str, str]]:
    messages = [
        {"role": message.role, "content": message.text or ""} for message in request.messages
    ]
    system = request.system
    if not system:
        return messages
    text = system if isinstance(system, str) else "".join(part.text for part in system)
    return [{"role": "system", "content": text}, *messages]


def _constraint(wanted: Any) -> dict[str, Any]:
    """Return the grammar of a JSON schema, without room for line breaks and indents.

    llama.cpp's own `response_format` lets the model lay its JSON out over many lines, which costs
    a third more tokens to write.
    """
    schema = wanted.get("schema") or (wanted.get("json_schema") or {}).get("schema")
    if not schema:
        return {"response_format": {"type": "json_object"}}
    compact = {**schema, "x-guidance": _COMPACT}
    return {"grammar": _library().json_schema_to_grammar(compact)}


def _check(raw: dict[str, Any], request: Request) -> None:
    error = raw.get("error")
    if not error:
        return
    message = str(error.get("message", error))
    if error.get("type") == _OVERFLOW:
        raise ContextWindowExceededError(model=request.model, message=message)
    raise LMInvalidRequestError(message, model=request.model, status=error.get("code"))


def _response(raw: dict[str, Any], request: Request) -> Response:
    choice, used = raw["choices"][0], raw.get("usage") or {}
    cached = (used.get("prompt_tokens_details") or {}).get("cached_tokens")
    return Response(
        id=raw.get("id"),
        model=request.model,
        message=Message.assistant([TextPart(choice["message"].get("content") or "")]),
        finish_reason="length" if choice.get("finish_reason") == "length" else "stop",
        usage=Usage(
            input_tokens=used.get("prompt_tokens"),
            output_tokens=used.get("completion_tokens"),
            cache_read_tokens=cached,
        ),
    )
