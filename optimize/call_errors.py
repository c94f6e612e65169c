"""From DSPy's errors of a model call to qkgram's: one line that names the address and the remedy.

The two classes are errors of both trees. DSPy lets its own errors pass through an engine unchanged,
so a spent budget reaches the caller as what it is and not as an "unexpected" failure of a model.
"""

from __future__ import annotations

import re

from dspy.utils.exceptions import (
    ContextWindowExceededError,
    LMAuthError,
    LMBillingError,
    LMError,
    LMInvalidRequestError,
    LMNotConfiguredError,
    LMRateLimitError,
    LMTimeoutError,
    LMTransportError,
    is_retryable_lm_error,
)

from optimize.model_spec import ModelSpec
from signatures.errors import BudgetExceeded, ModelCallError

_OVERFLOW = re.compile(r"exceeds? the (available )?context|context (length|size|window)", re.I)
_REFUSED = re.compile(r"refused|failed to connect|name or service not known|unreachable", re.I)
_NO_PROVIDER = re.compile("provider not provided", re.I)
_NOT_INSTALLED = re.compile(r"no module named '([\w.]+)'", re.I)
_NO_JSON = re.compile(r"the reply \(.*?\) is not JSON")
_NOT_FOUND = 404


class CallFailed(ModelCallError, LMError):
    """A model could not be reached or refused the call, in the words of `explain`."""


class BudgetStop(BudgetExceeded, LMError):
    """A budget is spent; raised before the call that would exceed it."""


def is_overflow(error: LMError) -> bool:
    """Tell whether the prompt was longer than the context, also in llama.cpp's own wording."""
    if isinstance(error, ContextWindowExceededError):
        return True
    return isinstance(error, LMInvalidRequestError) and bool(_OVERFLOW.search(error.message or ""))


def pause(error: LMError, *, attempt: int, waited: float, spec: ModelSpec) -> float | None:
    """Return how many seconds to wait before the next try, or `None` to give up.

    Rate limits are waited for as long as the server asks, up to `spec.max_wait` seconds in all;
    outages get `spec.retries` further tries, 1, 2, 4 … seconds apart, at most 30.

    Args:
        error: What the last try raised.
        attempt: Tries made so far, less one.
        waited: Seconds that this call has already slept.
        spec: The model's settings.
    """
    if not is_retryable_lm_error(error):
        return None
    backoff = float(min(2**attempt, 30))
    hint = error.retry_after
    if isinstance(error, LMRateLimitError) or hint is not None:
        delay = backoff if hint is None else float(hint)
        return delay if waited + delay <= spec.max_wait else None
    return backoff if attempt < spec.retries else None


def explain(error: LMError, spec: ModelSpec, *, waited: float = 0.0) -> str:
    """Say in one line what went wrong with a call and what to do. Never holds a key."""
    where, said = spec.address, _first_line(error)
    if _NO_PROVIDER.search(said):
        return (
            f"no provider is known for the model {spec.model!r}: write PROVIDER/NAME, as in "
            "openai/NAME, anthropic/NAME, ollama_chat/NAME or hosted_vllm/NAME; a server of your "
            "own needs model.api_base"
        )
    if missing := _NOT_INSTALLED.search(said):
        return (
            f"{where} would run in this process and needs the package {missing[1]}: for a server, "
            "set model.api_base to its address"
        )
    if isinstance(error, LMNotConfiguredError):
        names = getattr(error, "env_keys", None) or (spec.api_key_env or "the provider's variable",)
        return f"{where} needs a key: set {' or '.join(names)} in the environment"
    if isinstance(error, LMAuthError):
        # The provider's own text is left out: some repeat a part of the key.
        return f"{where} refused the key: check the environment variable {_key_name(error, spec)}"
    if isinstance(error, LMBillingError):
        return f"{where} refused the call for billing reasons: {said}"
    if isinstance(error, LMRateLimitError):
        return (
            f"{where} still limits the rate after {waited:.0f} s of waiting: "
            "use fewer threads, or raise model.max_wait"
        )
    if error.status == _NOT_FOUND:
        return (
            f"{where} knows no model {spec.model!r} (404): check the name, "
            "and that the address ends where /chat/completions begins, usually in /v1"
        )
    if isinstance(error, LMTimeoutError) or "timed out" in said:
        return (
            f"{where} gave no answer within {spec.timeout:g} s: raise model.timeout, "
            "or use a faster model"
        )
    if isinstance(error, LMTransportError):
        reason = "nothing answers" if _REFUSED.search(said) else f"the connection failed ({said})"
        return f"{reason} at {where}: start the server there, or correct model.api_base"
    if _NO_JSON.search(said):
        return (
            f"{where} answered with something that is not JSON: check model.api_base, which "
            "usually ends in /v1; a proxy or a page to log in may stand before the server"
        )
    status = f" ({error.status})" if error.status else ""
    return f"{where} refused the call{status}: {said or type(error).__name__}"


def _key_name(error: LMError, spec: ModelSpec) -> str:
    names = (spec.api_key_env,) if spec.api_key_env else getattr(error, "env_keys", None) or ()
    return " or ".join(names) or "with its key, and name it in model.api_key_env"


def _first_line(error: LMError, limit: int = 200) -> str:
    lines = (error.message or "").strip().splitlines()
    return lines[0][:limit].strip() if lines else ""
