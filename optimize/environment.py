"""Switch off, for this process, every network look-up that no one asked for.

The command line calls `quiet_environment` before it imports DSPy, LiteLLM or MLflow, because each
of them reads these variables once, at import. Nothing here happens at the import of a module.
"""

from __future__ import annotations

import os

from data.paths import cache_home

_QUIET = {
    # DSPy and LiteLLM else download a price map on the first capability or price query.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    # Asynchronous export loses the assessments of traces that are still being written.
    "MLFLOW_ENABLE_ASYNC_TRACE_LOGGING": "false",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # Spinning threads of llama.cpp collapse to a tenth of their speed when a core is shared.
    "OMP_WAIT_POLICY": "passive",
}


def quiet_environment() -> None:
    """Set each variable that the user has not set; a value of the user's own stays.

    `DSPY_CACHEDIR` is pointed into qkgram's cache folder, so that the default folder in the user's
    home is never made.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    os.environ.setdefault("DSPY_CACHEDIR", str(cache_home() / "dspy"))
