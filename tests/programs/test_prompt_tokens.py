"""No prompt of a program is longer than 900 tokens at K = 15, whatever the models before it wrote.

Counted with the sentence encoder's tokenizer, which needs more tokens for medical words than a
language model's own; demonstrations and the schema that a server enforces are not counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedCall, ScriptedLM
from programs.registry import ProgramSettings, build_program
from programs.toolbox import Toolbox
from retrievers.embedding import SentenceEncoder
from signatures.schema import Question

MOST = 900
WORDY = "the finding follows from the listed facts and from what they imply for this patient; " * 12
"""As much as a step may write: 256 tokens."""
SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("direct", {}),
    ("regram", {}),
    ("regram", {"min_relevance": 0.5, "withhold_options": True}),
    ("qkgram", {}),
    ("qkgram", {"withhold_options": True}),
    ("qkg", {}),
)


def wordy(question: Question, call: ScriptedCall) -> Mapping[str, Any]:
    """Answer every step at length; the hypotheses it proposes are rejected."""
    last = question.text.split(". ")[-1]
    replies: dict[tuple[str, ...], Mapping[str, Any]] = {
        ("domain",): {"domain": "DRUG_THERAPY"},
        ("sub_questions",): {"sub_questions": [last, f"Why: {last}", f"When: {last}"]},
        ("answer", "claims"): {
            "answer": "A",
            "claims": [gold.claim.model_dump() for gold in question.gold_claims],
        },
        ("verdicts",): {"verdicts": []},
        ("answer", "cited"): {"answer": WORDY, "cited": []},
        ("answer", "missing"): {"answer": WORDY, "missing": WORDY},
        ("missing", "answer"): {"missing": WORDY, "answer": WORDY},
        ("reasoning", "answer"): {"reasoning": WORDY, "answer": "A"},
        ("reviews",): {"reviews": []},
        ("triplets",): {"triplets": []},
    }
    if call.fields == ("gap", "triplets"):
        names = [line.rpartition(" (")[0] for line in call.user.split("entities:")[1].splitlines()]
        pairs = zip(names[1:5], names[2:6], strict=False)
        found = [{"head": a, "relation": "indication", "tail": f"{b}s"} for a, b in pairs]
        return {"gap": WORDY, "triplets": found}
    return replies[call.fields]


@pytest.mark.parametrize(("program", "changed"), SETTINGS)
def test_no_prompt_is_longer_than_900_tokens(
    tools: Toolbox,
    encoder: SentenceEncoder,
    sample: Mapping[str, Question],
    program: str,
    changed: dict[str, Any],
) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(encoder.folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    assert tools.regions.settings.k == 15
    ranked = sorted(sample.values(), key=lambda q: -len(q.text) - 200 * len(q.options))
    sizes: dict[str, int] = {}
    for question in ranked[:6]:
        model = ScriptedLM(lambda call, asked=question: wordy(asked, call))
        made = build_program(program, tools=tools, settings=ProgramSettings(**changed))
        with dspy.context(lm=model, adapter=QkgramAdapter()):
            made(question=question)
        for call in model.asked:
            name = ", ".join(call.fields)
            text = f"{call.system}\n{call.user}"
            size = len(tokenizer.encode(text, add_special_tokens=False).ids)
            sizes[name] = max(sizes.get(name, 0), size)
    assert {name: size for name, size in sizes.items() if size > MOST} == {}
