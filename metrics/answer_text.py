"""What of a model's text is answer: thinking and markup taken away."""

from __future__ import annotations

import re
import unicodedata

_FINAL_CHANNEL = "<|channel|>final<|message|>"
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.I | re.S)
_THOUGHT_END = re.compile(r".*</(?:think|thinking|reasoning)>", re.I | re.S)
_TOKEN = re.compile(r"<\|[^<>|\n]{0,40}\|>")

_SECTION = re.compile(r"\[\[\s*##\s*(\w+)\s*##\s*\]\]")
_ANSWER_TAG = re.compile(r"</?(?:final_)?answer>", re.I)
_TAG = re.compile(r"</?[a-z][a-z0-9]{0,15}\s?/?>", re.I)
_WRAPPED = re.compile(r"\\(?:text|mathrm|mathbf|textbf|textit|mathit|emph|mathsf)\s*\{([^{}]*)\}")
_BOXED = re.compile(r"\\f?boxed\s*\{([^{}]*)\}")
_LATEX_MARK = re.compile(r"\\[()\[\],;!]|\$")
_FENCE = re.compile(r"```[\w+-]*")
_LINE_MARK = re.compile(r"^[ \t]*(?:[#•]+|[-+>](?=\s))[ \t]*", re.M)
_BLANKS = re.compile(r"[^\S\n]+")
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "‐": "-", "‑": "-"})
_DROPPED = frozenset({"Co", "Cf", "Cs"})
"""Unicode categories that never carry an answer: private use (our marks), format, surrogate."""


def visible(text: str) -> str:
    """Take away the thinking of a reasoning model and the characters that nobody sees.

    Thinking that never ends was cut off: no answer follows it.

    >>> visible("<think>maybe B?</think>The answer is C")
    'The answer is C'
    >>> visible("<think>maybe B?")
    ''
    """
    text = unicodedata.normalize("NFKC", text)
    text = "".join(c for c in text if unicodedata.category(c) not in _DROPPED)
    text = text.rpartition(_FINAL_CHANNEL)[2]
    text = _THINKING.sub("", text)
    return _TOKEN.sub(" ", _THOUGHT_END.sub("", text))


def plain(text: str) -> str:
    r"""Take away Markdown, LaTeX, tags and section marks; a box or an answer tag becomes a cue.

    >>> plain("**B**"), plain(r"$\\boxed{\\text{C}}$").strip()
    ('B', 'answer: C')
    """
    text = _SECTION.sub(_section, text.translate(_STRAIGHT))
    text = _ANSWER_TAG.sub(lambda tag: "\n" if tag[0][1] == "/" else "\nanswer: ", text)
    text = _TAG.sub("", text)
    for _ in range(4):
        text = _WRAPPED.sub(r"\1", text)
    text = _BOXED.sub(r"\nanswer: \1\n", text)
    text = _LATEX_MARK.sub("", _FENCE.sub("", text))
    text = text.replace("*", "").replace("`", "").replace("_", " ").replace("\\", "")
    return _BLANKS.sub(" ", _LINE_MARK.sub("", text))


def _section(mark: re.Match[str]) -> str:
    """A DSPy field mark becomes `name:`; the closing mark becomes a line break."""
    return "\n" if mark[1].lower() == "completed" else f"\n{mark[1]}: "
