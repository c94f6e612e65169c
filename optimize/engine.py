"""The engine under every language model of qkgram: budget, tries, waits and errors in one place.

DSPy's own engine contract is `complete(Request) -> Response`. Ours asks the meter first, hands the
request to a `Backend` (a server, llama.cpp in this process, or a script), waits for rate limits,
tries again after outages, and turns a final failure into one line. DSPy's cache lies above it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, NamedTuple, NoReturn, Protocol

from dspy.lm15 import Request, Response, response_to_events
from dspy.utils.exceptions import ContextWindowExceededError, LMAuthError, LMError

from optimize.call_errors import BudgetStop, CallFailed, explain, is_overflow, pause
from optimize.meter import Meter
from optimize.model_spec import ModelSpec
from optimize.reached import mark_reached
from signatures.errors import QkgramError
from signatures.schema import Usage


class Reply(NamedTuple):
    """A backend's answer and its price."""

    response: Response
    cost: float | None
    """US dollars; 0 for a model of one's own machine, `None` when no price is known."""


class Backend(Protocol):
    """Whatever answers a request: one try, no cache, no waiting. It raises DSPy's `LMError`s."""

    @property
    def supports_response_schema(self) -> bool:
        """True when the backend makes the answer obey a JSON schema."""

    @property
    def supports_function_calling(self) -> bool:
        """True when the backend takes tools."""

    @property
    def supported_params(self) -> frozenset[str]:
        """Names of the request parameters that it obeys."""

    def complete(self, request: Request) -> Reply:
        """Answer one request."""


class MeteredEngine:
    """One role's way to its model. Safe to call from several threads; never copied."""

    supports_reasoning = False

    def __init__(
        self,
        backend: Backend,
        *,
        spec: ModelSpec,
        role: str,
        meter: Meter,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.backend, self.spec, self.role, self.meter = backend, spec, role, meter
        self._sleep = sleep

    @property
    def supports_response_schema(self) -> bool:
        """As the backend says."""
        return self.backend.supports_response_schema

    @property
    def supports_function_calling(self) -> bool:
        """As the backend says."""
        return self.backend.supports_function_calling

    @property
    def supported_params(self) -> frozenset[str]:
        """As the backend says."""
        return self.backend.supported_params

    def complete(self, request: Request) -> Response:
        """Answer a request, waiting and trying again where that helps.

        Raises:
            BudgetExceeded: Before a call that the budget does not allow.
            ModelCallError: The model cannot be reached or refuses the call.
            ContextWindowExceededError: The prompt is longer than the model's context (DSPy's own).
        """
        mark_reached()
        waited, attempt = 0.0, 0
        while True:
            try:
                return self._try_once(request)
            except LMError as error:
                delay = pause(error, attempt=attempt, waited=waited, spec=self.spec)
                if delay is None:
                    self._give_up(error, waited)
            self.meter.waited(self.role, delay)
            self._sleep(delay)
            waited, attempt = waited + delay, attempt + 1

    def stream(self, request: Request) -> Iterator[Any]:
        """Yield the finished answer as events; llama.cpp and servers are not streamed."""
        yield from response_to_events(self.complete(request))

    def _try_once(self, request: Request) -> Response:
        self.meter.begin()
        start = time.monotonic()
        try:
            reply = self.backend.complete(request)
        except BaseException as error:
            # Also after an interrupt: the call that `begin` reserved is given back.
            self.meter.unanswered(self.role, time.monotonic() - start)
            if isinstance(error, QkgramError) and not isinstance(error, LMError):
                raise CallFailed(str(error)) from error
            raise
        used = _usage(reply, time.monotonic() - start)
        self.meter.book(self.role, used, priced=reply.cost is not None)
        return reply.response

    def _give_up(self, error: LMError, waited: float) -> NoReturn:
        """Raise the error that the caller is told."""
        if isinstance(error, BudgetStop):
            raise error
        if is_overflow(error):
            raise ContextWindowExceededError(
                model=self.spec.model,
                message="the prompt is longer than the model's context: show fewer facts, or raise "
                "model.context_length where the model allows it",
            ) from error
        failure = (
            error
            if isinstance(error, CallFailed)
            else CallFailed(explain(error, self.spec, waited=waited))
        )
        self.meter.failures.append(str(failure))
        if failure is error:
            raise failure
        # The text of a refused key stays out of the traceback too: some repeat a part of the key.
        raise failure from (None if isinstance(error, LMAuthError) else error)

    def dump_state(self) -> dict[str, Any]:
        """Return how to reach the model again: its settings and role. They hold no key."""
        return {"spec": self.spec.model_dump(mode="json"), "role": self.role}

    @classmethod
    def load_state(cls, state: dict[str, Any]) -> MeteredEngine:
        """Rebuild the engine, with a meter of its own, from what `dump_state` returned."""
        from optimize.language_models import build_lm

        spec = ModelSpec.model_validate(state["spec"])
        engine: MeteredEngine = build_lm(spec, role=state["role"], meter=Meter()).engine
        return engine

    def __deepcopy__(self, memo: dict[int, Any]) -> MeteredEngine:
        """Return itself: optimizers copy programs, not models."""
        return self

    def __copy__(self) -> MeteredEngine:
        """Return itself."""
        return self

    def __repr__(self) -> str:
        """Name the model and the role, nothing else."""
        return f"MeteredEngine({self.spec.model!r}, role={self.role!r})"


class AsyncMeteredEngine:
    """The same engine for DSPy's asynchronous calls, one thread a call."""

    def __init__(self, engine: MeteredEngine) -> None:
        self.engine = engine

    async def complete(self, request: Request) -> Response:
        """Answer a request as `MeteredEngine.complete` does."""
        return await asyncio.to_thread(self.engine.complete, request)

    async def stream(self, request: Request) -> AsyncIterator[Any]:
        """Yield the finished answer as events."""
        for event in response_to_events(await self.complete(request)):
            yield event

    def dump_state(self) -> dict[str, Any]:
        """Return the engine's own state."""
        return self.engine.dump_state()

    @classmethod
    def load_state(cls, state: dict[str, Any]) -> AsyncMeteredEngine:
        """Rebuild the engine from its state."""
        return cls(MeteredEngine.load_state(state))

    def __deepcopy__(self, memo: dict[int, Any]) -> AsyncMeteredEngine:
        """Return itself."""
        return self


def _usage(reply: Reply, seconds: float) -> Usage:
    used = reply.response.usage
    return Usage(
        calls=1,
        cut=int(reply.response.finish_reason == "length"),
        prompt_tokens=used.input_tokens or 0,
        completion_tokens=used.output_tokens or 0,
        cost=reply.cost,
        seconds=seconds,
    )
