"""A language model that answers from a script: for tests, examples and dry runs, with no network.

    lm = ScriptedLM([{"answer": "B"}])                    # a list, in order
    lm = ScriptedLM(lambda call: {"answer": "B"})         # or a function of what was asked

It goes the whole way of a real model: the adapter renders the prompt, the meter counts the call,
the reply is parsed.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dspy.lm15 import Message, Request, Response, TextPart, Usage
from pydantic_core import to_jsonable_python

from optimize.call_errors import CallFailed
from optimize.engine import MeteredEngine, Reply
from optimize.meter import Meter
from optimize.model_spec import ModelSpec
from optimize.role_lm import RoleLM
from signatures.schema import Record


class ScriptedCall(Record):
    """What the model was asked."""

    system: str
    user: str
    """The last message of the user."""
    fields: tuple[str, ...]
    """Names of the output fields that are wanted, in order."""
    temperature: float | None
    max_tokens: int | None


Answer = str | Mapping[str, Any] | Exception
"""The reply's text, or its fields (records allowed), or an error to raise."""


class ScriptedLM(RoleLM):
    """A `dspy.LM` that answers from a list or a function.

    Args:
        script: Answers in the order of the calls, or a function from the call to its answer. A list
            that is too short is an error that says so.
        model: Name in rows and in the cache.
        role: Role that its calls are booked under.
        meter: Where they are counted; one of its own without.
        cache: Whether equal requests are answered from DSPy's cache.
        structured: Whether it takes a JSON schema, as a grammar-constrained model does.
        retries: Further tries after an outage in the script; it never waits between them.
    """

    def __init__(
        self,
        script: Sequence[Answer] | Callable[[ScriptedCall], Answer],
        *,
        model: str = "scripted/model",
        role: str = "reasoner",
        meter: Meter | None = None,
        cache: bool = False,
        structured: bool = True,
        retries: int = 0,
        **options: Any,
    ) -> None:
        self.backend = _ScriptBackend(script, structured=structured)
        engine = MeteredEngine(
            self.backend,
            spec=ModelSpec(model=model, retries=retries),
            role=role,
            meter=meter or Meter(),
            sleep=lambda seconds: None,
        )
        super().__init__(model, engine=engine, cache=cache, **{"temperature": 0.0, **options})

    @property
    def asked(self) -> tuple[ScriptedCall, ...]:
        """Every call so far, in order; copies of the model share it."""
        return tuple(self.backend.asked)


class _ScriptBackend:
    """The script as a backend of the metered engine."""

    supports_function_calling = False
    supported_params = frozenset({"temperature", "top_p", "max_tokens", "seed", "response_format"})

    def __init__(
        self,
        script: Sequence[Answer] | Callable[[ScriptedCall], Answer],
        *,
        structured: bool,
    ) -> None:
        self.supports_response_schema = structured
        self.asked: list[ScriptedCall] = []
        self._script = script if callable(script) else tuple(script)
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        """Answer from the script; tokens are counted as words, the price is 0."""
        call = _call(request)
        with self._lock:
            self.asked.append(call)
            answer = self._answer(call, len(self.asked))
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(to_jsonable_python(answer))
        words = sum(len(part.split()) for part in (call.system, call.user))
        response = Response(
            id=None,
            model=request.model,
            message=Message.assistant([TextPart(text)]),
            finish_reason="stop",
            usage=Usage(input_tokens=words, output_tokens=len(text.split())),
        )
        return Reply(response, cost=0.0)

    def _answer(self, call: ScriptedCall, number: int) -> Answer:
        if callable(self._script):
            return self._script(call)
        if number > len(self._script):
            wanted = ", ".join(call.fields) or "free text"
            raise CallFailed(
                f"the script holds {len(self._script)} answers, call {number} wants {wanted}: "
                "add an answer, or pass a function"
            )
        return self._script[number - 1]


def _call(request: Request) -> ScriptedCall:
    system = request.system or ""
    text = system if isinstance(system, str) else "".join(part.text for part in system)
    schema = (request.config.response_format or {}).get("schema") or {}
    return ScriptedCall(
        system=text,
        user=request.messages[-1].text or "",
        fields=tuple(schema.get("properties", ())),
        temperature=request.config.temperature,
        max_tokens=request.config.max_tokens,
    )
