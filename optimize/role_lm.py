"""A `dspy.LM` of qkgram: one role's model, over a metered engine."""

from __future__ import annotations

import logging
from typing import Any

import dspy

from optimize.engine import AsyncMeteredEngine, MeteredEngine
from optimize.meter import Meter
from optimize.reached import is_watched, watch_reached

_DSPY_LOG = "dspy.clients.lm"
"""Where DSPy warns of an answer that was cut; `Usage.cut` counts those of ours."""


class RoleLM(dspy.LM):
    """A language model whose every call is counted, also the ones that the cache answers.

    It holds no key and no address: those live in the backend of its engine, which is never copied,
    saved or printed.
    """

    def __init__(self, model: str, *, engine: MeteredEngine, **options: Any) -> None:
        options.setdefault("async_engine", AsyncMeteredEngine(engine))
        # The engine tries again itself, because it counts the tries and knows the longest wait.
        super().__init__(model, engine=engine, **{**options, "num_retries": 0})
        logging.getLogger(_DSPY_LOG).addFilter(_is_news)

    @property
    def meter(self) -> Meter:
        """The meter on which its calls are booked."""
        meter: Meter = self.engine.meter
        return meter

    def __call__(self, prompt: Any = None, *, messages: Any = None, **kwargs: Any) -> Any:
        """Call the model as `dspy.LM` does."""
        with watch_reached() as reached:
            outputs = super().__call__(prompt, messages=messages, **kwargs)
        if not reached:
            self.meter.cached(self.engine.role)
        return outputs

    async def acall(self, prompt: Any = None, *, messages: Any = None, **kwargs: Any) -> Any:
        """Call the model asynchronously as `dspy.LM` does."""
        with watch_reached() as reached:
            outputs = await super().acall(prompt, messages=messages, **kwargs)
        if not reached:
            self.meter.cached(self.engine.role)
        return outputs


def _is_news(record: logging.LogRecord) -> bool:
    """Drop DSPy's warning of a cut answer inside a call of ours; other models keep theirs."""
    return not (is_watched() and "was truncated" in str(record.msg))
