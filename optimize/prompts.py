"""The exact text that a predictor sends, for reading and comparing."""

from __future__ import annotations

import hashlib
import re

import dspy


def predictor_text(predictor: dspy.Predict) -> str:
    """Render system prompt, demonstrations and a placeholder per input, as the adapter would.

    Uses the adapter of the current `dspy.context`, so the text is what a model is really sent.
    """
    adapter = dspy.settings.adapter or dspy.ChatAdapter()
    inputs = {name: "{{" + name + "}}" for name in predictor.signature.input_fields}
    messages = adapter.format(predictor.signature, list(predictor.demos), inputs)
    return "\n\n".join(f"### {m['role']}\n{_content(m['content'])}" for m in messages)


def prompt_texts(program: dspy.Module) -> dict[str, str]:
    """Return the rendered prompt of every predictor, by predictor name."""
    return {name: predictor_text(predictor) for name, predictor in program.named_predictors()}


def prompt_sha(text: str) -> str:
    """Return the short SHA-256 that tells prompt versions apart."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def safe_name(name: str) -> str:
    """Make a predictor's name fit for a file, a tag or a registered prompt.

    >>> safe_name("hops['a'].predict")
    'hops_a_.predict'
    """
    return re.sub(r"[^\w.\-]+", "_", name)


def _content(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(str(p.get("text", p)) if isinstance(p, dict) else str(p) for p in parts)
